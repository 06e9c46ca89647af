package document

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"
)

func hostileCases() map[string]readCase {
	word := Part{Filename: "a.docx"}
	zeros := strings.Repeat("\x00", 20<<20)
	blanks := strings.Repeat(" ", 20<<20)
	names := make([]string, 0, 12000)
	for i := range 6000 {
		names = append(names, fmt.Sprintf("f%d", i), "")
	}
	attrs := strings.Repeat(`a="" `, 2<<20)
	shared := "<sst>" + strings.Repeat("<si><t>x</t></si>", 1<<16) + "</sst>"
	xml := Part{ContentType: "application/xml"}
	return map[string]readCase{
		"bomb":               {part: word, data: docx(zeros), status: Failed},
		"bomb of blanks":     {part: word, data: docx(blanks), status: TooLarge},
		"bomb after text":    {part: word, data: docx(para("first") + blanks), want: "first"},
		"bomb of elements":   {part: word, data: docx(strings.Repeat("<w:p/>", 1<<20)), status: TooLarge},
		"bomb of attributes": {part: word, data: docx("<w:p " + attrs + ">"), status: TooLarge},
		"deep elements":      {part: word, data: docx(nested(1 << 17)), want: "deep"},
		"many files":         {part: word, data: zipOf(names...), status: TooLarge},
		"shared strings": {part: Part{Filename: "a.xlsx"}, data: zipOf("xl/workbook.xml", "",
			"xl/sharedStrings.xml", shared)},
		"attributes":     {part: xml, data: "<a " + strings.Repeat(`b="" `, 1<<18), status: TooLarge},
		"angle brackets": {part: xml, data: strings.Repeat("<", 1<<20), status: Failed},
		"entities":       {part: xml, data: `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>`, want: "&b;"},
		"open comment":   {part: xml, data: "<a>x<!--" + strings.Repeat("-", 1<<20), want: "x"},
		"rtf groups":     {part: Part{ContentType: "text/rtf"}, data: `{\rtf1 ` + strings.Repeat("{", 1<<20)},
		"rtf controls":   {part: Part{ContentType: "text/rtf"}, data: `{\rtf1 ` + strings.Repeat(`\u-1`, 1<<18)},
		"calendar fold": {part: Part{ContentType: "text/calendar"}, data: "SUMMARY:" + strings.Repeat("a\n ",
			1<<18)},
		"calendar soft lines": {part: Part{ContentType: "text/calendar"}, data: "SUMMARY;ENCODING=QUOTED-PRINTABLE:" +
			strings.Repeat("aaaaa=\n", 1<<17)},
		"calendar components": {part: Part{ContentType: "text/calendar"}, data: strings.Repeat("BEGIN:VEVENT\n",
			1<<16)},
		"calendar parameters": {part: Part{ContentType: "text/calendar"}, data: "DTSTART" + strings.Repeat(";a=b",
			1<<17) + ":x"},
		"html": {part: Part{ContentType: "text/html"}, data: strings.Repeat("<div><table><p>", 1<<15)},
		"mail in mail": {part: Part{ContentType: "message/rfc822"},
			data: strings.Repeat("Content-Type: message/rfc822\n\n", 1<<15)},
	}
}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	lim := DefaultLimits()
	lim.Memory = 4 << 20
	for name, c := range hostileCases() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := read(deadline(t, time.Minute), c.part, strings.NewReader(c.data), lim)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 200<<20 {
				t.Errorf("allocated %d MB in all", n>>20)
			}
			if c.status != "" && got.Status != c.status {
				t.Errorf("status %s, want %s (%q)", got.Status, c.status, got.Text[:min(len(got.Text), 100)])
			}
			if c.want != "" && !strings.HasPrefix(got.Text, c.want) {
				t.Errorf("got %q, want %q", got.Text[:min(len(got.Text), 100)], c.want)
			}
		})
	}
}

func deadline(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// TestTimeIsKept reads what takes long with a limit that is short.
func TestTimeIsKept(t *testing.T) {
	slow := map[string]readCase{
		"archive": {part: Part{Filename: "a.docx"}, data: docx(strings.Repeat("<w:p/>", 4<<20))},
		"xml":     {part: Part{ContentType: "text/xml"}, data: strings.Repeat("<a/>", 1<<20)},
	}
	for name, c := range slow {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got := Read(t.Context(), c.part, strings.NewReader(c.data), Limits{Time: 20 * time.Millisecond})
			if took := time.Since(start); took > 30*time.Second { // the machine may be busy
				t.Errorf("took %v", took)
			}
			if got.Status != Failed {
				t.Errorf("got %s", got.Status)
			}
		})
	}
}

// TestPrefixes reads every beginning of every document.
func TestPrefixes(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, c := range readCases() {
		for n := range min(len(c.data), 4000) {
			read(t.Context(), c.part, strings.NewReader(c.data[:n]), DefaultLimits())
		}
	}
}

func TestNoise(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, magic := range []string{"", "PK\x03\x04", "%PDF-1.7\n", `{\rtf1 `, "BEGIN:VCALENDAR\n",
		"<?xml version='1.0'?><a>"} {
		for _, kind := range []string{"text/plain", "text/html", "text/xml", "text/calendar", "text/rtf",
			"message/rfc822", "application/octet-stream", "application/pdf"} {
			for range 20 {
				b := make([]byte, 500)
				for i := range b {
					b[i] = byte(rnd.Uint32())
				}
				read(t.Context(), Part{ContentType: kind}, strings.NewReader(magic+string(b)), DefaultLimits())
			}
		}
	}
}
