package pdf

import "fmt"

// fontCases are about what codes mean.
func fontCases() []testCase {
	show := func(s string) string { return "BT /F1 10 Tf 72 700 Td " + s + " Tj ET" }
	simple := func(encoding string) string {
		return "<</Type/Font/Subtype/Type1/BaseFont/X/Encoding " + encoding + ">>"
	}
	composite := func(encoding string) string {
		return "<</Type/Font/Subtype/Type0/Encoding" + encoding + "/ToUnicode 10 0 " +
			"R/DescendantFonts[<</Subtype/CIDFontType2/DW 600/W[1[500 250]5 9 700]>>]>>"
	}
	mapped := func(doc *sample, body string) []byte {
		return doc.with(10, deflated("", "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange "+
			"<0000><FFFF> endcodespacerange "+body+" endcmap")).bytes()
	}
	type1 := "%!PS-AdobeFont-1.0: CMR10\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 12 /fi " +
		"put\ndup 65 /A put\ndup 123 /endash put\nreadonly def\ncurrentfile eexec \x80\x81dup 65 /B put"
	embedded := onePage(show("(A\x0cx{)"), "<</Subtype/Type1/BaseFont/CMR10/FontDescriptor<</FontFile 11 0 R>>>>").with(
		11, deflated("", type1))
	return []testCase{
		{"windows", onePage(show(`(Caf\351 \200 5 \223x\224)`), simple("/WinAnsiEncoding")).bytes(), "Café € 5 “x”"},
		{"mac", onePage(show(`(Caf\216)`), simple("/MacRomanEncoding")).bytes(), "Café"},
		{"standard", onePage(show(`(o\256ce \261 it's)`), "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>").bytes(),
			"ofice – it’s"},
		{"differences", onePage(show(`(\001\002\003\004\005\006)`),
			simple("<</Differences[1/eacute/Scaron/f_f_i/uni20AC/afii10017/a.sc]>>")).bytes(), "éŠffi€Аa"},
		{"symbol", onePage(show("(abG)"), "<</Subtype/Type1/BaseFont/Symbol>>").bytes(), "αβΓ"},
		{"encoding of the font", embedded.bytes(), "Afi–"},
		{"map, characters", mapped(onePage(show("<0001000200030004>"), composite("/Identity-H")),
			"4 beginbfchar <0001><0041> <0002><D83DDE00> <0003><00660069> <0004><FB02> endbfchar"), "A😀fifl"},
		{"map, ranges", mapped(onePage(show("<000500060007>"), composite("/Identity-H")),
			"2 beginbfrange <0005><0006><0061> <0007><0008>[<0058><0059>] endbfrange"), "abX"},
		{"map of a simple font", mapped(onePage(show("(\x01\x02B)"), "<</Subtype/TrueType/ToUnicode 10 0 R>>"),
			"1 beginbfrange <01><02><0430> endbfrange"), "абB"},
		{"a map to nothing is not believed", mapped(onePage(show("(AB)"),
			"<</Subtype/TrueType/Encoding/WinAnsiEncoding/ToUnicode 10 0 R>>"), "1 beginbfrange <41><42><F041> "+
			"endbfrange"), "AB"},
		{"chinese in unicode", onePage(show("<4F60597D>"), composite("/UniGB-UCS2-H")).bytes(), "你好"},
		{"japanese in shift-jis", onePage(show("(\x93\xfa\x96\x7b ok)"), composite("/90ms-RKSJ-H")).bytes(), "日本 ok"},
		{"accents before letters", onePage(show(`(Caf\264e na\250\365ve)`),
			simple("<</BaseEncoding/WinAnsiEncoding/Differences[245/dotlessi]>>")).bytes(), "Café naïve"},
		{"type 3", onePage(show("(AB)"), fmt.Sprintf("<</Subtype/Type3/FontMatrix[0.01 0 0 0.01 0 0]/FirstChar "+
			"65/Widths[50 50]/Encoding%s>>", "<</Differences[65/H/i]>>")).bytes(), "Hi"},
		{"no such font", onePage("BT /F9 10 Tf 72 700 Td (gone) Tj /F1 10 Tf (here) Tj ET").bytes(), "here"},
	}
}
