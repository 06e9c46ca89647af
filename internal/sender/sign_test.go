package sender

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const fullMail = "Received: by us\r\nFrom: Ann <ann@example.com>\r\nTo: agent@example.org\r\nSubject: hello\r\n" +
	"Date: Tue, 3 Nov 2026 10:11:12 +0000\r\nMessage-ID: <1@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: " +
	"text/plain\r\n\r\nHello.\r\n"

func TestSignRoundTrip(t *testing.T) {
	for _, tt := range []struct {
		name  string
		kinds []string
	}{
		{"both", []string{Ed25519, RSA}}, {"RSA", []string{RSA}}, {"Ed25519", []string{Ed25519}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := testSigner(t, tt.kinds...)
			raw := s.mustSign(t, fullMail)
			r := signZone(t, s).checker(t).Check(t.Context(), mailOf(raw, "", "ann@example.com"))
			if r.DKIM != pass || !slices.Equal(r.Domains, []string{"example.com"}) {
				t.Errorf("%+v", r)
			}
			want := slices.Repeat([]string{pass}, len(tt.kinds))
			if got := otherVerdicts(t, s, raw); !slices.Equal(got, want) {
				t.Errorf("another library says %v", got)
			}
		})
	}
}

// TestSignProperty has mails that are made up, two readers, and changes that a signature must or must not survive.
func TestSignProperty(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	m := mailMaker{rand.New(rand.NewPCG(63, 76))}
	s := testSigner(t)
	c := signZone(t, s).checker(t)
	both := func(verdict string) []string { return []string{verdict, verdict} }
	expect := func(what, raw, verdict string) {
		t.Helper()
		if got := ownVerdicts(t, c, raw); !slices.Equal(got, both(verdict)) {
			t.Fatalf("%s: we say %v, want %s: %q", what, got, verdict, raw)
		}
		if got := otherVerdicts(t, s, raw); !slices.Equal(got, both(verdict)) {
			t.Fatalf("%s: another library says %v, want %s: %q", what, got, verdict, raw)
		}
	}
	for range 250 {
		mail := m.mail()
		raw := s.mustSign(t, mail)
		expect("as signed", raw, pass)
		expect("on top, not signed", "Received: x\r\n"+raw, pass)
		over := m.pick("From", "To", "Subject", "Date", "Message-ID", "Reply-To")
		expect("another "+over, over+": x@example.net\r\n"+raw, fail)
		head, body, _ := strings.Cut(raw, "\r\n\r\n")
		expect("another "+over+" below", head+"\r\n"+over+": x\r\n\r\n"+body, fail)
		expect("more body", raw+m.pick("x", "\r\nx", " x"), fail)
		expect("empty lines at the end", strings.TrimSuffix(raw, "\r\n")+"\r\n\r\n \r\n", pass)
	}
}

func TestSignFields(t *testing.T) {
	const every = "from:from:to:to:cc:subject:subject:date:date:message-id:message-id:reply-to:reply-to:in-reply-to:references:" +
		"mime-version:content-type:content-transfer-encoding:list-unsubscribe:list-unsubscribe-post:auto-submitted"
	all := ""
	for _, f := range signedFields() {
		all += strings.ToUpper(f.name) + ": x\r\n"
	}
	for _, tt := range []struct{ name, head, want string }{
		{"all there", all, every},
		{"From alone", "From: x\r\n", "from:from:to:subject:date:message-id:reply-to"},
		{"several of a name", "From: x\r\nCc: a\r\nTo: b\r\nCc: c\r\nTo: d\r\n",
			"from:from:to:to:to:cc:cc:subject:date:message-id:reply-to"},
		{"others", "From: x\r\nReceived: a\r\nX-A: b\r\nReturn-Path: c\r\n",
			"from:from:to:subject:date:message-id:reply-to"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := testSigner(t).mustSign(t, tt.head+"\r\nbody\r\n")
			h, err := readHead(strings.NewReader(raw), int64(len(raw)))
			if err != nil {
				t.Fatal(err)
			}
			for i, algorithm := range []string{"rsa-sha256", "ed25519-sha256"} {
				tags, ok := parseTags(strings.TrimPrefix(string(h.fields[i].raw), "DKIM-Signature:"))
				if !ok {
					t.Fatalf("%s", h.fields[i].raw)
				}
				names := ""
				for _, tag := range tags {
					names += tag.name + " "
				}
				list, _ := tagValue(tags, "h")
				a, _ := tagValue(tags, "a")
				made, _ := tagValue(tags, "t")
				if got := strings.Join(splitList(list), ":"); got != tt.want || a != algorithm ||
					names != "v a c d s t h bh b " || made != "1793700672" {
					t.Errorf("%s of %s at %s in %s, want %s", got, a, made, names, tt.want)
				}
			}
		})
	}
}

