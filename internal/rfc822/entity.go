package rfc822

import "strings"

// entity is what a header says about the body that follows it.
type entity struct {
	media       string // lower-case type/subtype
	charset     string
	boundary    string
	disposition string // as declared, lower-case
	filename    string
	contentID   string
	encoding    Encoding
	flowed      bool // RFC 3676
	delSp       bool
	body        bool // text of the message rather than an attachment
	salvage     bool // a preamble that is read in case it is all there is
	path        string
}

// endHead ends a header block and opens what it describes. why is what was wrong with its end, if anything.
func (p *Parser) endHead(why Defect) {
	h := p.header()
	isRoot := p.root && len(p.stack) == 0
	if why != "" && (why != DefectHeaderMissing || isRoot || len(h.spans) > 0) {
		p.res.defect(why)
	}
	if isRoot {
		p.res.msg.Header = h
		if p.res.lim.Digest {
			p.startDigest(h)
		}
	}
	p.nameMessage(h)
	if !p.res.admit() {
		p.mode = modeSkip
		return
	}
	e := p.describe(h)
	p.prev = '\n'
	if e.encoding == Identity || !e.sniffs() {
		p.open(e)
		return
	}
	p.wait, p.mode = e, modeSniff
}

// header is the block that was collected.
func (p *Parser) header() Header {
	if p.head.over {
		p.res.defect(DefectHeaderSize)
	}
	if p.head.overCount {
		p.res.defect(DefectHeaderFields)
	}
	return newHeader(string(p.head.buf), p.head.starts)
}

// sniffs says whether the declared encoding is doubted: base64 is often declared for what is not, and what
// contains other parts should have none at all (RFC 2045 6.4).
func (e entity) sniffs() bool {
	return e.encoding == Base64 || e.encoding == QuotedPrintable && isMessage(e.media)
}

// describe reads the fields that matter for the body.
func (p *Parser) describe(h Header) entity {
	def := "text/plain"
	if n := len(p.stack); n > 0 && p.stack[n-1].media == "multipart/digest" {
		def = "message/rfc822" // RFC 2046 5.1.5
	}
	ct, typed := h.contentType(def)
	if !typed {
		p.res.defect(DefectContentType)
	}
	e := entity{
		media:     ct.value,
		charset:   strings.ToLower(trimSpace(ct.param("charset"))),
		boundary:  ct.param("boundary"),
		contentID: cleanID(h.First("Content-ID")),
		flowed:    ct.value == "text/plain" && strings.EqualFold(ct.param("format"), "flowed"),
		delSp:     strings.EqualFold(ct.param("delsp"), "yes"),
	}
	var ok bool
	e.encoding, ok = transferEncoding(h.Raw("Content-Transfer-Encoding"))
	if !ok {
		p.res.defect(DefectEncodingUnknown)
	}
	var cd params
	if raw := h.Raw("Content-Disposition"); raw != "" {
		cd = parseParams(raw)
		cd.charset = h.charset
	}
	e.disposition = cd.value
	e.filename = filename(cd, ct)
	if !typed && e.media == def && (e.filename != "" || e.disposition == "attachment") {
		e.media = typeByName(e.filename)
	}
	e.body = p.isBody(e)
	return e
}

// filename is the name a part was sent with, made safe.
//
// QUIRK: each of the two fields is also found with the parameter of the other.
func filename(disposition, contentType params) string {
	for _, name := range [...]string{disposition.param("filename"), disposition.param("name"),
		contentType.param("name"), contentType.param("filename")} {
		if name != "" {
			return SafeFilename(name)
		}
	}
	return ""
}

// isBody says whether a part is what the sender wrote rather than something attached to it, by the rule that
// RFC 8621 4.1.4 gives: a named text, or one next to the first in multipart/related, is an attachment.
func (p *Parser) isBody(e entity) bool {
	if e.disposition == "attachment" || e.media != "text/plain" && e.media != "text/html" {
		return false
	}
	n := len(p.stack)
	if n == 0 || p.stack[n-1].message != nil || p.stack[n-1].kids == 1 {
		return true
	}
	return p.stack[n-1].media != "multipart/related" && e.filename == ""
}

// isMessage says whether a type is a whole message with a header of its own.
func isMessage(media string) bool {
	return media == "message/rfc822" || media == "message/global" || media == "message/news"
}

// transferEncoding reads a Content-Transfer-Encoding. What is not known is taken as it is.
func transferEncoding(raw string) (e Encoding, ok bool) {
	if raw == "" {
		return Identity, true
	}
	word := strings.ToLower(strings.Trim(stripComments(raw), " \t\r\n\"';"))
	word = strings.Join(strings.Fields(word), "-")
	switch word {
	case "base64", "base-64", "x-base64", "b", "b64":
		return Base64, true
	case "quoted-printable", "quoted_printable", "quotedprintable", "qp", "q", "quoted-printible":
		return QuotedPrintable, true
	case "x-uuencode", "uuencode", "x-uue", "uue", "x-uu":
		return UUEncode, true
	case "", "7bit", "8bit", "binary", "7-bit", "8-bit", "none", "utf-8", "us-ascii":
		return Identity, true
	}
	if strings.HasPrefix(word, "7bit") || strings.HasPrefix(word, "8bit") {
		return Identity, true
	}
	return Identity, false
}

// maxMessages bounds how deep messages nest: each is hashed on its own.
const maxMessages = 20

// open starts the body an entity describes.
func (p *Parser) open(e entity) {
	deep := p.base+len(p.stack) >= p.res.lim.Depth
	switch {
	case strings.HasPrefix(e.media, "multipart/"):
		if deep {
			break
		}
		if e.encoding == Base64 { // anything else has its boundaries in the clear
			p.openContainer(e)
		} else {
			p.openMultipart(e)
		}
		return
	case isMessage(e.media):
		if deep = deep || p.res.messages >= maxMessages; deep {
			break
		}
		if e.encoding == Identity {
			p.openMessage(e)
		} else {
			p.openContainer(e)
		}
		return
	default:
		deep = false
	}
	if deep {
		p.res.defect(DefectTooDeep)
	}
	e.path = p.childPath(false)
	p.mode = modeBody
	p.openLeaf(e)
}
