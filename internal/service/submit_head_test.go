package service

import (
	"bufio"
	"bytes"
	"io"
	"net/mail"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
)

// FuzzSubmitHead hands in any bytes. Whatever is taken has proper lines, no private fields, and the same authors to
// other readers of mail as to the one that let it through; the body begins where all of them think it does.
func FuzzSubmitHead(f *testing.F) {
	for _, s := range []string{
		"From: a@b\r\nBcc: c@d,\r\n e@f\r\n\r\nbody\r\n",
		"From : \"x@y\" <a@b>, c@d (e)\nSender: a@b\n\nbody\n\r",
		"From: =?utf-8?q?a?=\r\n\t<a@b>\r\nReturn-Path: <>\r\nX:\r\n \r\n\r\n\r\n\r\n",
		"From a\r\nFrom: a@b\r\rx\r\n",
		"Subject: x\r\nFrom: \"a\\\"b\"@c\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bufio.NewReaderSize(iotest.HalfReader(bytes.NewReader(data)), 16)
		h, err := readHead(in)
		if err != nil {
			return
		}
		authors, err := h.authors()
		if err != nil {
			return
		}
		added := []compose.Field{{Name: "Message-ID", Value: "<id@x>"}}
		body, err := io.ReadAll(&lineEnds{r: in})
		if err != nil {
			t.Fatal(err)
		}
		checkSubmitted(t, h.bytes(added), body, authors)
	})
}

func checkSubmitted(t *testing.T, head, body []byte, authors []string) {
	out := append(bytes.Clone(head), body...)
	if lines := strings.ReplaceAll(string(out), "\r\n", ""); strings.ContainsAny(lines, "\r\n") {
		t.Fatalf("line ends: %q", out)
	}
	m := rfc822.Parse(out, rfc822.DefaultLimits())
	if len(m.Bcc) > 0 || m.Header.Raw("Bcc") != "" || m.MessageID != "id@x" || len(m.From) == 0 ||
		len(m.From) > len(authors) {
		t.Fatalf("bcc %v, id %q, from %v, authors %q: %q", m.Bcc, m.MessageID, m.From, authors, out)
	}
	for i, a := range m.From {
		if !sameAddress(a.Address, authors[i]) {
			t.Fatalf("from %q, authors %q: %q", m.From, authors, out)
		}
	}
	other, err := mail.ReadMessage(bytes.NewReader(out))
	if err != nil {
		return // it is stricter than most
	}
	if rest, _ := io.ReadAll(other.Body); !bytes.Equal(rest, body) {
		t.Fatalf("body %q, want %q", rest, body)
	}
	if list, err := other.Header.AddressList("From"); err == nil && !sameAddress(list[0].Address, authors[0]) {
		t.Fatalf("from %v, authors %q", list[0], authors)
	}
}

// sameAddress compares addresses that are quoted by other rules.
func sameAddress(a, b string) bool {
	bare := strings.NewReplacer(`"`, "", `\`, "", " ", "")
	return canonical(bare.Replace(a)) == canonical(bare.Replace(b))
}
