package meaning

import (
	"strings"
	"testing"
)

func BenchmarkVector(b *testing.B) {
	e := open(b)
	long := strings.Repeat("Please bring the signed forms to the office on the second floor before the end of the "+
		"month. ", 8)
	for _, tt := range []struct {
		name   string
		text   string
		tokens int
	}{
		{"short query", "when does my parcel arrive", 6},
		{"64 tokens", long, 64},
		{"128 tokens", long, 128},
	} {
		b.Run(tt.name, func(b *testing.B) {
			text := tt.text
			for len(e.model().tokens(text)) > tt.tokens {
				text = text[:strings.LastIndexByte(text, ' ')]
			}
			for b.Loop() {
				e.Vector(text)
			}
			b.ReportMetric(float64(len(e.model().tokens(text))), "tokens")
		})
	}
}

func BenchmarkTokens(b *testing.B) {
	e := open(b)
	for b.Loop() {
		e.model().tokens("Please bring the signed forms to the office on the second floor before the end of the month.")
	}
}

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readModel(table); err != nil {
			b.Fatal(err)
		}
	}
}
