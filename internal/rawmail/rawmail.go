// Package rawmail is the form in which a store keeps a message: its raw bytes, and what cannot be read from them.
package rawmail

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/rfc822/report"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/view"
)

// Of a small message a row holds the raw bytes and what cannot be read from them: how it came, and where its parts are,
// so that the number of an attachment never changes. The rest of its detail is parsed again when it is read. Of a large
// message the row holds the whole detail, and a blob the raw bytes.
//
// The packed form, before compression, is the raw bytes, then the other half as JSON, then that half's length in 4
// bytes: so the half is put after the message where it lies, and nothing is copied.

// kernel is what is kept of a small message's detail.
type kernel struct {
	Parts    []mailbox.Part
	Envelope mailbox.Trace
	Compared int
}

// sentKernel is the same of a message that was sent, with what its bytes do not say.
type sentKernel struct {
	kernel
	Bcc  []mailbox.Address
	Tags []string
}

// Kernel is what is stored with the raw bytes of a small message, or of one that was sent (out).
func Kernel(d mailbox.Detail, out bool) any {
	k := kernel{Parts: d.Parts, Envelope: d.Envelope, Compared: d.Compared}
	if !out {
		return k
	}
	return sentKernel{kernel: k, Bcc: d.Bcc, Tags: d.Tags}
}

// maxPacked bounds what one row may unpack to: a detail of several megabytes of text, and a small message.
const maxPacked = 64 << 20

// Raw returns the raw bytes of a packed message.
func Raw(c store.Content) ([]byte, error) {
	raw, _, err := halves(c)
	return raw, err
}

// halves returns the raw bytes of a packed message, and the other half.
func halves(c store.Content) (raw, half []byte, err error) {
	return halvesIn(new([]byte), c)
}

// halvesIn is halves in the room that it is given, which becomes larger where that is not enough.
func halvesIn(room *[]byte, c store.Content) (raw, half []byte, err error) {
	whole, err := blob.Decompress((*room)[:0], c.Packed, maxPacked)
	if err != nil {
		return nil, nil, fmt.Errorf("unpack message: %w", err)
	}
	*room = whole
	end := len(whole) - 4
	if end < 0 {
		return nil, nil, errors.New("unpack message: no length")
	}
	length := int(binary.BigEndian.Uint32(whole[end:]))
	if length > end {
		return nil, nil, errors.New("unpack message: wrong length")
	}
	return whole[: end-length : end-length], whole[end-length : end], nil
}

// Unpack returns the detail and, where they are in the row, the raw bytes.
func Unpack(c store.Content) (d mailbox.Detail, raw []byte, err error) {
	raw, half, err := halves(c)
	if err != nil {
		return d, nil, err
	}
	if c.Blob != "" {
		err := json.Unmarshal(half, &d)
		reread(&d)
		Settle(&d)
		return d, nil, err
	}
	var k sentKernel
	if err := json.Unmarshal(half, &k); err != nil {
		return d, nil, err
	}
	parsed := rfc822.Parse(raw, rfc822.DefaultLimits())
	d = Detail(parsed)
	d.Report = Report(report.Read(parsed, bytes.NewReader(raw)))
	weigh(k.Parts, d.Parts)
	d.Parts, d.Envelope, d.Tags = k.Parts, k.Envelope, k.Tags
	if k.Bcc != nil {
		d.Bcc = k.Bcc
	}
	d.Compared = k.Compared
	Settle(&d)
	return d, raw, nil
}

// reread makes the text of a large message that was made from HTML, and stored so, with the reading of this version.
// Where the text is not of the HTML alone it stays as it is.
func reread(d *mailbox.Detail) {
	if !d.TextFromHTML || d.HTML == "" {
		return
	}
	v := view.ReadString(d.HTML)
	d.SetView(func() any { return v })
	if all := v.Letters(); !strings.Contains(all, view.Letters(edge(d.Text))) {
		return
	}
	setText(d, v.Text())
}

