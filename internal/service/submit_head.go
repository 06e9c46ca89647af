package service

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
)

// The header of a message that is handed in by SMTP is read more strictly than that of a message that comes in: what is
// sent in the name of this server must look the same to everybody, above all its From.

// maxHead bounds a header; what we add to it must still fit into what our own reader keeps of one.
const maxHead = 256_000

// head is a header, field by field.
type head []headField

type headField struct {
	name string // lower case
	raw  []byte // all its lines, each with CR LF
}

var errHeadSize = mailbox.Errorf(mailbox.TooLarge, "header_too_large", "The header is too large: at most %d bytes.",
	maxHead)

func errHead(what string) error {
	return mailbox.Errorf(mailbox.Invalid, "invalid_header", "The header is not valid: %s.", what)
}

// readHead reads a header and the empty line after it, and leaves the body unread.
func readHead(r *bufio.Reader) (head, error) {
	var h head
	var line []byte
	for size := 0; ; {
		piece, err := r.ReadSlice('\n')
		if size += len(piece); size > maxHead {
			return nil, errHeadSize
		}
		line = append(line, piece...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) == 0:
			return h, nil
		case err != nil && err != io.EOF:
			return nil, err
		}
		text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(text) == 0 {
			return h, nil
		}
		if h, err = h.add(text); err != nil {
			return nil, err
		}
		line = line[:0]
	}
}

// add puts a line, without its end, after those that are there.
func (h head) add(line []byte) (head, error) {
	switch name := fieldName(line); {
	case bytes.ContainsAny(line, "\r\x00"):
		return nil, errHead("it has a CR or NUL inside a line")
	case line[0] != ' ' && line[0] != '\t' && name != "":
		h = append(h, headField{name: name})
	case line[0] != ' ' && line[0] != '\t', len(h) == 0:
		return nil, errHead("a line of it is no field; an empty line comes before the text")
	}
	last := &h[len(h)-1]
	last.raw = append(append(last.raw, line...), "\r\n"...)
	return h, nil
}

// fieldName is the name that a field begins with, empty if it does not. RFC 5322 4.5 allows blanks before the colon.
func fieldName(line []byte) string {
	name, _, found := strings.Cut(string(line), ":")
	name = strings.TrimRight(name, " \t")
	if !found || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return ""
	}
	return strings.ToLower(name)
}

// value is what stands after the colon, on one line.
func (f headField) value() string {
	_, value, _ := strings.Cut(string(f.raw), ":")
	return strings.TrimSpace(strings.NewReplacer("\r\n", "", "\t", " ").Replace(value))
}

func (h head) has(name string) bool {
	for _, f := range h {
		if f.name == name {
			return true
		}
	}
	return false
}

// authors are the addresses in whose name the message is: those of From, and that of Sender, if there is one. There is
// one From, and nothing in it that one reader could take for another address than the next.
func (h head) authors() ([]string, error) {
	var from, sender []string
	for _, f := range h {
		if f.name != "from" && f.name != "sender" {
			continue
		}
		list, err := compose.ParseAddresses(f.value())
		if err != nil {
			return nil, mailbox.Errorf(mailbox.Forbidden, "foreign_sender", "The field %s cannot be read: %v", f.name,
				err)
		}
		if f.name == "from" && from != nil {
			return nil, mailbox.Errorf(mailbox.Forbidden, "foreign_sender", "The message has more than one field From.")
		}
		for _, a := range list {
			if f.name == "from" {
				from = append(from, a.Address)
			} else {
				sender = append(sender, a.Address)
			}
		}
	}
	if from == nil {
		return nil, mailbox.Errorf(mailbox.Forbidden, "foreign_sender", "The message has no field From.")
	}
	return append(from, sender...), nil
}

// private fields are for the sender alone, or for the last server (RFC 5321 4.4), and are not sent.
var private = map[string]bool{"bcc": true, "resent-bcc": true, "return-path": true}

// bytes is the header as it is sent, with the empty line at its end. First comes what is added; where that has a
// Message-ID, the one that was there is useless.
func (h head) bytes(added []compose.Field) []byte {
	var b bytes.Buffer
	renamed := false
	for _, f := range added {
		renamed = renamed || f.Name == "Message-ID"
		fmt.Fprintf(&b, "%s: %s\r\n", f.Name, f.Value)
	}
	for _, f := range h {
		if !private[f.name] && !(renamed && f.name == "message-id") {
			b.Write(f.raw)
		}
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// additions are the fields that a message needs and does not have, and the trace of how it came (RFC 5321 4.4).
func (s *Service) additions(o *outgoing, env mailbox.Envelope, h head, seen *rfc822.Message) []compose.Field {
	now := s.now().Format(time.RFC1123Z)
	fields := []compose.Field{{Name: "Received", Value: fmt.Sprintf("%s\r\n\tby %s with %s id %s;\r\n\t%s",
		origin(env.Trace), cmp.Or(s.opt.Hostname, s.opt.Domains[0]), env.Proto, o.id, now)}}
	if !h.has("date") {
		fields = append(fields, compose.Field{Name: "Date", Value: now})
	}
	if seen.MessageID == "" {
		fields = append(fields, compose.Field{Name: "Message-ID", Value: "<" + s.newMessageID(o.id, o.from) + ">"})
	}
	return fields
}

// origin says who brought a message. What the client calls itself is shown only if it cannot be taken for anything
// else.
func origin(via mailbox.Trace) string {
	name := via.Helo
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]"
	if name == "" || strings.Trim(name, plain) != "" {
		name = "unknown"
	}
	addr, err := netip.ParseAddr(via.Remote)
	switch {
	case err != nil:
		return "from " + name
	case addr.Is6():
		return fmt.Sprintf("from %s ([IPv6:%s])", name, addr)
	}
	return fmt.Sprintf("from %s ([%s])", name, addr)
}

// lineEnds makes CR LF of every CR or LF alone (RFC 5321 2.3.8): a server that took it for the end of a line would see
// other lines than we do, and a signature over it would not hold.
type lineEnds struct {
	r   io.Reader
	in  [16 << 10]byte
	out bytes.Buffer
	cr  bool // the last byte was a CR, which is not in out yet
	err error
}

func (l *lineEnds) Read(p []byte) (int, error) {
	for l.out.Len() == 0 && l.err == nil {
		n, err := l.r.Read(l.in[:])
		l.mend(l.in[:n])
		l.err = err
		if err == io.EOF && l.cr {
			l.out.WriteString("\r\n")
		}
	}
	if l.out.Len() == 0 {
		return 0, l.err
	}
	return l.out.Read(p)
}

func (l *lineEnds) mend(b []byte) {
	for len(b) > 0 {
		if l.cr {
			l.cr = false
			l.out.WriteString("\r\n")
			if b[0] == '\n' {
				b = b[1:]
			}
			continue
		}
		i := bytes.IndexAny(b, "\r\n")
		if i < 0 {
			l.out.Write(b)
			return
		}
		l.out.Write(b[:i])
		if l.cr = b[i] == '\r'; !l.cr {
			l.out.WriteString("\r\n")
		}
		b = b[i+1:]
	}
}
