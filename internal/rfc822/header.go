package rfc822

import "strings"

// Header is one block of fields, in order.
type Header struct {
	block   string // the raw lines
	spans   []span
	charset string // of raw 8-bit text that is not UTF-8
}

// span is where a field lies in the block.
type span struct{ name, nameEnd, value, end int }

// Field is one field. Value is unfolded and decoded; Name is as written.
type Field struct{ Name, Value string }

// newHeader finds names and values of the fields that begin at starts.
func newHeader(block string, starts []int) Header {
	h := Header{block: block, spans: make([]span, 0, len(starts))}
	for i, start := range starts {
		end := len(block)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		colon := strings.IndexByte(block[start:end], ':')
		if colon < 0 {
			continue // cut off by a limit
		}
		colon += start
		nameEnd := start + len(strings.TrimRight(block[start:colon], " \t"))
		h.spans = append(h.spans, span{name: start, nameEnd: nameEnd, value: colon + 1, end: end})
	}
	if i := h.find("content-type"); i >= 0 && !isASCII(block) {
		// QUIRK: programs that write 8-bit headers write them in the character set of the body.
		f := h.spans[i]
		h.charset = legacyCharset(parseParams(block[f.value:f.end]).raw("charset"))
	}
	return h
}

// Fields returns all fields in order.
func (h Header) Fields() []Field {
	out := make([]Field, len(h.spans))
	for i, f := range h.spans {
		out[i] = Field{Name: h.block[f.name:f.nameEnd], Value: h.decode(h.block[f.value:f.end])}
	}
	return out
}

// First is the decoded value of the first field of that name, whatever the case, or "".
func (h Header) First(name string) string {
	if i := h.find(name); i >= 0 {
		return h.decode(h.block[h.spans[i].value:h.spans[i].end])
	}
	return ""
}

// Count says how many fields of that name there are.
func (h Header) Count(name string) int {
	n := 0
	for _, f := range h.spans {
		if f.nameEnd-f.name == len(name) && strings.EqualFold(h.block[f.name:f.nameEnd], name) {
			n++
		}
	}
	return n
}

// Raw is like First, unfolded but not decoded: it may hold any bytes.
func (h Header) Raw(name string) string {
	if i := h.find(name); i >= 0 {
		return trimSpace(unfoldRaw(h.block[h.spans[i].value:h.spans[i].end]))
	}
	return ""
}

// find is the number of the first field of that name, or -1.
func (h Header) find(name string) int {
	for i, f := range h.spans {
		if f.nameEnd-f.name == len(name) && strings.EqualFold(h.block[f.name:f.nameEnd], name) {
			return i
		}
	}
	return -1
}

// decode returns a field's value as a reader sees it.
func (h Header) decode(raw string) string {
	return decodeWords(unfold(raw), h.charset)
}

// contentType reads the Content-Type; def is what a part without one has. ok is false where one is there that
// says nothing.
func (h Header) contentType(def string) (ct params, ok bool) {
	ct, ok = params{value: def}, true
	for _, f := range h.spans {
		if f.nameEnd-f.name != len("content-type") || !equalFold(h.block[f.name:f.nameEnd], "content-type") {
			continue
		}
		got := parseParams(unfoldRaw(h.block[f.value:f.end]))
		got.charset = h.charset
		if got.value, ok = mediaType(got.value, def); ok {
			return got, true
		}
		ct = got
	}
	return ct, ok
}

// mediaType makes a proper type of what stands before the first semicolon. RFC 2045 5.2 recommends the default
// for what is not one.
func mediaType(s, def string) (media string, ok bool) {
	s = strings.Trim(s, "\"'<> \t")
	kind, sub, found := strings.Cut(s, "/")
	kind, sub = trimSpace(kind), trimSpace(sub)
	if found && isTokenWord(kind) && isTokenWord(sub) {
		if len(kind)+1+len(sub) == len(s) {
			return s, true
		}
		return kind + "/" + sub, true
	}
	switch kind { // QUIRK: types of before MIME, and types cut short
	case "text", "plain":
		return "text/plain", false
	case "html":
		return "text/html", false
	case "multipart":
		return "multipart/mixed", false
	}
	return def, false
}

func isTokenWord(s string) bool {
	for i := range len(s) {
		if !isToken(s[i]) {
			return false
		}
	}
	return s != ""
}

// unfold joins the lines of a value: a line end with the blanks after it is one blank.
func unfold(s string) string {
	s = trimSpace(s)
	if isOneLine(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\r' && s[i] != '\n' {
			out = append(out, s[i])
			i++
			continue
		}
		for len(out) > 0 && isBlank(out[len(out)-1]) {
			out = out[:len(out)-1]
		}
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		out = append(out, ' ')
	}
	return string(out)
}

// unfoldRaw removes the line ends of a value and nothing else (RFC 5322 2.2.3).
func unfoldRaw(s string) string {
	s = trimLineEnd(s)
	if isOneLine(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != '\r' && s[i] != '\n' {
			out = append(out, s[i])
		}
	}
	return string(out)
}
