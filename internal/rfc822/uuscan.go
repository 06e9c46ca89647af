package rfc822

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"strings"
)

// uuScanner finds uuencoded files in a text, makes parts of them and passes on the text without them.
//
// QUIRK: this is how attachments were sent before MIME, and how some programs on old systems still send them.
type uuScanner struct {
	leaf  *leaf
	pos   int64 // offset of the next byte in the decoded text
	prev  byte  // the byte before it, 0 at the start
	state uuState
	held  []byte // from the begin line to before the line at hand, until the block is certain
	line  []byte // the line at hand

	part  int
	start int64
	dec   uuDecoder
	hash  hash.Hash
	size  int64
	out   []byte

	encoded []int // parts inside encoded text
}

type uuState uint8

const (
	uuText  uuState = iota
	uuMaybe         // in a line that may be "begin …"
	uuFirst         // in the line after it
	uuInside
)

const uuMark = "begin "

func (u *uuScanner) write(b []byte) {
	for len(b) > 0 {
		if u.state == uuText {
			b = u.skipText(b)
			continue
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			end = len(b) - 1
		}
		u.line = append(u.line, b[:end+1]...)
		b = b[end+1:]
		if u.line[len(u.line)-1] == '\n' || len(u.line) > maxPeek {
			u.takeLine()
		}
	}
}

// skipText passes text on up to a line that may begin a file.
func (u *uuScanner) skipText(b []byte) (rest []byte) {
	i := 0 // where a line begins
	if u.prev != '\n' && u.pos > 0 {
		i = bytes.IndexByte(b, '\n') + 1
		if i == 0 {
			i = len(b)
		}
	}
	for i < len(b) {
		if b[i] == uuMark[0] && couldBegin(b[i:]) {
			u.text(b[:i])
			u.state = uuMaybe
			return b[i:]
		}
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	u.text(b)
	return nil
}

func couldBegin(b []byte) bool {
	n := min(len(b), len(uuMark))
	return string(b[:n]) == uuMark[:n]
}

// text passes on bytes that are text.
func (u *uuScanner) text(b []byte) {
	if len(b) == 0 {
		return
	}
	u.pos += int64(len(b))
	u.prev = b[len(b)-1]
	u.leaf.text.write(b)
}

// takeLine decides on a complete line.
func (u *uuScanner) takeLine() {
	line := bytes.TrimRight(u.line, "\r\n")
	_, begins := uuBegin(line)
	switch u.state {
	case uuMaybe:
		if begins {
			u.held = append(u.held, u.line...)
			u.line, u.state = u.line[:0], uuFirst
			return
		}
	case uuFirst:
		if isFirstUULine(line) && u.leaf.res.admit() {
			u.open()
			u.feed(u.line)
			u.line = u.line[:0]
			return
		}
	case uuInside:
		if isUUEnd(line) || isUULine(line) {
			u.feed(u.line)
			u.line = u.line[:0]
			if isUUEnd(line) {
				u.close()
			}
			return
		}
		u.leaf.res.defect(DefectUUEncode)
		u.close()
	}
	u.release()
}

// isFirstUULine is stricter than isUULine: it decides whether there is a file at all.
func isFirstUULine(line []byte) bool {
	if isUUEnd(line) {
		return true
	}
	if len(line) == 0 || !isUULine(line) {
		return false
	}
	size, letters := uuLength(line[0])
	return len(line) >= letters-1 || size == 0
}

// release gives back what was no file after all. The line at hand is looked at again if it may begin one.
func (u *uuScanner) release() {
	held, line := u.held, u.line
	u.held, u.line = nil, nil
	again := u.state != uuMaybe
	u.state = uuText
	u.text(held)
	if again {
		u.write(line)
	} else {
		u.text(line)
	}
}

// open begins a part with what is held.
func (u *uuScanner) open() {
	l := u.leaf
	name, _ := uuBegin(bytes.TrimRight(u.held, "\r\n"))
	name = SafeFilename(decodeWords(name, l.charset))
	u.start, u.state = u.pos, uuInside
	u.part = l.res.addPart(Part{
		Path: l.path, ContentType: typeByName(name), Filename: name, Disposition: "attachment", Encoding: UUEncode,
	})
	u.dec, u.hash, u.size = uuDecoder{}, sha256.New(), 0
	u.feed(u.held)
	u.held = u.held[:0]
}

// feed decodes raw lines of the file.
func (u *uuScanner) feed(b []byte) {
	u.pos += int64(len(b))
	u.prev = b[len(b)-1]
	u.took(u.dec.decode(u.out[:0], b))
}

func (u *uuScanner) took(out []byte) {
	u.out = out
	u.size += int64(len(out))
	u.hash.Write(out)
}

// close ends the part.
func (u *uuScanner) close() {
	u.took(u.dec.flush(u.out[:0]))
	u.state = uuText
	l := u.leaf
	part := &l.res.msg.Parts[u.part]
	part.Size = u.size
	u.hash.Sum(part.SHA256[:0])
	part.Offset, part.Length = l.offset+u.start, u.pos-u.start
	if l.encoding != Identity {
		part.Inner = &Window{Offset: u.start, Length: u.pos - u.start, Encoding: UUEncode}
		part.Offset, part.Length, part.Encoding = l.offset, 0, l.encoding
		u.encoded = append(u.encoded, u.part)
	}
}

// finish ends the text.
func (u *uuScanner) finish() {
	for len(u.line) > 0 {
		u.takeLine()
	}
	if u.state == uuInside {
		u.leaf.res.defect(DefectUUEncode)
		u.close()
	}
	u.release()
	for _, n := range u.encoded { // their range is the whole encoded text, which ends only now
		u.leaf.res.msg.Parts[n].Length = u.leaf.raw
	}
}

// typeByName guesses the type of a file that came without one.
func typeByName(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if t := typesByExtension[strings.ToLower(name[dot+1:])]; t != "" && dot >= 0 {
		return t
	}
	return "application/octet-stream"
}

var typesByExtension = map[string]string{
	"txt": "text/plain", "htm": "text/html", "html": "text/html", "csv": "text/csv", "ics": "text/calendar",
	"jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "png": "image/png", "pdf": "application/pdf",
	"zip": "application/zip", "doc": "application/msword", "xls": "application/vnd.ms-excel", "eml": "message/rfc822",
}
