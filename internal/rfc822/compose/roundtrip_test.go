package compose

import (
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"mime"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// allowed puts something plain in the place of what is refused.
func allowed(m *Mail) {
	for _, list := range [][]Address{m.To, m.Cc, m.ReplyTo} {
		for i, a := range list {
			if _, err := splitAddress(a.Address); err != nil {
				list[i].Address = "plain@example.com"
			}
		}
	}
	for i, f := range m.Fields {
		if checkAdded(f) != nil {
			m.Fields[i] = Field{"X-Plain", "plain"}
		}
	}
	for i, a := range m.Attachments {
		if a.check() != nil {
			m.Attachments[i].ContentID = ""
		}
	}
}

// checkRoundTrip composes and reads again.
func checkRoundTrip(t *testing.T, m Mail) {
	t.Helper()
	raw := compose(t, m)
	checkOurs(t, m, raw)
	checkStandard(t, m, raw)
}

// Mail made of what has gone wrong elsewhere, in all mixtures.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "word ", " ", "  ", "ä", "😀", "👩‍👧", "\r\n", "\n", "\r", "\x00", "\t", "\x1b", "\x7f",
		"\xff", "\u0085", "\u2028", "\uFEFF", "\u202e",
		"=?utf-8?q?x?=", "=?", "?=", "=", "_", "%41", "\"", "\\", "'", "(", ")", "<", ">", ",", ";", ":", "@", ".",
		"..", "/", "--=_b.1", "--=_b.1--", "\r\n\r\n",
		"Bcc: x@y.example", "\r\nBcc: x@y.example\r\n", "From ", "\n.\n", "cid:id1", "<p>", "山田太郎",
		strings.Repeat("x", 80), strings.Repeat("y", 1000),
		strings.Repeat("é", 50), "~{", "+AOQ-", "\x1b$B"}
	some := func(most int) string {
		var b strings.Builder
		for range rnd.IntN(most + 1) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		return b.String()
	}
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	for range 2000 {
		m := Mail{
			From: Address{some(6), "from@example.net"}, Subject: some(12), Text: some(30), HTML: some(30),
			HasText: rnd.IntN(4) > 0, HasHTML: rnd.IntN(2) > 0, OpenEnd: rnd.IntN(2) > 0,
			MessageID: "1@example.net", Date: noon, Boundary: "b",
			InReplyTo: some(3), References: []string{some(2), "ok@x", some(2)},
			Fields: []Field{{pick("X-A", "Comments", "List-Id"), some(8)}},
		}
		for range 1 + rnd.IntN(4) {
			m.To = append(m.To, Address{some(6), pick("a@b.example", `"a b"@c.example`, "jö@exämple.com",
				"jo@exämple.com", "x@[192.0.2.1]", some(3)+"@x.example")})
		}
		for range rnd.IntN(3) {
			a := file(some(5), pick("", "image/png", "text/plain; charset=utf-8", "message/rfc822",
				some(3)+"/"+some(2)), some(10))
			a.ContentID = pick("", "id1", "id2", some(2))
			m.Attachments = append(m.Attachments, a)
		}
		allowed(&m)
		checkRoundTrip(t, m)
		if t.Failed() {
			t.Fatalf("%+v", m)
		}
	}
}

// checkOurs compares with what our reader finds.
func checkOurs(t *testing.T, m Mail, raw string) {
	t.Helper()
	got := rfc822.Parse([]byte(raw), rfc822.DefaultLimits())
	want := []string{"Date", "Message-ID", "From"}
	for _, f := range []struct {
		name string
		is   bool
	}{{"Reply-To", m.ReplyTo != nil}, {"To", true}, {"Cc", m.Cc != nil}, {"Subject", true},
		{"In-Reply-To", isID(m.InReplyTo)},
		{"References", slices.ContainsFunc(m.References, isID)}, {m.Fields[0].Name, true}, {"MIME-Version", true},
		{"Content-Type", true},
		{"Content-Transfer-Encoding", !strings.HasPrefix(got.Header.First("Content-Type"), "multipart/")}} {
		if f.is {
			want = append(want, f.name)
		}
	}
	var names []string
	for _, f := range got.Header.Fields() {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("fields %q, want %q", names, want)
	}
	if s := oneLine(m.Subject); got.Subject != s {
		t.Errorf("subject %q, want %q", got.Subject, s)
	}
	if s, v := oneLine(m.Fields[0].Value), got.Header.First(m.Fields[0].Name); v != s &&
		!isStructured(m.Fields[0].Name) {
		t.Errorf("field %q, want %q", v, s)
	}
	for _, pair := range []struct {
		got  []rfc822.Address
		want []Address
	}{{got.From, []Address{m.From}}, {got.To, m.To}, {got.Cc, m.Cc}, {got.ReplyTo, m.ReplyTo}} {
		checkAddresses(t, pair.got, pair.want)
	}
	// Our reader prefers the HTML where a text says nothing, and leaves out a text of blanks.
	if want := newBody(m.Text, "=_b", m.OpenEnd).text; m.HasText && !m.HasHTML && !isMessage(m) &&
		strings.TrimSpace(want) != "" &&
		got.Text != want && got.Text+"\n" != want {
		t.Errorf("text %q, want %q", got.Text, want)
	}
	if m.HasHTML && !isMessage(m) {
		want := newBody(m.HTML, "=_b", m.OpenEnd).text
		if got.HTML != want && strings.TrimSuffix(want, "\n") != got.HTML {
			t.Errorf("HTML %q, want %q", got.HTML, want)
		}
	}
	if slices.ContainsFunc(got.Defects, func(d rfc822.Defect) bool { return !isMessage(m) }) {
		t.Errorf("defects %v", got.Defects)
	}
	checkParts(t, m, got.Parts)
}

