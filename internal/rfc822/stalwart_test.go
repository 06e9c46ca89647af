package rfc822

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/corpustest"
	"github.com/mailkin/mailkin/internal/view"
)

// The expectations of stalwart-mail-parser: for each message the tree it has read, as JSON.

type stalwartMessage struct {
	HTMLBody    []int          `json:"html_body"`
	TextBody    []int          `json:"text_body"`
	Attachments []int          `json:"attachments"`
	Parts       []stalwartPart `json:"parts"`
}

type stalwartPart struct {
	Headers []stalwartField `json:"headers"`
	Body    struct {
		Text, HTML   *string
		Binary       []int // as numbers
		InlineBinary []int
		Message      *stalwartMessage
		Multipart    []int
	} `json:"body"`
	Problem    bool `json:"is_encoding_problem"`
	OffsetBody int  `json:"offset_body"`
	OffsetEnd  int  `json:"offset_end"`
}

type stalwartField struct {
	Name  any             `json:"name"`
	Value json.RawMessage `json:"value"`
}

func TestStalwart(t *testing.T) {
	set := filepath.Join(corpustest.Dir(t), "mime", "stalwart-mail-parser")
	s := newScore(t)
	messages := expected(t, set)
	names := make([]string, 0, len(messages))
	for name := range messages {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		raw := readFile(t, filepath.Join(set, "files", name))
		for _, want := range messages[name] {
			var m stalwartMessage
			if err := json.Unmarshal(readFile(t, filepath.Join(set, "files", want)), &m); err != nil {
				t.Fatal(err)
			}
			s.file = want
			in := raw
			if strings.HasSuffix(want, ".crlf.json") { // the same message with other line ends
				in = bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("\r"), nil), []byte("\n"), []byte("\r\n"))
			} else if m.Parts[0].OffsetEnd < len(raw) {
				in = bytes.ReplaceAll(raw, []byte("\r"), nil)
			}
			m.compare(t, s, in)
		}
	}
	s.report(98)
}

// compare holds the parse of raw against the expectation.
func (m *stalwartMessage) compare(t *testing.T, s *score, raw []byte) {
	if end := m.Parts[0].OffsetEnd; end != len(raw) {
		t.Fatalf("%s was made from %d bytes, not %d", s.file, end, len(raw))
	}
	got := Parse(raw, Limits{})
	root := m.Parts[0]
	s.compare("subject", words(root.text("subject")), words(got.Subject))
	s.compare("from", root.addresses("from"), addressLines(got.From))
	for name, list := range map[string][]Address{"to": got.To, "cc": got.Cc, "reply_to": got.ReplyTo} {
		if root.field(name) != nil || len(list) > 0 {
			s.compare(name, root.addresses(name), addressLines(list))
		}
	}
	if root.field("message_id") != nil {
		s.compare("message-id", root.text("message_id"), got.MessageID)
	}
	if root.field("date") != nil {
		s.compare("date", root.date("date"), got.Date.UTC().Format(time.RFC3339))
	}
	var texts, htmls []string
	m.bodies(&texts, &htmls, true)
	for _, p := range m.Parts {
		if p.Problem && p.filename() == "" && p.Body.Text != nil && strings.HasSuffix(words(got.Text),
			words(*p.Body.Text)) {
			texts = append(texts, *p.Body.Text) // see compareAttachments
		}
	}
	s.compare("text", words(strings.Join(texts, "\n")), words(got.Text))
	s.compare("html", words(strings.Join(htmls, "\n")), words(got.HTML))
	m.compareAttachments(t, s, raw, got)
}

// bodies lists the texts that a reader sees, those of nested messages in their place: the expectation keeps
// them apart, the parser joins them.
func (m *stalwartMessage) bodies(texts, htmls *[]string, top bool) {
	in := func(list []int, i int) bool {
		for _, n := range list {
			if n == i {
				return true
			}
		}
		return false
	}
	for i, p := range m.Parts {
		if in(m.TextBody, i) {
			switch {
			case p.Body.Text != nil:
				*texts = append(*texts, strings.ReplaceAll(*p.Body.Text, "\x00", ""))
			case p.Body.HTML != nil:
				*texts = append(*texts, view.ReadString(*p.Body.HTML).Text())
			}
		}
		if in(m.HTMLBody, i) && p.Body.HTML != nil && top {
			*htmls = append(*htmls, *p.Body.HTML)
		}
		if p.Body.Message != nil {
			p.Body.Message.bodies(texts, htmls, top && len(m.TextBody) == 0 && len(*htmls) == 0)
		}
	}
}

