package document

import (
	"context"
	"strings"
	"testing"
)

func benchmark(b *testing.B, p Part, data string) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if got := Read(context.Background(), p, strings.NewReader(data), Limits{}); got.Status != Done ||
			got.Text == "" {
			b.Fatal(got.Status)
		}
	}
}

func BenchmarkText(b *testing.B) {
	benchmark(b, Part{ContentType: "text/plain", Charset: "utf-8"},
		strings.Repeat("A line of a log, with a number: 4711.\n", 4096/38))
}

func BenchmarkCalendar(b *testing.B) {
	benchmark(b, Part{ContentType: "text/calendar"}, invitation)
}

func BenchmarkDOCX(b *testing.B) {
	benchmark(b, Part{Filename: "a.docx"}, docx(strings.Repeat(para("A paragraph of a letter, as long as a line is "+
		"on paper."), 500)))
}
