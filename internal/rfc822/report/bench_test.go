package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// ordinary is a header as mail has it after a few relays.
const ordinary = "Return-Path: <orders@example.com>\r\nDelivered-To: agent@example.net\r\n" +
	"Received: from mx1.example.com (mx1.example.com [192.0.2.17])\r\n\tby mx.example.net with ESMTPS id 4Fq1\r\n" +
	"\tfor <agent@example.net>; Tue, 3 Nov 2026 10:11:12 +0000 (UTC)\r\n" +
	"Authentication-Results: mx.example.net; dkim=pass header.d=example.com; spf=pass smtp.mailfrom=example.com\r\n" +
	"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=sel; t=1762164672;\r\n" +
	"\th=From:To:Subject:Date:Message-ID; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n" +
	"\tb=dGhpcyBpcyBub3QgYSBzaWduYXR1cmUgYnV0IGl0IGhhcyB0aGUgbGVuZ3RoIG9mIG9uZQ==\r\n" +
	"From: \"Example Shop\" <orders@example.com>\r\nTo: Agent <agent@example.net>\r\nReply-To: help@example.com\r\n" +
	"Subject: =?utf-8?q?Your_order_n=C2=B0_4711_could_not_be_delivered_today?=\r\nDate: Tue, 3 Nov 2026 10:11:12 " +
	"+0000\r\n" +
	"Message-ID: <20261103101112.4711@example.com>\r\nMIME-Version: 1.0\r\nX-Mailer: shop 3.1\r\n" +
	"List-Unsubscribe: <https://example.com/u/4711>\r\nFeedback-ID: 1:2:3:example\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"

func BenchmarkRead(b *testing.B) {
	long := dsn("<nobody@example.com>: host mx.example.com[192.0.2.1] said: 550 5.1.1\n    <nobody@example.com>: "+
		"user unknown "+
		"(in reply to RCPT TO command)", "Reporting-MTA: dns; mx.example.net\nX-Postfix-Queue-ID: 02D4F1F\n\n"+
		"Final-Recipient: rfc822; nobody@example.com\nOriginal-Recipient: rfc822;nobody@example.com\nAction: "+
		"failed\nStatus: 5.1.1\n"+
		"Remote-MTA: dns; mx.example.com\nDiagnostic-Code: smtp; 550 5.1.1 <nobody@example.com>: user unknown\n")
	long = strings.Replace(long, "\r\nFrom: MAILER", "\r\n"+ordinary[:strings.Index(ordinary, "From: ")]+"From: MAILER",
		1)
	long = strings.Replace(long, "--=b--", strings.Repeat("A line of the message that was sent.\r\n",
		(4096-len(long))/38)+"--=b--", 1)
	for _, c := range []struct {
		name string
		raw  string
		want Class
	}{
		{"dsn 4KB", long, Bounce},
		{"ordinary 4KB", ordinary + strings.Repeat("A line of a message that people write, with words.\r\n", 50), None},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := rfc822.Parse([]byte(c.raw), rfc822.Limits{})
			raw := bytes.NewReader([]byte(c.raw))
			b.SetBytes(int64(len(c.raw)))
			b.ReportAllocs()
			for b.Loop() {
				if got := Read(m, raw); got.Class != c.want {
					b.Fatalf("%+v", got)
				}
			}
		})
	}
}
