package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"sort"
	"strings"
)

// sample is a document that a test writes: its objects by number.
type sample struct {
	objects map[int]string
	trailer string
}

// helvetica is a font without anything of its own.
const helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

// onePage is a document with one page, whose program is content and whose fonts are F1 and F2.
func onePage(content string, fonts ...string) *sample {
	s := &sample{objects: map[int]string{
		1: "<</Type/Catalog/Pages 2 0 R>>",
		2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources 5 0 R>>",
		4: streamOf("", content),
	}, trailer: "<</Root 1 0 R>>"}
	list := helvetica
	if len(fonts) > 0 {
		list = fonts[0]
	}
	second := helvetica
	if len(fonts) > 1 {
		second = fonts[1]
	}
	s.objects[5] = "<</Font<</F1 " + list + "/F2 " + second + ">>/XObject<</X1 20 0 R/X2 21 0 R>>>>"
	return s
}

// with sets an object.
func (s *sample) with(num int, body string) *sample {
	s.objects[num] = body
	return s
}

func streamOf(entries, data string) string {
	return fmt.Sprintf("<</Length %d%s>>stream\n%s\nendstream", len(data), entries, data)
}

func deflated(entries, data string) string {
	return streamOf("/Filter/FlateDecode"+entries, zlibbed(data))
}

func zlibbed(data string) string {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, zlib.BestSpeed) // bombs take long to make
	if err != nil {
		panic(err)
	}
	z.Write([]byte(data))
	z.Close()
	return b.String()
}

// bytes writes the document. It has no table of its objects: the reader does not look at it.
func (s *sample) bytes() []byte {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	for _, num := range s.numbers() {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", num, s.objects[num])
	}
	b.WriteString("trailer\n" + s.trailer + "\nstartxref\n0\n%%EOF\n")
	return []byte(b.String())
}

func (s *sample) numbers() []int {
	var nums []int
	for n := range s.objects {
		nums = append(nums, n)
	}
	sort.Ints(nums)
	return nums
}

// packed writes the document with all that is no stream in a stream of objects, as newer programs do.
func (s *sample) packed() []byte {
	var b, index, inner strings.Builder
	b.WriteString("%PDF-1.7\n")
	count := 0
	for _, num := range s.numbers() {
		if strings.Contains(s.objects[num], "stream\n") {
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", num, s.objects[num])
			continue
		}
		fmt.Fprintf(&index, "%d %d ", num, inner.Len())
		inner.WriteString(s.objects[num] + "\n")
		count++
	}
	head := fmt.Sprintf("/Type/ObjStm/N %d/First %d", count, index.Len())
	fmt.Fprintf(&b, "90 0 obj\n%s\nendobj\n", deflated(head, index.String()+inner.String()))
	fmt.Fprintf(&b, "91 0 obj\n%s\nendobj\n", deflated("/Type/XRef/W[1 2 1]/Size 92/Root 1 0 R", "\x00\x00\x00\x00"))
	b.WriteString("startxref\n0\n%%EOF\n")
	return []byte(b.String())
}