// compareAttachments compares what is attached, in order: names and bytes.
func (m *stalwartMessage) compareAttachments(t *testing.T, s *score, raw []byte, got *Message) {
	var all []stalwartPart
	m.attached(&all)
	var names, contents, gotNames, gotContents []string
	for _, w := range all {
		if w.Problem && w.filename() == "" && w.Body.Text != nil && strings.Contains(got.Text, words(*w.Body.Text)) {
			continue // what could not be decoded counts as attached there, and is part of the text here
		}
		names, contents = append(names, SafeFilename(w.filename())), append(contents, w.content(raw))
	}
	for i, p := range got.Parts {
		name := p.Filename
		if i < len(names) && names[i] == "" && isMessage(p.ContentType) {
			name = "" // unnamed messages get a name here
		}
		b := content(t, raw, p)
		if strings.HasPrefix(p.ContentType, "text/") || i < len(all) && all[i].Body.Text != nil {
			text, _ := decodeText(bytes.Clone(b), p.Charset, false, false)
			b = []byte(words(text))
		}
		gotNames, gotContents = append(gotNames, name), append(gotContents, string(b))
	}
	s.compare("names", names, gotNames)
	s.compare("contents", contents, gotContents)
}

// content is what an attachment holds: the bytes, or of a text its words.
func (p stalwartPart) content(raw []byte) string {
	switch {
	case p.Body.Text != nil:
		return words(*p.Body.Text)
	case p.Body.HTML != nil:
		return words(*p.Body.HTML)
	case p.Body.Message != nil:
		b := string(raw[p.OffsetBody:p.OffsetEnd])
		if strings.EqualFold(p.text("content_transfer_encoding"), "base64") {
			plain, _ := base64.StdEncoding.DecodeString(b)
			return string(plain)
		}
		return b
	}
	var b []byte
	for _, n := range append(p.Body.Binary, p.Body.InlineBinary...) {
		b = append(b, byte(n))
	}
	return string(b)
}

// attached lists the attachments with those of nested messages, in order of appearance.
func (m *stalwartMessage) attached(out *[]stalwartPart) {
	for i, p := range m.Parts {
		for _, n := range m.Attachments {
			if n == i {
				*out = append(*out, p)
			}
		}
		if p.Body.Message != nil {
			p.Body.Message.attached(out)
		}
	}
}

// field is the first field of that name.
func (p stalwartPart) field(name string) json.RawMessage {
	for _, f := range p.Headers {
		if s, ok := f.Name.(string); ok && s == name {
			return f.Value
		}
	}
	return nil
}

func (p stalwartPart) text(name string) string {
	var v struct{ Text string }
	_ = json.Unmarshal(p.field(name), &v)
	return v.Text
}

func (p stalwartPart) date(name string) string {
	var v struct{ DateTime stalwartDate }
	_ = json.Unmarshal(p.field(name), &v)
	return v.DateTime.String()
}

type stalwartDate struct {
	Year, Month, Day, Hour, Minute, Second int
	Before                                 bool `json:"tz_before_gmt"`
	TZHour                                 int  `json:"tz_hour"`
	TZMinute                               int  `json:"tz_minute"`
}

func (d stalwartDate) String() string {
	if d.Year == 0 { // there is a field, but no date in it
		return time.Time{}.Format(time.RFC3339)
	}
	offset := d.TZHour*3600 + d.TZMinute*60
	if d.Before {
		offset = -offset
	}
	loc := time.FixedZone("", offset)
	return time.Date(d.Year, time.Month(d.Month), d.Day, d.Hour, d.Minute, d.Second, 0, loc).UTC().Format(time.RFC3339)
}

type stalwartAddress struct{ Name, Address *string }

type stalwartAddresses struct {
	List  []stalwartAddress
	Group []struct{ Addresses []stalwartAddress }
}

func (a stalwartAddresses) lines() []string {
	list := a.List
	for _, g := range a.Group {
		list = append(list, g.Addresses...)
	}
	var out []string
	for _, x := range list {
		var name, addr string
		if x.Name != nil {
			name = *x.Name
		}
		if x.Address != nil {
			addr = *x.Address
		}
		out = append(out, addressLine(name, addr))
	}
	return out
}

// addressLine writes an address so that one without @ looks the same whether it was taken as a name or as the
// address of a local user.
func addressLine(name, addr string) string {
	if !strings.Contains(addr, "@") {
		name, addr = name+addr, ""
	}
	return words(name) + " <" + addr + ">"
}

func (p stalwartPart) addresses(name string) []string {
	var v struct{ Address stalwartAddresses }
	_ = json.Unmarshal(p.field(name), &v)
	return v.Address.lines()
}

func addressLines(list []Address) []string {
	var out []string
	for _, a := range list {
		out = append(out, addressLine(a.Name, a.Address))
	}
	return out
}

// filename is what the expectation has as a part's name.
func (p stalwartPart) filename() string {
	for _, f := range [...][2]string{{"content_disposition", "filename"}, {"content_type", "name"}} {
		var v struct {
			ContentType struct {
				Attributes []struct{ Name, Value string }
			}
		}
		_ = json.Unmarshal(p.field(f[0]), &v)
		for _, a := range v.ContentType.Attributes {
			if a.Name == f[1] {
				return a.Value
			}
		}
	}
	return ""
}
