package pdf

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// BenchmarkText reads a document of 20 pages with 50 lines each.
func BenchmarkText(b *testing.B) {
	s := onePage("")
	var kids, program strings.Builder
	for line := range 50 {
		fmt.Fprintf(&program, "BT /F1 10 Tf 72 %d Td [(A line of)-250(text, k)20(erned, as programs that set "+
			"te)-10(xt write it.)] TJ ET\n", 750-14*line)
	}
	for page := range 20 {
		num := 100 + 2*page
		fmt.Fprintf(&kids, "%d 0 R ", num)
		s.with(num, fmt.Sprintf("<</Type/Page/Contents %d 0 R/Resources 5 0 R>>", num+1))
		s.with(num+1, deflated("", program.String()))
	}
	doc := s.with(2, "<</Type/Pages/Kids["+kids.String()+"]>>").bytes()
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		text, whole, err := Text(doc, bound.New(context.Background(), budget), 1<<20)
		if err != nil || !whole || strings.Count(text, "\n") < 1000 {
			b.Fatal(len(text), whole, err)
		}
	}
}
