package pdf

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

const budget = 64 << 20

func textOf(t *testing.T, doc []byte) string {
	t.Helper()
	ctx := t.Context()
	got, _, err := Text(doc, bound.New(ctx, budget), 1<<20)
	if err != nil {
		t.Fatalf("Text: %v", err)
	}
	return got
}

type testCase struct {
	name string
	doc  []byte
	want string
}

// documents are made as the programs make them that write most of the world's documents.
func documents() []testCase {
	return append(append(structures(), operators()...), fontCases()...)
}

// structures are about where things lie.
func structures() []testCase {
	hello := "BT /F1 12 Tf 72 700 Td (Hello, world) Tj ET"
	later := append(onePage("BT /F1 12 Tf 72 700 Td (old) Tj ET").bytes(), []byte(
		"4 0 obj\n"+streamOf("", "BT /F1 12 Tf 72 700 Td (new) Tj ET")+
			"\nendobj\ntrailer\n<</Root 1 0 R/Prev 9>>\n")...)
	png := "\x02" + hello[:10] + "\x02" + minus(hello[10:20], hello[:10]) + "\x00" + hello[20:]
	twoPages := onePage(hello).with(2, "<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2/Resources 5 0 R>>").
		with(6, "<</Type/Page/Contents[7 0 R 8 0 R]>>").with(7, streamOf("", "BT /F1 12 Tf 72 700")).with(8,
		streamOf("", "Td (second) Tj ET"))
	orphan := onePage(hello).with(1, "<<>>")
	orphan.trailer = "<<>>"
	return []testCase{
		{"plain", onePage(hello).bytes(), "Hello, world"},
		{"compressed", onePage("").with(4, deflated("", hello)).bytes(), "Hello, world"},
		{"object streams", onePage(hello).packed(), "Hello, world"},
		{"no zlib header", onePage("").with(4, streamOf("/Filter/FlateDecode", zlibbed(hello)[2:])).bytes(),
			"Hello, world"},
		{"broken zlib end", onePage("").with(4, streamOf("/Filter/FlateDecode", cutEnd(zlibbed(hello), 4))).bytes(),
			"Hello, world"},
		{"hexadecimal", onePage("").with(4, streamOf("/Filter[/ASCIIHexDecode]", fmt.Sprintf("%x>", hello))).bytes(),
			"Hello, world"},
		{"base 85", onePage("").with(4, streamOf("/Filter/A85", encode85(hello))).bytes(), "Hello, world"},
		{"lzw", onePage("").with(4, streamOf("/Filter/LZWDecode", encodeLZW(hello))).bytes(), "Hello, world"},
		{"run length", onePage("").with(4, streamOf("/Filter/RL", string(rune(len(hello)-1))+hello+"\x80")).bytes(),
			"Hello, world"},
		{"two filters", onePage("").with(4, streamOf("/Filter[/AHx/Fl]", fmt.Sprintf("%x>", zlibbed(hello)))).bytes(),
			"Hello, world"},
		{"png predictor", onePage("").with(4, deflated("/DecodeParms<</Predictor 12/Columns 10>>",
			pngRows(hello, png))).bytes(), "Hello, world"},
		{"wrong length", onePage("").with(4, strings.Replace(streamOf("", hello), "/Length 4", "/Length 1", 1)).bytes(),
			"Hello, world"},
		{"length elsewhere", onePage("").with(4, "<</Length 9 0 R>>stream\r\n"+hello+"\r\nendstream").with(9,
			"43").bytes(), "Hello, world"},
		{"later object counts", later, "new"},
		{"two pages, contents in parts", twoPages.bytes(), "Hello, world\n\fsecond"},
		{"no catalog", orphan.bytes(), "Hello, world"},
		{"something before", append([]byte("HTTP/1.1 200 OK\r\n\r\n"), onePage(hello).bytes()...), "Hello, world"},
		{"no text", onePage("0 0 m 10 10 l S").bytes(), ""},
		{"an object inside a stream", onePage("(\n3 0 obj\n<</Type/Page>>\nendobj\n) pop " + hello).bytes(),
			"Hello, world"},
	}
}

