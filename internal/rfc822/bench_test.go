package rfc822

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const benchHeader = "Return-Path: <bounce@mail.example.com>\r\n" +
	"Received: from mx1.example.com (mx1.example.com [192.0.2.17])\r\n\tby mx.example.net with ESMTPS id 4Fq1\r\n" +
	"\tfor <agent@example.net>; Tue, 3 Nov 2026 10:11:12 +0000 (UTC)\r\n" +
	"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=sel; t=1762164672;\r\n" +
	"\th=From:To:Subject:Date:Message-ID; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n" +
	"\tb=dGhpcyBpcyBub3QgYSBzaWduYXR1cmUgYnV0IGl0IGhhcyB0aGUgbGVuZ3RoIG9mIG9uZQ==\r\n" +
	"From: \"Example Shop\" <orders@example.com>\r\nTo: Agent <agent@example.net>\r\n" +
	"Subject: =?utf-8?q?Your_order_n=C2=B0_4711?=\r\nDate: Tue, 3 Nov 2026 10:11:12 +0000\r\n" +
	"Message-ID: <20261103101112.4711@example.com>\r\nMIME-Version: 1.0\r\n"

func benchText(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Line %d of a text that people write - it has words, dashes and a code %06d.\r\n", i,
			i*7919%1000000)
	}
	return b.String()
}

func benchHTML(size int) string {
	var b strings.Builder
	b.WriteString("<html><head><style>p{color:#333}</style></head><body><table>")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "<tr><td style=\"font-family:Arial,sans-serif;font-size:14px;padding:4px\"><p>Item&nbsp;%d &amp; "+
			"more <b>words</b> for a reader</p></td><td align=\"right\"><a href=\"https://example.com/i/%d\">&euro; "+
			"%d</a></td></tr>\r\n", i, i, i)
	}
	return b.String() + "</table></body></html>"
}

func benchAttachment(size int) string {
	raw := make([]byte, size/4*3)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range raw {
		raw[i] = byte(rnd.Uint32())
	}
	enc := base64.StdEncoding.EncodeToString(raw)
	var b strings.Builder
	b.WriteString(benchHeader + "Content-Type: multipart/mixed; boundary=\"=_b\"\r\n\r\n--=_b\r\n" +
		"Content-Type: text/plain; charset=utf-8\r\n\r\n" + benchText(1000) + "--=_b\r\n" +
		"Content-Type: application/pdf; name=\"invoice.pdf\"\r\nContent-Disposition: attachment; " +
		"filename=\"invoice.pdf\"\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\n")
	for len(enc) > 0 {
		n := min(76, len(enc))
		b.WriteString(enc[:n] + "\r\n")
		enc = enc[n:]
	}
	return b.String() + "--=_b--\r\n"
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, raw string }{
		{"text 4KB", benchHeader + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + benchText(3300)},
		{"html 20KB", benchHeader + "Content-Type: text/html; charset=utf-8\r\n\r\n" + benchHTML(19000)},
		{"attachment 100KB", benchAttachment(97000)},
		{"attachment 10MB", benchAttachment(10 << 20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			raw := []byte(c.raw)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				p := NewParser(Limits{})
				for rest := raw; len(rest) > 0; {
					n := min(len(rest), 32<<10)
					_, _ = p.Write(rest[:n])
					rest = rest[n:]
				}
				if m := p.Message(); m.Text == "" {
					b.Fatal("no text")
				}
			}
		})
	}
}
