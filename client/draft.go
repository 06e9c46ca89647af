package client

import (
	"bytes"
	"encoding/base64"
	"io"
	"time"

	"github.com/mailkin/mailkin/api"
)

// Draft is a message to be sent.
type Draft struct {
	From    string            // the mailbox or an alias of it, perhaps with a name; empty: the mailbox
	To      []string          // each a@b or Name <a@b>; Reply finds them by itself
	Cc      []string          //
	Bcc     []string          //
	ReplyTo []string          //
	Subject string            // Reply and Forward make one
	Text    string            // this, or HTML, or both
	HTML    string            //
	Headers map[string]string // Reply-To, In-Reply-To, References, List-Unsubscribe, List-Unsubscribe-Post, X-…
	Files   []File            // to attach
	SendAt  time.Time         // up to 30 days ahead; zero: now
	Tags    []string          // words that are kept with the message

	// Unsubscribe adds a link with which the recipient, who is the only one, gets no more mail of the mailbox; of Send
	// alone.
	Unsubscribe bool

	InReplyTo string // a Message-ID, or the id of a message of the mailbox, whose thread this continues; of Send alone
	All       bool   // answer everybody on the message; of Reply alone
	Force     bool   // answer also a message that a program sent; of Reply alone

	// IdempotencyKey names this message, with 1 to 255 characters, so that it is sent once even if a program asks again
	// after it was restarted. Within one call the client sees to that itself, with a random key.
	IdempotencyKey string
}

// File is something to attach. Its content is read while it is sent, from where the reader is; a reader that can seek,
// such as an open file, is read again if the connection breaks. Nothing is read after the call has returned, except by
// a Read that was under way when its context ended.
type File struct {
	Name      string
	Type      string // such as application/pdf; empty: as the name suggests
	ContentID string // by which the HTML shows it
	Content   io.Reader
}

// payload is the draft as the body of a request, answering or sending on another message or none.
func (d Draft) payload(emailID string, dryRun bool) payload {
	head := d.head(emailID)
	head.DryRun = dryRun
	return withFiles(newObject(head), d.Files)
}

// head is the draft without its files.
func (d Draft) head(emailID string) api.Draft {
	return api.Draft{
		EmailID: emailID, From: d.From, To: d.To, Cc: d.Cc, Bcc: d.Bcc, ReplyTo: d.ReplyTo, Subject: d.Subject,
		Text: d.Text, HTML: d.HTML, Headers: d.Headers, SendAt: api.Time{Time: d.SendAt}, Tags: d.Tags,
		InReplyTo: d.InReplyTo, Unsubscribe: d.Unsubscribe,
		All: d.All, Force: d.Force,
	}
}

// withFiles is a body with files behind its other members.
func withFiles(head object, files []File) payload {
	if len(files) == 0 {
		return head
	}
	s := &stream{media: head.mediaType()}
	for _, f := range files {
		if f.Content == nil {
			f.Content = bytes.NewReader(nil)
		}
		s.sources = append(s.sources, newSource(f.Content))
	}
	s.build = func() io.Reader { return draftReader(head, files, s.sources) }
	return s
}

// draftReader writes the files of a draft after its other members.
func draftReader(head object, files []File, contents []*source) io.Reader {
	text := func(b ...[]byte) io.Reader { return bytes.NewReader(bytes.Join(b, nil)) }
	opening, comma := head[:len(head)-1], []byte(",")
	if len(opening) == 1 {
		comma = nil // there are no others
	}
	parts := []io.Reader{text(opening, comma, []byte(`"attachments":[`))}
	for i, f := range files {
		if i > 0 {
			parts = append(parts, text([]byte(",")))
		}
		parts = append(parts, fileReader(f, contents[i]))
	}
	return io.MultiReader(append(parts, text([]byte("]}")))...)
}

// fileReader writes one file, with its content.
func fileReader(f File, content *source) io.Reader {
	about := newObject(api.DraftFile{Name: f.Name, Type: f.Type, ContentID: f.ContentID})
	return io.MultiReader(bytes.NewReader(append(about[:len(about)-1], `,"content":"`...)), &base64Reader{from: content},
		bytes.NewReader([]byte(`"}`)))
}

// filePiece is how much of a file is encoded at a time: a multiple of 3, so that no padding comes before its end.
const filePiece = 24 << 10

// base64Reader encodes what it reads, a piece at a time.
type base64Reader struct {
	from io.Reader
	raw  []byte
	out  []byte // encoded and not yet given
	buf  []byte
	err  error // after out
}

func (b *base64Reader) Read(p []byte) (int, error) {
	for len(b.out) == 0 {
		if b.err != nil {
			b.raw, b.buf = nil, nil
			return 0, b.err
		}
		b.fill()
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

func (b *base64Reader) fill() {
	if b.raw == nil {
		b.raw, b.buf = make([]byte, filePiece), make([]byte, base64.StdEncoding.EncodedLen(filePiece))
	}
	n, err := io.ReadFull(b.from, b.raw)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	if b.err = err; err != nil && err != io.EOF {
		return // half a piece cannot be encoded, and is of no use
	}
	base64.StdEncoding.Encode(b.buf, b.raw[:n])
	b.out = b.buf[:base64.StdEncoding.EncodedLen(n)]
}