// setText sets a text that was made from HTML, as much of it as is given out.
func setText(d *mailbox.Detail, text string) {
	d.Text, d.TextFromHTML = text, true
	if most := int(rfc822.DefaultLimits().Text); len(text) > most {
		d.Text, d.TextTruncated = strings.ToValidUTF8(text[:most], ""), true
	}
}

// edge is the beginning of a text.
func edge(text string) string {
	const enough = 60
	return strings.ToValidUTF8(text[:min(len(text), enough)], "")
}

// weigh sets, on parts that were not decoded on their way in, the size and digest that reading them again found.
func weigh(parts, read []mailbox.Part) {
	for i := range parts {
		p := &parts[i]
		if p.SHA256 != ([32]byte{}) {
			continue
		}
		for _, r := range read {
			if r.Offset == p.Offset && r.Length == p.Length && r.Encoding == p.Encoding && same(r.Inner, p.Inner) {
				p.Size, p.SHA256 = r.Size, r.SHA256
			}
		}
	}
}

func same(a, b *mailbox.Window) bool { return a == b || a != nil && b != nil && *a == *b }

// Trace returns no more of a message than how it came.
func Trace(c store.Content) (mailbox.Trace, error) {
	_, half, err := halves(c)
	if err != nil {
		return mailbox.Trace{}, err
	}
	var k struct{ Envelope mailbox.Trace }
	err = json.Unmarshal(half, &k)
	return k.Envelope, err
}

// Skim returns what of a message is searched, without decoding what is not.
func Skim(c store.Content) (d mailbox.Detail, err error) {
	if c.Blob != "" {
		d, _, err = Unpack(c)
		return d, err
	}
	raw, half, err := halves(c)
	if err != nil {
		return d, err
	}
	var k sentKernel
	if err := json.Unmarshal(half, &k); err != nil {
		return d, err
	}
	d = searched(skim(raw), k)
	if k.Bcc != nil {
		d.Bcc = k.Bcc
	}
	return d, nil
}

// searched is what of a small message is searched.
func searched(p *rfc822.Message, k sentKernel) mailbox.Detail {
	d := mailbox.Detail{Subject: p.Subject, Text: p.Text, HTML: p.HTML, TextFromHTML: p.TextFromHTML,
		Alternative: p.Alternative, Compared: k.Compared,
		To: addresses(p.To), Cc: addresses(p.Cc), Bcc: addresses(p.Bcc), Parts: k.Parts}
	d.SetView(func() any { return p.View() })
	if len(p.From) > 0 {
		d.Author = mailbox.Address(p.From[0])
	}
	Settle(&d)
	return d
}

// skim parses a message without decoding what is attached.
func skim(raw []byte) *rfc822.Message {
	limits := rfc822.DefaultLimits()
	limits.Skim = true
	return rfc822.Parse(raw, limits)
}

// Text returns no more of a message than its text. It unpacks it in the room that it is given.
func Text(room *[]byte, c store.Content) (string, error) {
	if c.Blob != "" {
		d, _, err := Unpack(c)
		return d.Text, err
	}
	raw, half, err := halvesIn(room, c)
	if err != nil {
		return "", err
	}
	p := skim(raw)
	if !p.Alternative { // what the other half says of two versions of the text is not needed
		return p.Text, nil
	}
	var k sentKernel
	if err := json.Unmarshal(half, &k); err != nil {
		return "", err
	}
	return searched(p, k).Text, nil
}

// Report returns a report as a noun; nil where there is none.
func Report(r report.Report) *mailbox.Report {
	if r.Class == report.None {
		return nil
	}
	out := &mailbox.Report{Class: string(r.Class), MessageID: r.MessageID, Feedback: r.Feedback}
	for _, to := range r.Recipients {
		out.Recipients = append(out.Recipients, mailbox.ReportedRecipient(to))
	}
	return out
}
