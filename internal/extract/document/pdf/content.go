package pdf

import "bytes"

// Bounds of the program of a page.
const (
	maxOperands  = 64
	maxOperators = 4_000_000 // of one page, with its forms
	maxForms     = 12        // inside each other
	maxStates    = 256
)

// reader carries out the program of a page, as far as it is about text.
type reader struct {
	f         *file
	resources dict
	state     state
	saved     []state
	text      textState
	operators int
	forms     []int // the forms that are being read
	local     map[name]*font
	spans     []span
	out       []piece
	bytes     int // of text in out
}

// state is what q saves and Q restores.
type state struct {
	ctm        matrix
	font       *font
	size       float64
	charSpace  float64
	wordSpace  float64
	horizontal float64 // 1 is as the font is
	leading    float64
	rise       float64
}

// pieces reads the text of a page, and of the form fields on it.
func (f *file) pieces(p page) []piece {
	r := &reader{f: f, resources: p.resources, state: state{ctm: identity, horizontal: 1}}
	prog := f.content(p.dict["Contents"])
	r.run(prog)
	f.bud.Give(cap(prog))
	for _, a := range f.array(p.dict["Annots"]) {
		r.saved, r.state = nil, state{ctm: identity, horizontal: 1}
		r.annotation(f.dict(a))
	}
	return r.out
}

// run carries out a program.
func (r *reader) run(prog []byte) {
	l := newLexer(prog, 0)
	l.bud = r.f.bud
	operands := make([]object, 0, maxOperands)
	for {
		l.nodes = maxNodes
		o, ok := l.next()
		if !ok {
			return
		}
		op, isOp := o.(keyword)
		if !isOp {
			if len(operands) < maxOperands {
				operands = append(operands, o)
			}
			continue
		}
		if r.operators++; r.operators > maxOperators || !r.f.bud.Step() {
			return
		}
		if op == "BI" {
			skipImage(l)
		} else {
			r.operator(op, operands)
		}
		operands = operands[:0]
	}
}

// skipImage passes the data of an image that stands in the program: from ID to EI.
func skipImage(l *lexer) {
	i := bytes.Index(l.b[l.pos:], []byte("ID"))
	if i < 0 {
		l.pos = len(l.b)
		return
	}
	for l.pos += i + 2; ; l.pos += 2 {
		i = bytes.Index(l.b[l.pos:], []byte("EI"))
		if i < 0 {
			l.pos = len(l.b)
			return
		}
		l.pos += i
		if isSpace(l.b[l.pos-1]) && (l.pos+2 >= len(l.b) || isSpace(l.b[l.pos+2])) {
			l.pos += 2
			return
		}
	}
}

// operator does what is about places and states; the rest is about text.
func (r *reader) operator(op keyword, args []object) {
	switch op {
	case "q":
		if len(r.saved) < maxStates {
			r.saved = append(r.saved, r.state)
		}
	case "Q":
		if n := len(r.saved); n > 0 {
			r.state, r.saved = r.saved[n-1], r.saved[:n-1]
		}
	case "cm":
		if m := matrixOf(numbersOf(args)).times(r.state.ctm); m.sound() {
			r.state.ctm = m
		}
	case "Do":
		if n, ok := last(args).(name); ok {
			r.form(r.f.dict(r.resources["XObject"])[n])
		}
	case "gs":
		r.extended(args)
	case "BDC":
		r.beginSpan(args)
	case "BMC":
		r.beginSpan(nil)
	case "EMC":
		r.endSpan()
	default:
		r.textOperator(op, args)
	}
}

func last(args []object) object {
	if len(args) == 0 {
		return nil
	}
	return args[len(args)-1]
}

func numbersOf(args []object) []float64 {
	out := make([]float64, 0, 6)
	for _, a := range args {
		if v, ok := a.(float64); ok && len(out) < 6 {
			out = append(out, v)
		}
	}
	return out
}

// extended takes the font of a dictionary of states.
func (r *reader) extended(args []object) {
	n, _ := last(args).(name)
	gs := r.f.dict(r.f.dict(r.resources["ExtGState"])[n])
	if a := r.f.array(gs["Font"]); len(a) == 2 {
		r.state.font = r.loadFont("", a[0])
		r.state.size = number(r.f.resolve(a[1]))
	}
}

// form reads a form: a program with resources and a place of its own.
func (r *reader) form(o object) {
	s, ok := r.f.resolve(o).(*stream)
	if !ok || r.f.name(s.dict["Subtype"]) != "Form" || len(r.forms) >= maxForms || !r.f.bud.Pause() {
		return
	}
	for _, num := range r.forms {
		if num == s.num {
			return
		}
	}
	outer := *r
	r.forms = append(r.forms, s.num)
	r.saved, r.local, r.spans = nil, nil, nil
	if own := r.f.dict(s.dict["Resources"]); own != nil {
		r.resources = own
	}
	if m, ok := r.f.numbers(s.dict["Matrix"], 6); ok {
		if m := matrixOf(m).times(r.state.ctm); m.sound() {
			r.state.ctm = m
		}
	}
	prog := r.f.data(s)
	r.run(prog)
	r.f.bud.Give(cap(prog))
	outer.out, outer.bytes, outer.operators = r.out, r.bytes, r.operators
	*r = outer
}

// annotation reads what a form field shows: what somebody filled in is not in the page's own program.
func (r *reader) annotation(a dict) {
	if r.f.name(a["Subtype"]) != "Widget" && r.f.name(a["Subtype"]) != "FreeText" {
		return
	}
	look := r.f.resolve(r.f.dict(a["AP"])["N"])
	if states, ok := look.(dict); ok {
		look = states[r.f.name(a["AS"])]
	}
	s, ok := r.f.resolve(look).(*stream)
	rect, ok2 := r.f.numbers(a["Rect"], 4)
	if !ok || !ok2 {
		return
	}
	m := identity
	if box, ok := r.f.numbers(s.dict["BBox"], 4); ok {
		m = m.moved(-min(box[0], box[2]), -min(box[1], box[3]))
	}
	m[4] += min(rect[0], rect[2])
	m[5] += min(rect[1], rect[3])
	if s.dict["Subtype"] == nil {
		s.dict["Subtype"] = name("Form")
	}
	if m.sound() {
		r.state.ctm = m
		r.form(s)
	}
}
