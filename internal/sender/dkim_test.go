package sender

import (
	"bytes"
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// The message of RFC 8463 appendix A.
const rfc8463 = "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\r\n" +
	" d=football.example.com; i=@football.example.com;\r\n" +
	" q=dns/txt; s=brisbane; t=1528637909; h=from : to :\r\n" +
	" subject : date : message-id : from : subject : date;\r\n" +
	" bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\r\n" +
	" b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\r\n" +
	" Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==\r\n" +
	"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\r\n" +
	" d=football.example.com; i=@football.example.com;\r\n" +
	" q=dns/txt; s=test; t=1528637909; h=from : to : subject :\r\n" +
	" date : message-id : from : subject : date;\r\n" +
	" bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\r\n" +
	" b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3\r\n" +
	" DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz\r\n" +
	" dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=\r\n" +
	"From: Joe SixPack <joe@football.example.com>\r\n" +
	"To: Suzie Q <suzie@shopping.example.net>\r\n" +
	"Subject: Is dinner ready?\r\n" +
	"Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\r\n" +
	"Message-ID: <20030712040037.46341.5F8J@football.example.com>\r\n\r\n" +
	"Hi.\r\n\r\nWe lost the game.  Are you hungry yet?\r\n\r\nJoe.\r\n\r\n"

func TestRFC8463(t *testing.T) {
	z := newZone(t).
		text("brisbane._domainkey.football.example.com",
			"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=").
		text("test._domainkey.football.example.com",
			"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6"+
				"Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2"+
				"EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB")
	m := readMessage(strings.NewReader(rfc8463), int64(len(rfc8463)), time.Now())
	m.findKeys(t.Context(), z.checker(t).dns, "football.example.com")
	m.verifyHeader()
	m.verifyBody(t.Context())
	for i, s := range m.signatures {
		if s.verdict != pass {
			t.Errorf("signature %d: %s", i, s.verdict)
		}
	}
	if len(m.signatures) != 2 {
		t.Errorf("%d signatures", len(m.signatures))
	}
}

// dkimOf is the DKIM half of a result.
func dkimOf(t *testing.T, z *zone, raw string) (verdict string, domains []string) {
	t.Helper()
	r := z.checker(t).Check(t.Context(), mailOf(raw, "", "ann@example.com"))
	return r.DKIM, r.Domains
}

func TestDKIMForms(t *testing.T) {
	ed := dkim.SignOptions{Signer: edKey, Selector: "ed"}
	lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	edit := func(from, to string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, from) {
				t.Fatalf("no %q in the mail", from)
			}
			return strings.Replace(s, from, to, 1)
		}
	}
	blanks := edit("Subject:  two   blanks", "subject: two blanks ")
	same := func(s string) string { return s }
	for _, tt := range []struct {
		name, canon string
		options     dkim.SignOptions
		change      func(string) string
		want        string
	}{
		{"as signed, simple", "simple/simple", dkim.SignOptions{}, same, pass},
		{"as signed, relaxed", "relaxed/relaxed", dkim.SignOptions{}, same, pass},
		{"as signed, mixed", "relaxed/simple", dkim.SignOptions{}, same, pass},
		{"as signed, mixed the other way", "simple/relaxed", dkim.SignOptions{}, same, pass},
		{"as signed, Ed25519", "relaxed/relaxed", ed, same, pass},
		{"a byte of the body", "relaxed/relaxed", dkim.SignOptions{}, edit("Hello", "hello"), fail},
		{"a byte of the body, simple", "simple/simple", dkim.SignOptions{}, edit("Hello", "hello"), fail},
		{"a byte of the body, Ed25519", "simple/simple", ed, edit("Hello", "hello"), fail},
		{"a byte of From", "relaxed/relaxed", dkim.SignOptions{}, edit("Ann", "Bob"), fail},
		{"a byte of From, Ed25519", "relaxed/relaxed", ed, edit("Ann", "Bob"), fail},
		{"a field that is not signed", "relaxed/relaxed", dkim.SignOptions{}, edit("X-Other: x", "X-Other: y"), pass},
		{"a field that is new", "relaxed/relaxed", dkim.SignOptions{}, edit("From: Ann", "Received: x\r\nFrom: Ann"),
			pass},
		{"another Subject below", "relaxed/relaxed", dkim.SignOptions{}, edit("X-Other: x", "Subject: y"), fail},
		{"another Subject above", "relaxed/relaxed", dkim.SignOptions{}, edit("From: Ann", "Subject: y\r\nFrom: Ann"),
			pass},
		{"blanks of a field, relaxed", "relaxed/relaxed", dkim.SignOptions{}, blanks, pass},
		{"blanks of a field, simple", "simple/relaxed", dkim.SignOptions{}, blanks, fail},
		{"folds of a field, relaxed", "relaxed/relaxed", dkim.SignOptions{}, edit("two   bl", "two\r\n\t bl"), pass},
		{"blanks of the body, relaxed", "relaxed/relaxed", dkim.SignOptions{},
			edit("Hello  agent,", "Hello \t agent, "), pass},
		{"blanks of the body, simple", "relaxed/simple", dkim.SignOptions{}, edit("Hello  agent,", "Hello agent,"),
			fail},
		{"empty lines at the end", "simple/simple", dkim.SignOptions{}, edit("bye \r\n\r\n\r\n", "bye \r\n"), pass},
		{"empty lines at the end, relaxed", "relaxed/relaxed", dkim.SignOptions{},
			edit("bye \r\n\r\n\r\n", "bye\r\n \r\n\t"), pass},
		{"no line end at the end", "relaxed/relaxed", dkim.SignOptions{}, edit("bye \r\n\r\n\r\n", "bye"), pass},
		{"lines that end in LF", "relaxed/relaxed", dkim.SignOptions{}, lf, pass},
		{"lines that end in LF, simple", "simple/simple", dkim.SignOptions{}, lf, pass},
		{"more body", "relaxed/relaxed", dkim.SignOptions{}, func(s string) string { return s + "more" }, fail},
		{"no body", "relaxed/relaxed", dkim.SignOptions{},
			func(s string) string { return s[:strings.Index(s, "\r\n\r\n")+2] }, fail},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, domains := dkimOf(t, keyZone(t), tt.change(signed(t, plainMail, tt.canon, tt.options)))
			if got != tt.want || (got == pass) != slices.Equal(domains, []string{"example.com"}) {
				t.Errorf("%s for %v, want %s", got, domains, tt.want)
			}
		})
	}
}