// isMessage says that an attachment may bring texts and defects of its own.
func isMessage(m Mail) bool {
	return slices.ContainsFunc(m.Attachments, func(a Attachment) bool {
		return typeOf(a).media == nestedMessage
	})
}

func checkAddresses(t *testing.T, got []rfc822.Address, want []Address) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("addresses %q, want %q", got, want)
		return
	}
	for i, a := range want {
		spec, err := splitAddress(a.Address)
		if err != nil {
			t.Fatal(err)
		}
		// Our reader takes single quotes off a name.
		name := cleanName(a.Name)
		if got[i].Address != spec.header() || strings.Trim(got[i].Name, "' ") != strings.Trim(name, "' ") {
			t.Errorf("address %q, want %q, %q", got[i], name, spec.header())
		}
	}
}

func checkParts(t *testing.T, m Mail, parts []rfc822.Part) {
	t.Helper()
	if isMessage(m) {
		return // what is inside it is listed too; TestAttachedMessage looks at it, and checkStandard
	}
	if len(parts) != len(m.Attachments) {
		if !strings.Contains(m.Text, "begin ") { // uuencode in a text is an attachment to our reader
			t.Errorf("%d parts, want %d", len(parts), len(m.Attachments))
		}
		return
	}
	for _, a := range m.Attachments {
		rc, _ := a.Open()
		content, _ := io.ReadAll(rc)
		if !slices.ContainsFunc(parts, func(p rfc822.Part) bool {
			return p.Filename == rfc822.SafeFilename(a.Filename) && p.ContentID == a.ContentID &&
				p.ContentType == typeOf(a).media && p.SHA256 == sha256.Sum256(content)
		}) {
			t.Errorf("no part %q, %q, %q in %+v", a.Filename, a.ContentID, a.ContentType, parts)
		}
	}
}

// checkStandard compares with what the standard library finds.
func checkStandard(t *testing.T, m Mail, raw string) {
	t.Helper()
	head, parts := standard(t, raw)
	if s, err := new(mime.WordDecoder).DecodeHeader(head.Get("Subject")); err != nil || s != oneLine(m.Subject) {
		t.Errorf("standard library: subject %q, %v", s, err)
	}
	next := func(media, want string) {
		if len(parts) == 0 || parts[0].media != media || strings.ReplaceAll(parts[0].content, "\r\n", "\n") != want {
			t.Errorf("standard library: %q, want %s with %q", parts, media, want)
			return
		}
		parts = parts[1:]
	}
	if m.HasText {
		next("text/plain", newBody(m.Text, "=_b", m.OpenEnd).text)
	}
	if m.HasHTML {
		next("text/html", newBody(m.HTML, "=_b", m.OpenEnd).text)
	}
	if !m.HasText && !m.HasHTML && m.Attachments == nil {
		next("text/plain", "")
	}
	if len(parts) != len(m.Attachments) {
		t.Fatalf("standard library: %d attachments, want %d", len(parts), len(m.Attachments))
	}
	for _, a := range m.Attachments {
		rc, _ := a.Open()
		content, _ := io.ReadAll(rc)
		if !slices.ContainsFunc(parts, func(p leaf) bool {
			return p.filename == rfc822.SafeFilename(a.Filename) && p.content == string(content)
		}) {
			t.Errorf("standard library: no %q in %q", a.Filename, parts)
		}
	}
}
