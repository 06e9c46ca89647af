package sender

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// benchMail is a mail of about that size from example.com.
func benchMail(size int) string {
	var b strings.Builder
	b.WriteString("Received: from mx1.example.com (mx1.example.com [192.0.2.1])\r\n\tby mx.example.net with ESMTPS " +
		"id 4Fq1\r\n" +
		"\tfor <agent@example.net>; Tue, 3 Nov 2026 10:11:12 +0000 (UTC)\r\nFrom: \"Example Shop\" " +
		"<orders@example.com>\r\n" +
		"To: Agent <agent@example.net>\r\nSubject: =?utf-8?q?Your_order_n=C2=B0_4711?=\r\nDate: Tue, 3 Nov 2026 " +
		"10:11:12 +0000\r\n" +
		"Message-ID: <20261103101112.4711@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; " +
		"charset=utf-8\r\n\r\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Line %d of a text that people write - it has words, dashes and a code %06d.\r\n", i,
			i*7919%1000000)
	}
	return b.String()
}

// BenchmarkCheck has all answers in memory.
func BenchmarkCheck(b *testing.B) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		b.Fatal(err)
	}
	z := keyZone(b, "mx.example.com. A 192.0.2.1", "example.com. MX 10 mx.example.com.").
		text("example.com", "v=spf1 include:_spf.example.com mx -all").
		text("_spf.example.com", "v=spf1 ip4:198.51.100.0/24 ip4:203.0.113.0/24 ip6:2001:db8::/32 ~all").
		text("_dmarc.example.com", "v=DMARC1; p=reject; rua=mailto:dmarc@example.com").
		text("long._domainkey.example.com", "v=DKIM1; k=rsa; p="+keyText(b, key.Public()))
	c := z.checker(b)
	names := []string{"From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"}
	sign := func(size int, canon string) string {
		return signed(b, benchMail(size), canon, dkim.SignOptions{Signer: key, Selector: "long", HeaderKeys: names})
	}
	for _, bb := range []struct{ name, raw, dkim string }{
		{"unsigned 4KB", benchMail(4 << 10), none},
		{"RSA-2048 4KB", sign(4<<10, "relaxed/relaxed"), pass},
		{"Ed25519 4KB", signed(b, benchMail(4<<10), "relaxed/relaxed", dkim.SignOptions{Signer: edKey, Selector: "ed",
			HeaderKeys: names}), pass},
		{"RSA-2048 10MB simple", sign(10<<20, "simple/simple"), pass},
		{"RSA-2048 10MB relaxed", sign(10<<20, "relaxed/relaxed"), pass},
	} {
		b.Run(bb.name, func(b *testing.B) {
			raw := []byte(bb.raw)
			m := mailOf("", "bounce@example.com", "orders@example.com")
			m.Raw, m.Size = bytes.NewReader(raw), int64(len(raw))
			b.SetBytes(m.Size)
			b.ReportAllocs()
			for b.Loop() {
				if r := c.Check(b.Context(), m); r.SPF != pass || r.DKIM != bb.dkim || r.DMARC != pass {
					b.Fatalf("%+v", r)
				}
			}
		})
	}
}