func TestSignFolds(t *testing.T) {
	label := strings.Repeat("a", 60)
	for _, domain := range []string{"example.com", label + ".example.com", "grüße.example", strings.Repeat("abc.", 40) +
		"example"} {
		s, err := NewSigner(domain, SigningKey{"S1", signingKeys()[RSA]}, SigningKey{strings.Repeat("s", 40),
			signingKeys()[Ed25519]})
		if err != nil {
			t.Fatal(err)
		}
		raw := s.mustSign(t, fullMail)
		if got := ownVerdicts(t, signZone(t, s).checker(t), raw); !slices.Equal(got, []string{pass, pass}) {
			t.Errorf("%s: %v", domain, got)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(raw, fullMail), "\r\n") {
			if len(line) > maxLine && strings.TrimSpace(line) != "d="+s.Domain()+";" ||
				strings.ContainsAny(line, "\r\n") || line == " " {
				t.Errorf("%s: %d bytes in %q", domain, len(line), line)
			}
		}
	}
}

func TestUnsignable(t *testing.T) {
	long := "From: x\r\nX: " + strings.Repeat("x", maxHead) + "\r\n\r\n"
	for _, tt := range []struct{ name, mail string }{
		{"empty", ""},
		{"no header", "\r\nFrom: x\r\n"},
		{"no From", "To: x\r\n\r\n"},
		{"LF", "From: x\n\nbody\n"},
		{"LF in the header", "From: x\r\nTo: y\nz\r\n\r\n"},
		{"CR in the header", "From: x\ry\r\n\r\n"},
		{"LF in the body", "From: x\r\n\r\na\nb\r\n"},
		{"CR in the body", "From: x\r\n\r\na\rb\r\n"},
		{"CR at the end", "From: x\r\n\r\na\r"},
		{"no field", "From: x\r\nhello\r\n\r\n"},
		{"8-bit name", "From: x\r\nGrü\u00dfe: y\r\n\r\n"},
		{"long header", long},
		{"many fields of a name", "From: x\r\n" + strings.Repeat("Cc: y\r\n", maxSigning) + "\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fields, err := testSigner(t, Ed25519).Sign(strings.NewReader(tt.mail), int64(len(tt.mail)), signTime)
			if !errors.Is(err, ErrUnsignable) || fields != nil {
				t.Errorf("%q, %v", fields, err)
			}
		})
	}
}

// A header without a body is whole: what follows it on the way is an empty line.
func TestSignHeaderOnly(t *testing.T) {
	s := testSigner(t)
	raw := s.mustSign(t, "From: ann@example.com\r\n")
	for _, end := range []string{"", "\r\n", "\r\n\r\n"} {
		if got := ownVerdicts(t, signZone(t, s).checker(t), raw+end); !slices.Equal(got, []string{pass, pass}) {
			t.Errorf("%q: %v", end, got)
		}
	}
}

func TestSignUnreadable(t *testing.T) {
	s := testSigner(t, Ed25519)
	for _, tt := range []struct {
		name string
		raw  io.ReaderAt
		size int
		want error
	}{
		{"header cut off", strings.NewReader(fullMail[:30]), len(fullMail), io.ErrUnexpectedEOF},
		{"body cut off", strings.NewReader(fullMail[:len(fullMail)-3]), len(fullMail), io.ErrUnexpectedEOF},
		{"body cut off after the first piece", io.NewSectionReader(longMail{head: "From: x\r\n\r\n", body: "x"}, 0,
			1<<20), 1<<20 + 1, io.ErrUnexpectedEOF},
		{"header on a bad disk", badDisk{longMail{head: fullMail, body: "x"}, 20}, len(fullMail), errDisk},
		{"body on a bad disk", badDisk{longMail{head: fullMail, body: "x"}, 100 << 10}, 1 << 20, errDisk},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if fields, err := s.Sign(tt.raw, int64(tt.size), signTime); !errors.Is(err, tt.want) || fields != nil {
				t.Errorf("%q, %v", fields, err)
			}
		})
	}
}

