package service

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/rfc822"
)

// BenchmarkMark is what is read of a mail on its way in, without storing it: of the mails of the corpora with a text
// and an HTML part, of those with HTML alone, of those with text alone, and of designs of today with both parts. One
// operation is all of a kind.
func BenchmarkMark(b *testing.B) {
	root := os.Getenv("MAILKIN_CORPORA")
	if root == "" {
		b.Skip("MAILKIN_CORPORA is not set")
	}
	both, html, text := benchmarkMails(b, root)
	for _, set := range []struct {
		name  string
		mails [][]byte
	}{{"both", both}, {"html", html}, {"text", text}, {"designs", benchmarkDesigns(b, root)}} {
		b.Run(set.name, func(b *testing.B) {
			for b.Loop() {
				for _, raw := range set.mails {
					benchmarkMark(raw)
				}
			}
		})
	}
}

func benchmarkMark(raw []byte) {
	lim := rfc822.DefaultLimits()
	lim.Skim = true
	in := &intake{parsed: rfc822.Parse(raw, lim)}
	d := rawmail.Detail(in.parsed)
	row := in.list()
	settle(&row, &d)
	mark(&row, d)
}

// benchmarkMails sorts the mails of the corpora by the bodies that they have.
func benchmarkMails(b *testing.B, root string) (both, html, text [][]byte) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil || len(raw) > spoolAt || !bytes.Contains(raw, []byte("\nContent-Type:")) {
			return err
		}
		switch m := rfc822.Parse(raw, rfc822.DefaultLimits()); {
		case m.HTML == "":
			text = append(text, raw)
		case m.TextFromHTML:
			html = append(html, raw)
		default:
			both = append(both, raw)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return both, html, text
}

// benchmarkDesigns makes mails of the designs that the corpora have both as HTML and as text.
func benchmarkDesigns(b *testing.B, root string) (mails [][]byte) {
	pages, err := filepath.Glob(filepath.Join(root, "structured/react-email-demo/files/*.html"))
	if err != nil {
		b.Fatal(err)
	}
	for _, page := range pages {
		html, err := os.ReadFile(page)
		if err != nil {
			b.Fatal(err)
		}
		text, err := os.ReadFile(strings.TrimSuffix(page, "html") + "txt")
		if err != nil {
			b.Fatal(err)
		}
		mails = append(mails, fmt.Appendf(nil, "From: Shop <mail@shop.test>\r\nSubject: News\r\n"+
			"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8"+
			"\r\n\r\n%s\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n%s\r\n--b--\r\n", text, html))
	}
	return mails
}
