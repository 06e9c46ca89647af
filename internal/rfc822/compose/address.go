package compose

import (
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"
)

// ParseAddress reads exactly one address: `address`, `Name <address>`, `"Quoted, Name" <address>`, also with comments
// and beyond ASCII. It is strict, because what it lets through gets mail.
func ParseAddress(s string) (Address, error) {
	p := &addressParser{s: s, alone: true}
	if err := p.checkText(); err != nil {
		return Address{}, err
	}
	a, err := p.mailbox()
	switch {
	case err == nil && p.peek() == ',':
		err = p.wrong("it is more than one address, or a name with a comma that needs quotes")
	case err == nil && p.pos < len(s):
		err = p.wrong("there is more after the address")
	}
	if err != nil {
		return Address{}, err
	}
	return a, nil
}

// ParseAddresses reads a list of addresses with commas between them. Empty places in it are passed over.
func ParseAddresses(s string) ([]Address, error) {
	p := &addressParser{s: s}
	if err := p.checkText(); err != nil {
		return nil, err
	}
	var list []Address
	for {
		p.blanks()
		p.from = p.pos
		if p.peek() != ',' && p.pos < len(s) {
			a, err := p.mailbox()
			if err != nil {
				return nil, err
			}
			list = append(list, a)
		}
		if p.pos == len(s) {
			break
		}
		if p.peek() != ',' {
			return nil, p.wrong("there is more after the address; addresses are separated by commas")
		}
		p.pos++
	}
	if len(list) == 0 {
		return nil, p.wrong("it is empty")
	}
	return list, nil
}

// wrong is the error for the address at hand.
func (p *addressParser) wrong(why string) error {
	text := p.s[p.from:]
	if !p.alone {
		p.pos = p.from
		text = strings.Trim(p.s[p.from:p.until(",")], " ")
	}
	return notAddress(text, why)
}

func notAddress(s, why string) error { return fmt.Errorf("%q is not an address: %s", clip(s), why) }

// phrase is the words before an address.
type phrase struct {
	words   []string
	quoted  bool   // some word was in quotes
	comment string // the last one
	from    int    // where the last word begins, with its quotes
	to      int
}

// mailbox reads one address and what may follow it, up to a comma or the end.
func (p *addressParser) mailbox() (Address, error) {
	var ph phrase
	for {
		if err := p.comments(&ph); err != nil {
			return Address{}, err
		}
		var err error
		switch c := p.peek(); {
		case c == '<':
			return p.inBrackets(&ph)
		case c == '@':
			return p.bare(&ph)
		case c == '"':
			err = p.quotedWord(&ph)
		case isAtext(c) || c == '.':
			p.atom(&ph)
		default:
			err = p.noAddress(c, &ph)
		}
		if err != nil {
			return Address{}, err
		}
	}
}

// checkText refuses what has no place in any address.
func (p *addressParser) checkText() error {
	why, at := "it has a control character or line break in it", strings.IndexFunc(p.s, isBreak)
	if valid := strings.ToValidUTF8(p.s, ""); len(valid) < len(p.s) {
		why, at = "it is not UTF-8", commonLength(valid, p.s)
	}
	if at < 0 {
		return nil
	}
	if !p.alone {
		p.from = strings.LastIndexByte(p.s[:at], ',') + 1
	}
	return p.wrong(why)
}

// commonLength is how far a and b, the longer, are the same.
func commonLength(a, b string) int {
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}

// noAddress says what is wrong where neither a word nor an address goes on.
func (p *addressParser) noAddress(c byte, ph *phrase) error {
	switch {
	case c == 0 && len(ph.words) == 0:
		return p.wrong("it is empty")
	case c == 0 || c == ',':
		return p.wrong("the @ and the domain are missing, or a name has a comma and no quotes")
	case c == ':':
		return p.wrong("groups are not taken, and a name with a colon needs quotes")
	case c == ';':
		return p.wrong("addresses are separated by commas")
	}
	return p.wrong(fmt.Sprintf("the character %q needs quotes here", c))
}

// inBrackets reads <address> and goes to what follows it.
func (p *addressParser) inBrackets(ph *phrase) (Address, error) {
	p.pos++
	end := p.until(">")
	if end == len(p.s) {
		return Address{}, p.wrong("the closing > is missing")
	}
	spec, err := splitAddress(strings.Trim(p.s[p.pos:end], " "))
	if err != nil {
		return Address{}, p.because(err)
	}
	p.pos = end + 1
	return p.finish(ph, spec)
}

// bare reads an address without brackets, of which the local part was taken for a name.
func (p *addressParser) bare(ph *phrase) (Address, error) {
	switch {
	case len(ph.words) == 0:
		return Address{}, p.wrong("there is nothing before the @")
	case len(ph.words) > 1 || p.pos != ph.to:
		return Address{}, p.wrong("there is a blank or comment in it, or a name and no < > around the address")
	}
	p.pos = ph.from
	end := p.until(" ,;(<>")
	spec, err := splitAddress(p.s[p.pos:end])
	if err != nil {
		return Address{}, p.because(err)
	}
	p.pos = end
	ph.words = nil
	return p.finish(ph, spec)
}

// because returns an error of an address alone the whole that it was found in.
func (p *addressParser) because(err error) error {
	if why, ok := err.(*specError); ok {
		return p.wrong(why.why)
	}
	return err
}

// finish reads the comments after an address and puts the result together.
func (p *addressParser) finish(ph *phrase, spec addrSpec) (Address, error) {
	if err := p.comments(ph); err != nil {
		return Address{}, err
	}
	a := Address{Name: strings.Join(ph.words, " "), Address: spec.local + "@" + spec.domain}
	if len(ph.words) == 0 {
		a.Name = ph.comment
	}
	if !ph.quoted && strings.Contains(a.Name, "=?") {
		if text, err := new(mime.WordDecoder).DecodeHeader(a.Name); err == nil {
			a.Name = text // given as it stands in a header
		}
	}
	if strings.IndexFunc(a.Name, isBreak) >= 0 || !utf8.ValidString(a.Name) {
		return Address{}, p.wrong("the name has a control character in it")
	}
	if a.Name = collapse(oneLine(a.Name)); len(a.Name) > maxName {
		return Address{}, p.wrong(fmt.Sprintf("the name has %d bytes, and %d is the most", len(a.Name), maxName))
	}
	return a, nil
}