var errDisk = errors.New("disk")

// badDisk can be read up to somewhere.
type badDisk struct {
	io.ReaderAt
	good int64
}

func (d badDisk) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > d.good {
		return 0, errDisk
	}
	return d.ReaderAt.ReadAt(b, at)
}

func TestSignLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const head, line = "From: x\r\n\r\n", "a line  of text \r\n"
	size := int64(len(head) + len(line)<<19)
	s := testSigner(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := s.Sign(longMail{head: head, body: line}, size, signTime); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes allocated", used)
	}
}

func TestNewSigner(t *testing.T) {
	rsa, ed := signingKeys()[RSA], signingKeys()[Ed25519]
	for _, tt := range []struct {
		name, domain string
		keys         []SigningKey
		want         string // domain and selectors, empty for an error
	}{
		{"one", "example.com", []SigningKey{{"a", ed}}, "example.com a"},
		{"RSA first", "example.com", []SigningKey{{"a", ed}, {"b", rsa}, {"c", ed}, {"d", rsa}}, "example.com b d a c"},
		{"Unicode", "Grüße.Example.", []SigningKey{{"Mk1", rsa}}, "xn--gre-6ka8l.example mk1"},
		{"selector of two labels", "example.com", []SigningKey{{"a.b", ed}}, "example.com a.b"},
		{"no keys", "example.com", nil, ""},
		{"no key", "example.com", []SigningKey{{"a", nil}}, ""},
		{"five keys", "example.com", slices.Repeat([]SigningKey{{"a", ed}}, 5), ""},
		{"one selector twice", "example.com", []SigningKey{{"a", ed}, {"A", rsa}}, ""},
		{"no domain", "localhost", []SigningKey{{"a", ed}}, ""},
		{"address", "192.0.2.1", []SigningKey{{"a", ed}}, ""},
		{"no selector", "example.com", []SigningKey{{"", ed}}, ""},
		{"tag in the selector", "example.com", []SigningKey{{"a;x=y", ed}}, ""},
		{"line in the domain", "example.com\r\nX: y", []SigningKey{{"a", ed}}, ""},
		{"too long together", strings.Repeat("abc.", 60) + "example", []SigningKey{{"a", ed}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := NewSigner(tt.domain, tt.keys...)
			got := ""
			if err == nil {
				got = s.Domain()
				for _, k := range s.keys {
					got += " " + k.Selector
				}
			}
			if got != tt.want {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func BenchmarkSign(b *testing.B) {
	for _, bb := range []struct {
		name  string
		kinds []string
		size  int
	}{
		{"RSA-2048 + Ed25519 4KB", nil, 4 << 10}, {"RSA-2048 4KB", []string{RSA}, 4 << 10},
		{"Ed25519 4KB", []string{Ed25519}, 4 << 10},
		{"Ed25519 10MB", []string{Ed25519}, 10 << 20},
	} {
		b.Run(bb.name, func(b *testing.B) {
			s := testSigner(b, bb.kinds...)
			mail := bytes.NewReader([]byte(benchMail(bb.size)))
			b.SetBytes(mail.Size())
			b.ReportAllocs()
			now := signTime
			for b.Loop() {
				now = now.Add(recentTime) // or it would be signed once
				if _, err := s.Sign(mail, mail.Size(), now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzSign(f *testing.F) {
	f.Add(fullMail)
	f.Add("From: x\r\n \r\n\t y \r\nSubject:\r\n\r\n \r\n\r\nx \t\r\n")
	f.Add("From : x\r\nfrom:\r\nReply-To:y")
	s := testSigner(f, Ed25519)
	c := signZone(f, s).checker(f)
	f.Fuzz(func(t *testing.T, mail string) {
		fields, err := s.Sign(strings.NewReader(mail), int64(len(mail)), signTime)
		if err != nil {
			if !errors.Is(err, ErrUnsignable) {
				t.Fatal(err)
			}
			return
		}
		raw := string(fields) + mail
		got := ownVerdicts(t, c, raw)
		if n := strings.Count(strings.ToLower(raw), "dkim-signature"); n == 1 && !slices.Equal(got, []string{pass}) {
			t.Errorf("%v for %q", got, raw)
		}
	})
}