// operators are about where text stands.
func operators() []testCase {
	page := func(content string) []byte { return onePage("BT /F1 10 Tf " + content + " ET").bytes() }
	form := streamOf("/Subtype/Form/Matrix[1 0 0 1 72 600]/Resources 5 0 R", "BT /F1 10 Tf (inside a form) Tj ET")
	field := onePage("BT /F1 10 Tf 20 700 Td (Name:) Tj ET").
		with(3, "<</Type/Page/Contents 4 0 R/Resources 5 0 R/Annots[30 0 R]>>").
		with(30, "<</Subtype/Widget/Rect[72 700 200 720]/AP<</N 31 0 R>>>>").
		with(31, streamOf("/BBox[0 0 128 20]/Resources 5 0 R", "/Tx BMC BT /F1 10 Tf 2 0 Td (Ann Example) Tj ET EMC"))
	return []testCase{
		{"lines", page("14 TL 72 700 Td (one) Tj T* (two) Tj (three) ' 1 0 (four) \""), "one\ntwo\nthree\nfour"},
		{"TD sets the leading", page("72 700 Td (one) Tj 0 -12 TD (two) Tj T* (three) Tj"), "one\ntwo\nthree"},
		{"kerning is no blank", page("72 700 Td [(A)80(V)70(A)-20(ST)] TJ"), "AVAST"},
		{"a wide move is a blank", page("72 700 Td [(two)-300(words)] TJ"), "two words"},
		{"a wider one is a tab", page("72 700 Td [(Total)-9000(12.00)] TJ"), "Total\t12.00"},
		{"word by word", page("1 0 0 1 72 700 Tm (Good) Tj 1 0 0 1 101 700 Tm (day) Tj"), "Good day"},
		{"letter by letter", page("72 700 Td (G) Tj 7.78 0 Td (o) Tj 5.56 0 Td (o) Tj 5.56 0 Td (d) Tj"), "Good"},
		{"columns of a table, drawn one by one", page("72 700 Td (Tea) Tj 0 -14 Td (Total) Tj 200 14 Td (3.00) Tj 0 " +
			"-14 Td (3.00) Tj"), "Tea\t3.00\nTotal\t3.00"},
		{"bottom drawn first", page("72 600 Td (below) Tj 0 14 Td (above) Tj"), "above\nbelow"},
		{"paragraphs", page("72 700 Td (one) Tj 0 -12 Td (two) Tj 0 -30 Td (three) Tj"), "one\ntwo\n\nthree"},
		{"raised", page("72 700 Td (E = mc) Tj /F1 6 Tf 31.4 4 Td (2) Tj"), "E = mc2"},
		{"drawn twice", page("72 700 Td (Bold) Tj 0.3 0 Td (Bold) Tj"), "Bold"},
		{"spaced letters", page("3 Tc 72 700 Td (INVOICE) Tj"), "INVOICE"},
		{"turned", onePage("BT /F1 10 Tf 0 1 -1 0 300 72 Tm (upwards) Tj 0 -14 Td (next) Tj ET").bytes(),
			"upwards\nnext"},
		{"upside down axes", onePage("1 0 0 -1 0 792 cm BT /F1 10 Tf 1 0 0 -1 72 50 Tm (first) Tj 1 0 0 -1 72 62 Tm " +
			"(second) Tj ET").bytes(), "first\nsecond"},
		{"saved states", onePage("q 2 0 0 2 0 0 cm Q BT /F1 10 Tf 72 700 Td (a) Tj ET").bytes(), "a"},
		{"form", onePage("q /X1 Do Q").with(20, form).bytes(), "inside a form"},
		{"image in the program", onePage("BI /W 1 /H 1 ID (\xff\x00 EI BT /F1 10 Tf 72 700 Td (after) Tj ET").bytes(),
			"after"},
		{"strings", page(`72 700 Td (\(a\) \\ \101\
b) Tj <203c633E> Tj`), `(a) \ Ab <c>`},
		{"actual text", page("72 700 Td /Span<</ActualText(\xfe\xff\x00f\x00i)>>BDC (\x01) Tj (\x02) Tj EMC (ne) Tj"),
			"fine"},
		{"field of a form", field.bytes(), "Name:\tAnn Example"},
		{"two columns of prose", onePage(prose()).bytes(), wantProse()},
	}
}

// prose is two columns of 14 lines.
func prose() string {
	var b strings.Builder
	for i := range 14 {
		fmt.Fprintf(&b, "BT /F1 10 Tf 50 %d Td (left line %02d that goes on for a while) Tj ET\n", 700-12*i, i)
		fmt.Fprintf(&b, "BT /F1 10 Tf 320 %d Td (right line %02d that goes on for a while) Tj ET\n", 700-12*i, i)
	}
	return b.String()
}

func wantProse() string {
	var l, r []string
	for i := range 14 {
		l = append(l, fmt.Sprintf("left line %02d that goes on for a while", i))
		r = append(r, fmt.Sprintf("right line %02d that goes on for a while", i))
	}
	return strings.Join(l, "\n") + "\n\n" + strings.Join(r, "\n")
}

func TestText(t *testing.T) {
	for _, c := range documents() {
		t.Run(c.name, func(t *testing.T) {
			if got := textOf(t, c.doc); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestLogical(t *testing.T) {
	for _, c := range []struct{ name, seen, want string }{
		{"latin", "plain 12.50", "plain 12.50"},
		{"hebrew", "םלוע םולש", "שלום עולם"},
		{"brackets and a number", ")רוקמ( 4711 רפסמ", "מספר 4711 (מקור)"},
		{"a price", "129.90 :םולשתל", "לתשלום: 129.90"},
		{"latin words in it", "!הנמזהה לע Acme Corp Ltd הדות", "תודה Acme Corp Ltd על ההזמנה!"},
		{"two numbers", "20 10 םולש", "שלום 10 20"},
		{"arabic", "مقر ةروتاف", "فاتورة رقم"},
		{"a name in a line of latin", "Invoice for the company םלוע םולש of Haifa", "Invoice for the company שלום " +
			"עולם of Haifa"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := logical(c.seen); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTextIsCut(t *testing.T) {
	doc := onePage(strings.Repeat("BT /F1 10 Tf 72 700 Td (many words) Tj ET ", 100)).with(2,
		"<</Kids["+strings.Repeat("<</Contents 4 0 R/Resources 5 0 R>> ", 50)+"]>>").bytes()
	got, whole, err := Text(doc, bound.New(t.Context(), budget), 200)
	if err != nil || whole || len(got) < 200 || len(got) > 2000 {
		t.Errorf("%d bytes, whole %v, %v", len(got), whole, err)
	}
}

func TestTextEndsWithItsTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	bud := bound.New(ctx, budget)
	cancel()
	if got, whole, err := Text(structures()[0].doc, bud, 200); whole || got != "" || err != nil {
		t.Errorf("got %q, whole %v, %v", got, whole, err)
	}
}
