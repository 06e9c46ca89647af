package rfc822

import (
	"bytes"
	"strings"
)

// What the first bytes of a body say about its declared encoding.

// maxSample is how far into a body the reader looks before it believes the declaration.
const maxSample = 4 << 10

// sniffStep waits for the sample. It consumes nothing.
func (p *Parser) sniffStep(data []byte, eof bool) (more bool) {
	sample := data[:min(len(data), maxSample)]
	if len(sample) < maxSample && !eof && !p.enough(sample) {
		return false
	}
	p.sniffed(sample)
	return true
}

// enough says whether a sample that may grow is decided already.
func (p *Parser) enough(sample []byte) bool {
	if p.wait.encoding == Base64 {
		text := bytes.TrimLeft(sample, " \t\r\n")
		return bytes.ContainsAny(text, "\r\n")
	}
	return false
}

// sniffed opens the entity with the encoding its body has.
func (p *Parser) sniffed(sample []byte) {
	e := p.wait
	p.wait = entity{}
	believed := looksQuoted
	if e.encoding == Base64 {
		believed = looksBase64
	}
	switch container := isMessage(e.media) || strings.HasPrefix(e.media, "multipart/"); {
	case len(trimSpace(sample)) == 0, !container && bytes.HasPrefix(trimSpace(sample), []byte("--")):
		// There is no body: it may be in any encoding.
	case !believed(sample):
		e.encoding = Identity
		p.res.defect(DefectEncodingWrong)
	case container:
		p.res.defect(DefectEncodedContainer)
	}
	p.open(e)
}

// looksBase64 judges by the first line with something in it.
func looksBase64(sample []byte) bool {
	line := bytes.TrimLeft(sample, " \t\r\n")
	if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	line = bytes.TrimRight(line, " \t")
	if pad := bytes.IndexByte(line, '='); pad >= 0 {
		line = line[:pad] // what follows the padding does not count
	}
	if isProse(line) {
		return false
	}
	odd := 0
	for _, c := range line {
		if base64Value[c] == notBase64 {
			odd++
		}
	}
	return odd*10 <= len(line)
}

// isProse says whether a line has words: base64 may be written in groups, but those are of four letters.
func isProse(line []byte) bool {
	words, groups := 0, 0
	for w := range bytes.FieldsSeq(line) {
		if words++; len(w)%4 == 0 {
			groups++
		}
	}
	return words >= 3 && groups < words-1
}

// looksQuoted judges whether a whole message is in quoted-printable: then its header has escapes or soft breaks.
func looksQuoted(sample []byte) bool {
	if end := bytes.Index(sample, []byte("\n--")); end >= 0 {
		sample = sample[:end] // another part may begin there
	}
	for _, sign := range [...]string{"=3D", "=3d", "=\n", "=\r\n", "=20\r", "=20\n"} {
		if bytes.Contains(sample, []byte(sign)) {
			return true
		}
	}
	return false
}
