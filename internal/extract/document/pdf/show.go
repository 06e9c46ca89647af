package pdf

import "math"

// textState is what BT begins.
type textState struct {
	matrix matrix
	line   matrix
}

// piece is text at its place on the page, on a line from left to right.
type piece struct {
	x0, x1, y float64
	size      float64
	text      string
	turn      int8 // quarter turns against the page, or slanted
}

const (
	slanted    = 4
	pieceBytes = 80
	maxPieces  = 200_000 // of one page
)

// textOperator does what is about text.
func (r *reader) textOperator(op keyword, args []object) {
	s, t := &r.state, &r.text
	switch op {
	case "BT":
		t.matrix, t.line = identity, identity
	case "Tf":
		if len(args) >= 2 {
			n, _ := args[0].(name)
			s.font, s.size = r.loadFont(n, r.f.dict(r.resources["Font"])[n]), number(args[1])
		}
	case "Tm":
		if m := matrixOf(numbersOf(args)); m.sound() {
			t.matrix, t.line = m, m
		}
	case "Td", "TD":
		r.move(args, op == "TD")
	case "T*":
		r.newLine(0, -s.leading)
	case "Tc":
		s.charSpace = number(last(args))
	case "Tw":
		s.wordSpace = number(last(args))
	case "Tz":
		s.horizontal = number(last(args)) / 100
	case "TL":
		s.leading = number(last(args))
	case "Ts":
		s.rise = number(last(args))
	default:
		r.showOperator(op, args)
	}
}

// showOperator shows strings.
func (r *reader) showOperator(op keyword, args []object) {
	switch op {
	case "Tj":
		r.show(args)
	case "TJ":
		a, _ := last(args).(array)
		r.show(a)
	case "'":
		r.newLine(0, -r.state.leading)
		r.show(args)
	case "\"":
		if len(args) == 3 {
			r.state.wordSpace, r.state.charSpace = number(args[0]), number(args[1])
			r.newLine(0, -r.state.leading)
			r.show(args[2:])
		}
	}
}

func (r *reader) move(args []object, lead bool) {
	v := numbersOf(args)
	if len(v) != 2 {
		return
	}
	if lead {
		r.state.leading = -v[1]
	}
	r.newLine(v[0], v[1])
}

func (r *reader) newLine(x, y float64) {
	if m := r.text.line.moved(x, y); m.sound() {
		r.text.line, r.text.matrix = m, m
	}
}

// Gaps, in the size of the font: a word ends at the smaller, a column at the larger.
const (
	wordGap   = 0.12
	columnGap = 1.2
	backGap   = -0.4
)

// show writes strings, and moves by the numbers between them. Where a move is as wide as a blank there is one.
func (r *reader) show(parts []object) {
	s := &r.state
	if s.font == nil || len(r.out) >= maxPieces || r.bytes > 2*r.f.most {
		return
	}
	w := writing{r: r, from: r.text.matrix, to: r.text.matrix}
	for _, p := range parts {
		switch p := p.(type) {
		case text:
			w.write(p)
		case float64:
			w.gap(-p / 1000)
		}
		if !r.f.bud.Step() {
			return
		}
	}
	w.end()
}

// advance moves the pen along the line.
func (r *reader) advance(x float64) {
	if m := r.text.matrix.moved(x, 0); m.sound() {
		r.text.matrix = m
	}
}

// writing is a piece that is being written.
type writing struct {
	r    *reader
	from matrix
	to   matrix // the end of its last glyph
	buf  []byte
}

// write adds a string in the font's codes.
func (w *writing) write(s text) {
	st := &w.r.state
	x, spaced := 0.0, st.spaced(s)
	for i := 0; len(s) > 0; i++ {
		if i > 0 && spaced {
			w.blank()
		}
		code, n := st.font.code(string(s))
		x += (st.font.width(code, n)*st.size + st.charSpace) * st.horizontal
		if n == 1 && s[0] == ' ' {
			x += st.wordSpace * st.horizontal
		}
		w.buf = st.font.appendText(w.buf, code, n)
		s = s[n:]
	}
	w.r.advance(x)
	w.to = w.r.text.matrix
}

// gap moves by so much of the size of the font. A wide gap, and one backwards, ends the piece; a gap like a blank is
// one. QUIRK: a space after every character, and moves that take it back, is how some set all of their text.
func (w *writing) gap(em float64) {
	st := &w.r.state
	seen := em
	if em < 0 && st.size != 0 {
		seen += st.charSpace / st.size
	}
	far := seen < backGap || seen > columnGap
	if far {
		w.end()
	}
	w.r.advance(em * st.size * st.horizontal)
	if far || len(w.buf) == 0 {
		w.from = w.r.text.matrix
	}
	if seen > wordGap {
		w.blank()
	}
}

func (w *writing) blank() {
	if n := len(w.buf); n > 0 && w.buf[n-1] != ' ' {
		w.buf = append(w.buf, ' ')
	}
}

// spaced says whether the space after each character parts words. Letters of headings are spaced too, but not as far;
// in a string of two letters it is the only way some have of writing a blank.
func (st *state) spaced(s text) bool {
	return st.charSpace > 0.6*st.size || st.charSpace > 0.2*st.size && len(s) == 2 && !st.font.composite
}

// end makes a piece of what was written, and begins another.
func (w *writing) end() {
	r, st := w.r, &w.r.state
	from, to := w.from.moved(0, st.rise).times(st.ctm), w.to.moved(0, st.rise).times(st.ctm)
	w.from = r.text.matrix
	words := string(w.buf)
	w.buf = w.buf[:0]
	if words == "" && r.actual() == nil || !from.sound() || !to.sound() {
		return
	}
	size := math.Abs(st.size) * from.height()
	if size == 0 {
		size = 1
	}
	p := piece{size: size, text: words}
	p.turn, p.x0, p.x1, p.y = turned(from, to)
	r.add(p)
}

// add keeps a piece. Inside a span that says what its text is, that is the text.
func (r *reader) add(p piece) {
	if sp := r.actual(); sp != nil {
		if sp.used && len(r.out) > 0 {
			if last := &r.out[len(r.out)-1]; last.turn == p.turn && math.Abs(last.y-p.y) < p.size {
				last.x1 = max(last.x1, p.x1)
			}
			return
		}
		p.text = *sp.actual
		sp.used = p.text != ""
	}
	if p.text != "" && r.f.bud.Take(pieceBytes+len(p.text)) {
		r.out = append(r.out, p)
		r.bytes += len(p.text)
	}
}

// turned gives the place of a piece on a page that is turned so that the piece is written from left to right.
func turned(from, to matrix) (turn int8, x0, x1, y float64) {
	dx, dy := from[0], from[1]
	switch {
	case math.Abs(dy) <= 0.2*math.Abs(dx) && dx >= 0:
		return 0, from[4], to[4], from[5]
	case math.Abs(dy) <= 0.2*math.Abs(dx):
		return 2, -from[4], -to[4], -from[5]
	case math.Abs(dx) <= 0.2*math.Abs(dy) && dy > 0:
		return 1, from[5], to[5], -from[4]
	case math.Abs(dx) <= 0.2*math.Abs(dy):
		return 3, -from[5], -to[5], from[4]
	}
	return slanted, from[4], to[4], from[5]
}