func TestDKIMEmptyBodies(t *testing.T) {
	for _, body := range []string{"", "\r\n", "\r\n\r\n", "x", " ", " \r\n\t\r\n", "\r\nx", "x \r\n y"} {
		for _, canon := range []string{"simple/simple", "relaxed/relaxed"} {
			t.Run(fmt.Sprintf("%s %q", canon, body), func(t *testing.T) {
				raw := signed(t, "From: ann@example.com\r\n\r\n"+body, canon, dkim.SignOptions{})
				if got, _ := dkimOf(t, keyZone(t), raw); got != pass {
					t.Errorf("%s", got)
				}
			})
		}
	}
}

// The canonical forms, also of what the library that signs in these tests sees in another way.
func TestDKIMBodies(t *testing.T) {
	for _, tt := range []struct{ body, simple, relaxed string }{
		{"", "\r\n", ""},
		{"\r\n\r\n", "\r\n", ""},
		{" \r\n", " \r\n", ""},
		{" C \r\nD \t E\r\n\r\n\r\n", " C \r\nD \t E\r\n", " C\r\nD E\r\n"}, // RFC 6376 3.4.5
		{"x", "x\r\n", "x\r\n"},
		{"\r\n\r\nx", "\r\n\r\nx\r\n", "\r\n\r\nx\r\n"},
		{"\r", "\r\r\n", "\r\r\n"},
		{"x\r\r\n", "x\r\r\n", "x\r\r\n"},
		{"x\r\n\r", "x\r\n\r\r\n", "x\r\n\r\r\n"},
		{"x\n\n", "x\n\n\r\n", "x\n\n\r\n"},
		{"a \r b\n c", "a \r b\n c\r\n", "a \r b\n c\r\n"},
	} {
		for piece := 1; piece <= max(len(tt.body), 1); piece++ {
			r := iotest.OneByteReader(strings.NewReader(tt.body))
			if piece > 1 {
				r = &pieces{tt.body, piece}
			}
			sums, err := hashBody(t.Context(), r, head{}, int64(len(tt.body)), true, true)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []string{tt.simple, tt.relaxed} {
				if sum := sha256.Sum256([]byte(want)); !bytes.Equal(sums[i].hash, sum[:]) ||
					sums[i].length != int64(len(want)) {
					t.Errorf("%q in pieces of %d, form %d: %d bytes, want %q", tt.body, piece, i, sums[i].length, want)
				}
			}
		}
	}
}

