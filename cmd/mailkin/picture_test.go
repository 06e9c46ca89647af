package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// demoPicture is a recording of "mailkin demo": make pictures writes it.
const demoPicture = "../../docs/pictures/demo.svg"

// The picture of the demonstration shows every command of it, and is small. With -update it is recorded.
func TestDemoPicture(t *testing.T) {
	var out bytes.Buffer
	p := program{args: []string{"demo"}, stdout: &out, stderr: &out,
		terminal: func(io.Writer) (int, bool) { return recordedColumns, true }}
	if status := p.run(); status != exitOK {
		t.Fatalf("status %d: %s", status, out.String())
	}
	if *update {
		if err := os.WriteFile(demoPicture, recording(still(out.String())), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	picture, err := os.ReadFile(demoPicture)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(picture, new(struct{})); err != nil || len(picture) > 100<<10 {
		t.Fatalf("%d bytes, %v", len(picture), err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\$ (mailkin [a-z]+)`).FindAllStringSubmatch(
		ours.ReplaceAllString(out.String(), ""), -1) {
		if !bytes.Contains(picture, []byte(m[1])) {
			t.Errorf("the picture does not show %q: make pictures", m[1])
		}
	}
}

// still puts examples in the place of what is another in every run, so that a new recording differs only where the
// demonstration does: its folder, ports, ids, secrets and times.
func still(text string) string {
	for _, r := range []struct{ form, example string }{
		{`[^\s"]*/mailkin-demo-\d+`, "/tmp/mailkin-demo"},
		{`HTTP on 127\.0\.0\.1:\d+, SMTP on 127\.0\.0\.1:\d+`, "HTTP on 127.0.0.1:8025, SMTP on 127.0.0.1:2525"},
		{`http://127\.0\.0\.1:\d+`, "http://127.0.0.1:8025"},
		{`agent-[0-9a-f]{12}`, "agent-98f40595af48"},
		{`mk_[0-9a-f]{64}`, "mk_" + strings.Repeat("5a", 32)},
		{`("session_id": "|session=|--session |claim confirm )[\w-]{32}`, "${1}dINPNu0I_6a-UfuVeZMOkDyV8WXvU0wI"},
		{`\d{4}-\d\d-\d\d \d\d:\d\d UTC`, "2026-11-21 18:18 UTC"},
		{`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, "2026-11-18T18:18:18.018Z"},
		{`\d\d:\d\d:\d\d`, "18:18:18"},
	} {
		text = regexp.MustCompile(r.form).ReplaceAllString(text, r.example)
	}
	ids := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).FindAllString(text, -1)
	return regexp.MustCompile(`[0-9a-f]{8}[0-9a-f-]*`).ReplaceAllStringFunc(text, func(id string) string {
		for _, whole := range ids { // it may be shortened
			if n := slices.Index(ids, whole); strings.HasPrefix(whole, id) {
				return fmt.Sprintf("01a1efe1-ae%02x-77f9-9dbc-3c6875275000", n)[:len(id)]
			}
		}
		return id
	})
}

// The size of a recorded terminal, in characters, and of a character.
const (
	recordedColumns = 116
	recordedRows    = 26
	columnWidth     = 8
	rowHeight       = 18
	margin          = 14
)

// recording is what a terminal was given, as a picture that plays it: a line appears after the other, and the oldest
// leave at the top.
func recording(text string) []byte {
	var b, lines, scroll strings.Builder
	rows := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	at, times := 0.5, make([]float64, len(rows))
	for i, row := range rows {
		switch plain := ours.ReplaceAllString(row, ""); {
		case strings.HasPrefix(plain, "# "):
			at += 1.2
		case strings.HasPrefix(plain, "$ "):
			at += 0.6
		default:
			at += 0.08
		}
		times[i] = at
		fmt.Fprintf(&lines, `<text y="%d" style="animation-delay:%.2fs">%s</text>`+"\n", (i+1)*rowHeight, at, spans(row))
	}
	for i := recordedRows; i < len(rows); i++ {
		fmt.Fprintf(&scroll, "%.2f%%{transform:translateY(%dpx)}", 100*times[i]/at, -(i+1-recordedRows)*rowHeight)
	}
	width, height := recordedColumns*columnWidth+2*margin, recordedRows*rowHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d">
<title>mailkin demo</title>
<style>
svg{background:#14161a;border-radius:8px}
text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#d6d9de;white-space:pre;opacity:0;animation:show 1ms forwards}
.b{font-weight:bold;fill:#fff}.d{fill:#8b93a1}.r{fill:#f2777a}.g{fill:#7fc98b}.y{fill:#f0c674}
#all{animation:scroll %.2[3]fs step-end forwards}
@keyframes show{to{opacity:1}}
@keyframes scroll{0%%{transform:none}%[4]s}
@media(prefers-reduced-motion:reduce){text{animation:none;opacity:1}#all{animation:none}}
</style>
<clipPath id="window"><rect width="%[1]d" height="%[5]d"/></clipPath>
<g transform="translate(%[6]d %[6]d)" clip-path="url(#window)"><g id="all">
%[7]s</g></g>
</svg>
`, width, height, at, scroll.String(), recordedRows*rowHeight+6, margin, lines.String())
	return []byte(b.String())
}

// aStyle is how a terminal is told a style.
var aStyle = regexp.MustCompile(`\x1b\[(\d+)m(.*?)\x1b\[0m`)

// spans is a line of a terminal as parts of a text of a picture.
func spans(row string) string {
	var b strings.Builder
	add := func(class, text string) {
		if text = html.EscapeString(text); class != "" {
			text = `<tspan class="` + class + `">` + text + `</tspan>`
		}
		b.WriteString(text)
	}
	last := 0
	for _, m := range aStyle.FindAllStringSubmatchIndex(row, -1) {
		add("", row[last:m[0]])
		add(map[string]string{bold: "b", dim: "d", red: "r", green: "g", yellow: "y"}[row[m[2]:m[3]]], row[m[4]:m[5]])
		last = m[1]
	}
	add("", row[last:])
	return b.String()
}
