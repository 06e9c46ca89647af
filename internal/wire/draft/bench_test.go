package draft

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// large is a body with one attachment of about a given number of bytes, none of which is in memory.
func large(size int) io.Reader {
	line := strings.Repeat("YWJjZGVm", 8<<10)
	pieces := []io.Reader{strings.NewReader(`{"to":"a@x.example","attachments":[{"filename":"a","content":"`)}
	for range size / (len(line) / 4 * 3) {
		pieces = append(pieces, strings.NewReader(line))
	}
	return io.MultiReader(append(pieces, strings.NewReader(`"}]}`))...)
}

// An attachment goes through memory, it is never in it: all that is ever allocated for one of 20 MB is less than 1 MB.
func TestMemory(t *testing.T) {
	body := large(20_000_000)
	sp := NewSpool(t.TempDir(), nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := Read(body, Send, mailbox.DefaultLimits(), sp)
	runtime.ReadMemStats(&after)
	if err != nil || d.Attachments[0].Size < 19_000_000 {
		t.Fatal(d, err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1_000_000 {
		t.Errorf("%d bytes were allocated", got)
	}
	if err := sp.Close(); err != nil {
		t.Error(err)
	}
}

// What is not known is skipped, however large it is.
func TestMemoryOfUnknown(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for name, piece := range map[string]string{"string": strings.Repeat("YWJj\\n", 10_000),
		"list": `",` + strings.Repeat(`1,{"a":"b"},`, 5_000) + `"`} {
		pieces := []io.Reader{strings.NewReader(`{"other":["`)}
		for range 200 {
			pieces = append(pieces, strings.NewReader(piece))
		}
		body := io.MultiReader(append(pieces, strings.NewReader(`"]}`))...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(body, Send, mailbox.DefaultLimits(), NewSpool(t.TempDir(), nil))
		runtime.GC()
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 1_000_000 {
			t.Errorf("%s: %d bytes are held", name, got)
		}
	}
}

func BenchmarkSmall(b *testing.B) {
	body := []byte(`{"from":"Agent <agent@mailkin.example>","to":["Ann <ann@x.example>","bob@x.example"],"subject":"The report","text":"` +
		strings.Repeat(`A line of a report that somebody wants to read.\n`, 40) + `","html":"` +
		strings.Repeat(`<p class=\"a\">A line of a report.</p>`, 45) +
		`","headers":{"X-Agent":"1"},"tags":["report","kind=weekly"]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	from := bytes.NewReader(body)
	for b.Loop() {
		from.Reset(body)
		if _, err := Read(from, Send, mailbox.DefaultLimits(), NewSpool("", nil)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLarge(b *testing.B) {
	for _, row := range []struct{ name, line string }{
		{"plain", strings.Repeat("YWJjZGVm", 8<<10)},
		{"lines", inLines(strings.Repeat("YWJjZGVm", 8<<10), 76)},
		{"escaped plus", strings.Repeat(strings.Repeat("YWJj", 15)+`YW\u002Bj`, 1000)},
	} {
		b.Run(row.name, func(b *testing.B) {
			const size = 133_000_000
			b.SetBytes(size)
			b.ReportAllocs()
			dir := b.TempDir()
			for b.Loop() {
				pieces := []io.Reader{strings.NewReader(`{"attachments":[{"content":"`)}
				for range size / len(row.line) {
					pieces = append(pieces, strings.NewReader(row.line))
				}
				sp := NewSpool(dir, nil)
				if _, err := Read(io.MultiReader(append(pieces, strings.NewReader(`"}]}`))...), Send,
					mailbox.DefaultLimits(), sp); err != nil {
					b.Fatal(err)
				}
				if err := sp.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUnknown(b *testing.B) {
	body := []byte(`{"x":[` + strings.Repeat(`{"a":"some text in a string","b":[1,2.5,true]},`, 20_000) + `null]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(bytes.NewReader(body), Send, mailbox.DefaultLimits(), NewSpool("", nil)); err != nil {
			b.Fatal(err)
		}
	}
}
