package code

import (
	"bytes"
	"strings"
)

// linkUse is how a token occurs in the links of a mail.
type linkUse uint8

const (
	notLinked linkUse = iota
	asSegment         // of the path: /orders/4482019
	asCode            // of a parameter that is called one: ?code=482913
)

// forLinked is what it adds to be the code of a link.
const forLinked = 2.5

// isNamed says whether a word for a code names what was found. How it occurs in links does not matter then.
func (f *finding) isNamed() bool {
	return f.relation.label != nil && f.relation.label.kinds.any(positive)
}

// Bounds of the work: how many codes of a page are looked for, in how many links and places of the text, and how much
// of a link before the code is read.
const (
	maxLinkedCodes = 8
	maxLinksAsked  = 64
	maxLinkRead    = 256
)

// linked says how a code occurs in the links of a page. It is asked for few codes.
func (p *page) linked(code []byte) linkUse {
	use := notLinked
	for i := range p.links[:min(len(p.links), maxLinksAsked)] {
		use = max(use, linkUseOf(p.links[i].Href, string(code)))
	}
	for n, at := 0, 0; n < maxLinksAsked; n++ {
		i := bytes.Index(p.text[at:], code)
		if i < 0 {
			break
		}
		at += i + len(code)
		word := p.text[max(0, at-len(code)-maxLinkRead):min(len(p.text), at+1)]
		word = word[bytes.LastIndexAny(word[:len(word)-1], " \n\t<\"(")+1:]
		if bytes.IndexByte(word, '/') >= 0 {
			use = max(use, linkUseOf(string(word), string(code)))
		}
	}
	return use
}

// linkUseOf says how a code occurs in one link, of which nothing but one character after the code counts.
func linkUseOf(link, code string) linkUse {
	i := strings.Index(link, code)
	if i < 1 {
		return notLinked
	}
	if end := i + len(code); end < len(link) && isAlnum(link[end]) {
		return notLinked
	}
	switch before := link[:i]; {
	case strings.HasSuffix(before, "code="), strings.HasSuffix(before, "otp="), strings.HasSuffix(before, "pin="):
		return asCode
	case link[i-1] == '/':
		return asSegment
	}
	return notLinked
}
