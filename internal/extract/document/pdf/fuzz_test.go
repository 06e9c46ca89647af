package pdf

import (
	"context"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// seeds are documents of every make the tests have.
func seeds() [][]byte {
	var all [][]byte
	for _, c := range documents() {
		all = append(all, c.doc)
	}
	for _, c := range hostile() {
		if len(c.doc) < 64<<10 {
			all = append(all, c.doc)
		}
	}
	return all
}

func FuzzPDF(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		start := time.Now()
		bud := bound.New(ctx, 32<<20)
		text, _, err := Text(b, bud, 64<<10)
		if d := time.Since(start); d > 10*time.Second {
			t.Fatalf("took %v", d)
		}
		if err != nil && text != "" {
			t.Fatalf("text with an error: %v", err)
		}
		if !utf8.ValidString(text) {
			t.Fatalf("not UTF-8: %q", text)
		}
	})
}