// pieces reads a few bytes at a time.
type pieces struct {
	rest string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func TestDKIMTags(t *testing.T) {
	now := time.Now().Unix()
	const bodyLength = len("Hello agent,\r\n\r\nbye\r\n")
	for _, tt := range []struct {
		name, tag string
		want      string
	}{
		{"plain", "t=1", pass},
		{"expires", fmt.Sprintf("x=%d", now+1000), pass},
		{"expired", fmt.Sprintf("x=%d", now-1000), permerror},
		{"expires before it begins", fmt.Sprintf("t=%d; x=%d", now+2000, now+1000), permerror},
		{"no time", "x=soon", permerror},
		{"From is not signed", "h=to:subject:date", permerror},
		{"SHA-1", "a=rsa-sha1", permerror},
		{"unknown key", "a=dsa-sha256", permerror},
		{"unknown form", "c=strict", permerror},
		{"unknown form of the body", "c=relaxed/strict", permerror},
		{"unknown version", "v=2", permerror},
		{"unknown query", "q=dns/srv", permerror},
		{"known query among others", "q=dns/srv:dns/txt", pass},
		{"unknown tag", "foo=bar", pass},
		{"tag twice", "foo=bar; foo=bar", permerror},
		{"no tag", "foo", permerror},
		{"identity below", "i=bob@sub.example.com", pass},
		{"identity elsewhere", "i=bob@example.org", permerror},
		{"identity above", "i=bob@com", permerror},
		{"identity that ends alike", "i=bob@evilexample.com", permerror},
		{"top-level domain", "d=com", permerror},
		{"no domain", "d=", permerror},
		{"no selector", "s=", permerror},
		{"selector that is no name", "s=a..b", permerror},
		{"all of the body", fmt.Sprintf("l=%d", bodyLength), pass},
		{"part of the body", fmt.Sprintf("l=%d", bodyLength-5), neutral},
		{"nothing of the body", "l=0", neutral},
		{"more than the body", fmt.Sprintf("l=%d", bodyLength+1), permerror},
		{"no length", "l=-1", permerror},
		{"a length too long to be one", "l=99999999999999999999999", permerror},
		{"no such key", "s=other", permerror},
		{"key server fails", "s=broken", temperror},
	} {
		t.Run(tt.name, func(t *testing.T) {
			z := keyZone(t, "broken._domainkey.example.com FAIL")
			if got, _ := dkimOf(t, z, signedWith(t, plainMail, tt.tag)); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestDKIMKeys(t *testing.T) {
	p := "p=" + keyText(t, rsaKey().Public())
	big := func(bits int) string {
		n := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
		return "p=" + keyText(t, &rsa.PublicKey{N: n.Add(n, big.NewInt(1)), E: 65537})
	}
	for _, tt := range []struct {
		name   string
		record []string
		change string // of the body
		want   string
	}{
		{"plain", []string{p}, "", pass},
		{"with a version", []string{"v=DKIM1;" + p}, "", pass},
		{"all tags", []string{"v=DKIM1; h=sha1:sha256; k=rsa; n=note; s=email; t=s; " + p + ";"}, "", pass},
		{"unknown version", []string{"v=DKIM2; " + p}, "", permerror},
		{"version at the end", []string{p + "; v=DKIM1"}, "", permerror},
		{"withdrawn", []string{"v=DKIM1; p="}, "", permerror},
		{"no key", []string{"v=DKIM1"}, "", permerror},
		{"no base64", []string{"v=DKIM1; p=*"}, "", permerror},
		{"no key inside", []string{"v=DKIM1; p=AAAA"}, "", permerror},
		{"other hash", []string{"h=sha1; " + p}, "", permerror},
		{"other service", []string{"s=tlsrpt; " + p}, "", permerror},
		{"any service", []string{"s=*; " + p}, "", pass},
		{"other algorithm", []string{"k=ed25519; " + p}, "", permerror},
		{"unknown algorithm", []string{"k=dsa; " + p}, "", permerror},
		{"beside another text", []string{"some text", p}, "", pass},
		{"two keys", []string{p, p}, "", permerror},
		{"another text alone", []string{"v=spf1 -all"}, "", permerror},
		{"being tested", []string{"t=y; " + p}, "", pass},
		{"being tested, fails", []string{"t=y; " + p}, "x", none},
		{"short", []string{big(768)}, "", permerror},
		{"not the signer's", []string{big(1024)}, "", fail},
		{"very long", []string{big(8193)}, "", permerror},
		{"endless", []string{big(60000)}, "", permerror},
	} {
		t.Run(tt.name, func(t *testing.T) {
			z := newZone(t)
			for _, r := range tt.record {
				z.text("rsa._domainkey.example.com", r)
			}
			if got, _ := dkimOf(t, z, signedWith(t, plainMail)+tt.change); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	t.Run("key for the domain alone", func(t *testing.T) {
		z := newZone(t).text("rsa._domainkey.example.com", "t=s; "+p)
		if got, _ := dkimOf(t, z, signedWith(t, plainMail, "i=@sub.example.com")); got != permerror {
			t.Errorf("%s", got)
		}
	})
}

func TestDKIMSeveral(t *testing.T) {
	z := keyZone(t, "broken._domainkey.example.com FAIL")
	other := func(raw string) string {
		return signed(t, raw, "relaxed/relaxed", dkim.SignOptions{Domain: "example.net", Signer: edKey, Selector: "ed"})
	}
	mine := func(raw string) string { return signed(t, raw, "simple/simple", dkim.SignOptions{}) }
	bogus := "DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=x; h=from; bh=AAAA; b=AAAA\r\n"
	for _, tt := range []struct {
		name    string
		raw     string
		want    string
		domains string
	}{
		{"two domains", other(mine(plainMail)), pass, "example.com example.net"},
		{"the same twice", mine(mine(plainMail)), pass, "example.com"},
		{"one that fails", bogus + mine(plainMail), pass, "example.com"},
		{"many that are nothing", strings.Repeat(bogus, 200) + mine(plainMail), pass, "example.com"},
		{"many that are no signatures", strings.Repeat("DKIM-Signature: junk\r\n", 200) + mine(plainMail), pass,
			"example.com"},
		{"many of another", strings.Repeat(signedLine(t), 200) + mine(plainMail), pass, "example.com example.net"},
		{"one that fails and one that cannot be told", signedWith(t, strings.Replace(mine(plainMail), "bye", "Bye", 1),
			"s=broken"), temperror, ""},
		{"none", plainMail, none, ""},
		{"only bogus ones", bogus + bogus, permerror, ""},
		{"very long", "DKIM-Signature: v=1; b=" + strings.Repeat("A", 200_000) + "\r\n" + plainMail, permerror, ""},
		{"very many names", "DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=rsa; bh=AAAA; b=AAAA; h=from" +
			strings.Repeat(":x", 5000) + "\r\n" + plainMail, permerror, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, domains := dkimOf(t, z, tt.raw)
			if got != tt.want || strings.Join(domains, " ") != tt.domains {
				t.Errorf("%s for %v, want %s for %s", got, domains, tt.want, tt.domains)
			}
		})
	}
}

// signedLine is the field of a signature by somebody else.
func signedLine(t *testing.T) string {
	raw := signed(t, plainMail, "relaxed/relaxed", dkim.SignOptions{Domain: "example.net", Signer: edKey,
		Selector: "ed"})
	return strings.TrimSuffix(raw, plainMail)
}

func TestDKIMChecksAFew(t *testing.T) {
	z := keyZone(t)
	raw := plainMail
	for i := range 50 {
		raw = fmt.Sprintf("DKIM-Signature: v=1; a=rsa-sha256; d=d%d.example; s=s; h=from; bh=AAAA; b=AAAA\r\n", i) + raw
	}
	c := z.checker(t)
	c.Check(t.Context(), mailOf(raw, "", "ann@example.com"))
	asked := 0
	for _, q := range z.Asked() {
		if strings.Contains(q, "_domainkey") {
			asked++
		}
	}
	if asked != maxSignatures {
		t.Errorf("%d keys were asked for, want %d", asked, maxSignatures)
	}
}

// A header that programs read in different ways is not to be believed.
func TestDKIMBrokenHeaders(t *testing.T) {
	good := signed(t, plainMail, "relaxed/relaxed", dkim.SignOptions{})
	for name, raw := range map[string]string{
		"bare CR":          strings.Replace(good, "X-Other: x", "X-Other: x\rFrom: eve@example.com", 1),
		"bare LF":          strings.Replace(good, "X-Other: x", "X-Other: x\nFrom: eve@example.com", 1),
		"line of junk":     strings.Replace(good, "X-Other: x", "junk", 1),
		"no name":          strings.Replace(good, "X-Other: x", ": x", 1),
		"blank in a name":  strings.Replace(good, "X-Other: x", "X Other: x", 1),
		"begins with fold": " x\r\n" + good,
		"too long":         strings.Replace(good, "X-Other: x", "X-Other: "+strings.Repeat("x", maxHead), 1),
		"too many fields":  strings.Replace(good, "X-Other: x", strings.Repeat("X: x\r\n", maxFields)+"X-Other: x", 1),
		"CRLF among LF": strings.Replace(strings.ReplaceAll(good, "\r\n", "\n"), "X-Other: x\n", "X-Other: x\r\n",
			1),
	} {
		t.Run(name, func(t *testing.T) {
			if got, domains := dkimOf(t, keyZone(t), raw); got != permerror || domains != nil {
				t.Errorf("%s for %v", got, domains)
			}
		})
	}
	t.Run("long but not too long", func(t *testing.T) {
		raw := strings.Replace(good, "X-Other: x", "X-Other: "+strings.Repeat("x", maxHead/2), 1)
		if got, _ := dkimOf(t, keyZone(t), raw); got != pass {
			t.Errorf("%s", got)
		}
	})
}

type brokenReader struct{ good int64 }

func (r brokenReader) ReadAt(b []byte, at int64) (int, error) {
	raw := plainMail
	if at+int64(len(b)) > r.good {
		return 0, errors.New("disk")
	}
	return copy(b, raw[at:]), nil
}

func TestDKIMUnreadable(t *testing.T) {
	c := keyZone(t).checker(t)
	m := Mail{From: "ann@example.com", Raw: brokenReader{}, Size: int64(len(plainMail))}
	if got := c.Check(t.Context(), m); got.DKIM != temperror {
		t.Errorf("%+v", got)
	}
}

// longMail is a mail with a body that nobody has in memory.
type longMail struct {
	head, body string // the body is repeated
	delay      time.Duration
}

func (l longMail) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > int64(len(l.head)) {
		time.Sleep(l.delay)
	}
	for i := range b {
		if n := at + int64(i); n < int64(len(l.head)) {
			b[i] = l.head[n]
		} else {
			b[i] = l.body[(n-int64(len(l.head)))%int64(len(l.body))]
		}
	}
	return len(b), nil
}

// However its body is made, a mail is read in pieces.
func TestLargeMails(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	both := signedWith(t, signed(t, plainMail, "simple/simple", dkim.SignOptions{}))
	both = both[:strings.Index(both, "\r\n\r\n")+4]
	c := keyZone(t).checker(t)
	const size = 2 << 20
	for name, body := range map[string]string{"one line": "x", "blanks": " ", "empty lines": "\r\n", "CR": "\r",
		"LF": "\n", "words": "x y  z\r\n"} {
		t.Run(name, func(t *testing.T) {
			m := Mail{From: "ann@example.com", Raw: longMail{head: both, body: body}, Size: int64(len(both)) + size}
			c.Check(t.Context(), m)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := c.Check(t.Context(), m)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; r.DKIM != fail || used > 400<<10 {
				t.Errorf("%s, %d bytes", r.DKIM, used)
			}
		})
	}
}

// The body may take longer than the DNS has: everything was asked by then.
func TestSlowBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		raw := signed(t, plainMail, "relaxed/relaxed", dkim.SignOptions{Domain: "example.net"})
		end := strings.Index(raw, "\r\n\r\n") + 4
		z := keyZone(t).text("_dmarc.net", "v=DMARC1; p=reject")
		c := z.checker(t)
		body := raw[end:]
		start := time.Now()
		r := c.Check(t.Context(), Mail{From: "ann@mail.example.net", Raw: longMail{raw[:end], body, time.Minute},
			Size: int64(len(raw))})
		if r.DKIM != pass || r.DMARC != pass || time.Since(start) < time.Minute {
			t.Errorf("%+v", r)
		}
	})
}

func TestCancelledBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		raw := signed(t, plainMail, "relaxed/relaxed", dkim.SignOptions{})
		end := strings.Index(raw, "\r\n\r\n") + 4
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		c := keyZone(t).checker(t)
		m := Mail{From: "ann@example.com", Raw: longMail{raw[:end], raw[end:], time.Minute}, Size: 1 << 30}
		if r := c.Check(ctx, m); r.DKIM != temperror {
			t.Errorf("%+v", r)
		}
	})
}
