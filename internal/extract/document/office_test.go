package document

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
)

// zipOf is an archive of names and contents.
func zipOf(files ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	quick, err := flate.NewWriter(nil, flate.BestSpeed) // bombs take long to make
	if err != nil {
		panic(err)
	}
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		quick.Reset(w) // one file is written after the other
		return quick, nil
	})
	for i := 0; i+1 < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			panic(err)
		}
		w.Write([]byte(files[i+1]))
	}
	z.Close()
	return b.String()
}

func docx(body string, more ...string) string {
	doc := `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="x"><w:body>` + body +
		`</w:body></w:document>`
	return zipOf(append([]string{"[Content_Types].xml", "<Types/>", "word/document.xml", doc}, more...)...)
}

func para(s string) string { return "<w:p><w:r><w:t>" + s + "</w:t></w:r></w:p>" }

func officeCases() []readCase {
	word := Part{ContentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}
	cell := func(s string) string { return "<w:tc>" + para(s) + "</w:tc>" }
	row := func(a, b string) string { return "<w:tr>" + cell(a) + cell(b) + "</w:tr>" }
	slide := func(s string) string {
		return "<p:sld><a:p><a:r><a:t>" + s + "</a:t></a:r></a:p><a:p><a:r><a:t>more</a:t></a:r></a:p></p:sld>"
	}
	odf := func(body string) string {
		return zipOf("mimetype", "x", "content.xml", "<office:body>"+body+"</office:body>")
	}
	sheet := "<worksheet><row><c t=\"s\"><v>1</v></c><c><v>2.5</v></c></row><row><c t=\"inlineStr\"><is><t>in " +
		"line</t></is></c><c t=\"b\"><v>1</v></c><c t=\"s\"><v>99</v></c></row></worksheet>"
	return []readCase{
		{name: "docx", part: word, data: docx(para("One") + para("Two &amp; three")), want: "One\nTwo & three"},
		{name: "docx by name", part: Part{ContentType: "application/octet-stream", Filename: "a.docx"},
			data: docx(para("One")), want: "One"},
		{name: "docx by its bytes", part: Part{ContentType: "application/octet-stream"}, data: docx(para("One")),
			want: "One"},
		{name: "docx in runs", part: word, data: docx(
			`<w:p><w:r><w:t>Hel</w:t></w:r><w:r><w:t xml:space="preserve">lo </w:t><w:tab/><w:t>you</w:t><w:br/><w:t>there</w:t></w:r></w:p>`), want: "Hello\tyou\nthere"},
		{name: "docx table", part: word, data: docx("<w:tbl>" + row("Tea", "3.00") + row("Total", "3.00") + "</w:tbl>" +
			para("Thanks")), want: "Tea\t3.00\nTotal\t3.00\nThanks"},
		{name: "docx changes", part: word, data: docx(
			`<w:p><w:del><w:r><w:delText>old</w:delText><w:t>gone</w:t></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>`), want: "new"},
		{name: "docx field", part: word, data: docx(
			`<w:p><w:r><w:instrText>HYPERLINK "x"</w:instrText><w:t>link</w:t></w:r></w:p>`), want: "link"},
		{name: "docx header", part: word, data: docx(para("Body"), "word/header1.xml", "<w:hdr>"+para("Letterhead")+
			"</w:hdr>"), want: "Body\n\nLetterhead"},
		{name: "docx broken at its end", part: word, data: docx(para("One") + "<w:p><w:r><w:t>Two</w:t><"), cut: true,
			want: "One\nTwo"},
		{name: "xlsx", part: Part{Filename: "a.xlsx"}, want: "Tea\t2.5\nin line\tTRUE\n\nsecond",
			data: zipOf("xl/workbook.xml", "<workbook/>", "xl/sharedStrings.xml",
				"<sst><si><t>x</t></si><si><r><t>T</t></r><r><t>ea</t></r></si><si><t>second</t></si></sst>",
				"xl/worksheets/sheet2.xml", "<row><c t=\"s\"><v>2</v></c></row>", "xl/worksheets/sheet1.xml", sheet)},
		{name: "pptx", part: Part{Filename: "a.pptx"}, want: "two\nmore\n\nten\nmore",
			data: zipOf("ppt/presentation.xml", "<p/>", "ppt/slides/slide10.xml", slide("ten"), "ppt/slides/slide2.xml",
				slide("two"))},
		{name: "odt", part: Part{ContentType: "application/vnd.oasis.opendocument.text"},
			want: "Title\nOne two\tthree\nline\na\tb",
			data: odf("<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Title</text:h><text:p>One<text:s/>two<text:tab/>three<text:line-break/>line</text:p>" +
				"<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>")},
		{name: "not an archive", part: word, data: "hello", status: Failed},
		{name: "half an archive", part: word, data: docx(para("One"))[:200], status: Failed},
		{name: "archive of something else", part: word, data: zipOf("a.txt", "x"), status: Unsupported},
	}
}

// nested is an element in an element, n times.
func nested(n int) string {
	return string(bytes.Repeat([]byte("<w:p>"), n)) + "<w:t>deep</w:t>" + fmt.Sprint(n)
}
