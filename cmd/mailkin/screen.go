package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// screen is an output of the program: pretty where it is a terminal, and plain where it is a pipe or a file. What it is
// given to show may come from mail: every method but trusted makes it harmless.
type screen struct {
	w       io.Writer
	width   int // columns; 0: not a terminal
	colours bool
}

const (
	usualWidth = 80 // of a terminal that does not say
	leastFlex  = 32 // columns for what gets the rest of a line: a subject that can be read
	leastOther = 10 // columns for the others, where they need as many
	gap        = 2  // columns between columns
)

func (p *program) screen(w io.Writer) screen {
	measure := p.terminal
	if measure == nil {
		measure = terminalWidth
	}
	columns, ok := measure(w)
	if !ok {
		return screen{w: w}
	}
	if columns <= 0 {
		columns = usualWidth
	}
	return screen{w: w, width: columns, colours: p.variable("NO_COLOR") == "" && p.variable("TERM") != "dumb"}
}

func (s screen) isTerminal() bool { return s.width > 0 }

// The styles, as terminals number them.
const (
	plain  = ""
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// styled shows a text that is already harmless in a style.
func (s screen) styled(style, text string) string {
	if !s.colours || style == plain || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// say writes one line.
func (s screen) say(format string, args ...any) {
	fmt.Fprintln(s.w, line(fmt.Sprintf(format, args...)))
}

// text writes a text of many lines, and ends the last.
func (s screen) text(t string) error {
	t = lines(t)
	if !strings.HasSuffix(t, "\n") && t != "" {
		t += "\n"
	}
	_, err := io.WriteString(s.w, t)
	return err
}

// bytes is where the bytes of a file go: as they are, but not to a terminal.
func (s screen) bytes() io.Writer {
	if s.isTerminal() {
		return &cleanWriter{w: s.w}
	}
	return s.w
}

// trusted writes what is ours.
func (s screen) trusted(text string) error {
	_, err := io.WriteString(s.w, text)
	return err
}

// json writes a value as the interface does: on one line, or for a person.
func (s screen) json(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if s.isTerminal() {
		e.SetIndent("", "  ")
	}
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err := s.w.Write(cleanJSON(b.Bytes()))
	return err
}

// cell is a piece of a table.
type cell struct{ text, style string }

// table is rows of cells. In a pipe it is lines with tabs, without a head.
type table struct {
	head []string
	flex int // which column gets what is left of a line, and is cut first
	rows [][]cell

	ids   []int // columns of ids, which are shortened
	whole []int // columns that are never cut: half of one is of no use
	spare []int // columns that are left out where there is no room, in this order
}

func newTable(flex int, head ...string) *table { return &table{head: head, flex: flex} }

func (t *table) withIDs(columns ...int) *table   { t.ids = columns; return t }
func (t *table) uncut(columns ...int) *table     { t.whole = columns; return t }
func (t *table) droppable(columns ...int) *table { t.spare = columns; return t }

// add adds a row.
func (t *table) add(cells ...string) {
	row := make([]cell, len(cells))
	for i, text := range cells {
		row[i].text = text
	}
	t.rows = append(t.rows, row)
}

// mark sets the style of the last row's cell.
func (t *table) mark(column int, style string) { t.rows[len(t.rows)-1][column].style = style }

func (s screen) table(t *table) error {
	if len(t.rows) == 0 {
		return nil
	}
	if !s.isTerminal() {
		return s.tabs(t)
	}
	head := make([]cell, len(t.head))
	for i, h := range t.head {
		head[i] = cell{strings.ToUpper(h), dim}
	}
	rows := append([][]cell{head}, t.rows...)
	for i, row := range rows {
		rows[i] = slices.Clone(row)
		for j := range row {
			rows[i][j].text = line(row[j].text)
		}
	}
	t.shortenIDs(rows[1:])
	widths := s.widths(rows, t)
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(s.row(row, widths))
	}
	return s.trusted(b.String())
}

// shortenIDs leaves as much of ids as tells them apart.
func (t *table) shortenIDs(rows [][]cell) {
	for _, column := range t.ids {
		var all []string
		for _, row := range rows {
			all = append(all, row[column].text)
		}
		n := uniqueLength(all)
		for _, row := range rows {
			row[column].text = row[column].text[:min(n, len(row[column].text))]
		}
	}
}

// tabs writes a table for programs.
func (s screen) tabs(t *table) error {
	var b strings.Builder
	for _, row := range t.rows {
		for i, c := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(line(c.text))
		}
		b.WriteByte('\n')
	}
	return s.trusted(b.String())
}

// widths are the columns' widths, which together fit the line: as wide as needed, or else the flexible one first and
// then the widest gives way. Columns of nothing, and those that can be spared where there is no room, get none.
func (s screen) widths(rows [][]cell, t *table) []int {
	widths := make([]int, len(rows[0]))
	for i := range widths {
		for n, row := range rows {
			if widths[i] = max(widths[i], columns(row[i].text)); n == len(rows)-1 && allEmpty(rows[1:], i) {
				widths[i] = 0
			}
		}
	}
	for _, spare := range append([]int{-1}, t.spare...) {
		if spare >= 0 {
			widths[spare] = 0
		}
		fitted := t.fit(widths, s.width)
		if lineWidth(fitted) <= s.width {
			return fitted
		}
	}
	return t.fit(widths, s.width)
}

func allEmpty(rows [][]cell, column int) bool {
	return !slices.ContainsFunc(rows, func(row []cell) bool { return row[column].text != "" })
}

// lineWidth is how many columns of a terminal a row takes.
func lineWidth(widths []int) int {
	sum := -gap
	for _, w := range widths {
		if w > 0 {
			sum += w + gap
		}
	}
	return sum
}

// fit narrows columns until they fit, or none can be narrower.
func (t *table) fit(widths []int, most int) []int {
	out := slices.Clone(widths)
	t.narrow(out, max(leastOther, most/4), most)
	out[t.flex] = max(min(out[t.flex], leastFlex), out[t.flex]-max(0, lineWidth(out)-most))
	t.narrow(out, leastOther, most)
	return out
}

// narrow takes from the widest of the columns that are not flexible, down to least, until the line fits.
func (t *table) narrow(widths []int, least, most int) {
	for over := lineWidth(widths) - most; over > 0; over-- {
		widest := -1
		for i, w := range widths {
			if w > least && i != t.flex && !slices.Contains(t.whole, i) && !slices.Contains(t.ids, i) &&
				(widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func (s screen) row(row []cell, widths []int) string {
	var b strings.Builder
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		text := cut(c.text, widths[i])
		b.WriteString(s.styled(c.style, text) + strings.Repeat(" ", max(0, widths[i]-columns(text))+gap))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

// field is a name with its value.
type field struct{ name, value string }

// fields writes names and values, without those that have none.
func (s screen) fields(list ...field) error {
	wide := 0
	for _, f := range list {
		if f.value != "" {
			wide = max(wide, len(f.name))
		}
	}
	var b strings.Builder
	for _, f := range list {
		switch {
		case f.value == "":
		case s.isTerminal():
			b.WriteString(s.styled(dim, pad(f.name, wide)) + "  " + line(f.value) + "\n")
		default:
			b.WriteString(f.name + "\t" + line(f.value) + "\n")
		}
	}
	return s.trusted(b.String())
}
