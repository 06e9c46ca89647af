package pdf

// span is a marked part of a program. It may say what its text is (ISO 32000 14.9.4): where a word is broken by a
// hyphen, or drawn by glyphs that are no letters.
type span struct {
	actual *string
	used   bool
}

// beginSpan opens a span with properties.
func (r *reader) beginSpan(args []object) {
	if len(r.spans) >= maxStates {
		return
	}
	var sp span
	props := r.f.dict(last(args))
	if n, ok := last(args).(name); ok {
		props = r.f.dict(r.f.dict(r.resources["Properties"])[n])
	}
	if s, ok := r.f.resolve(props["ActualText"]).(text); ok {
		words := clean(textString(s))
		sp.actual = &words
	}
	r.spans = append(r.spans, sp)
}

// actual is the outermost open span that says what its text is, or nil.
func (r *reader) actual() *span {
	for i := range r.spans {
		if r.spans[i].actual != nil {
			return &r.spans[i]
		}
	}
	return nil
}

func (r *reader) endSpan() {
	if n := len(r.spans); n > 0 {
		r.spans = r.spans[:n-1]
	}
}
