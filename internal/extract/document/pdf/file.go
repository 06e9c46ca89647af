package pdf

import (
	"io"
	"slices"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// file is a document that is being read.
type file struct {
	b    []byte
	bud  *bound.Budget
	most int // bytes of text that are asked for

	entries map[int]entry
	holders []int // streams of objects, as they lie in the file
	catalog object
	encrypt object
	id      text
	key     *cipherKey // nil where nothing is encrypted

	parsed  map[int]object
	held    map[int][]byte // data of streams of objects
	fonts   map[ref]*font
	inflate io.ReadCloser // used again for each stream
}

func open(b []byte, bud *bound.Budget) (*file, error) {
	f := &file{
		b: b, bud: bud,
		entries: map[int]entry{}, parsed: map[int]object{}, held: map[int][]byte{}, fonts: map[ref]*font{},
	}
	f.scan()
	if f.encrypt != nil {
		key, err := f.unlock()
		if err != nil {
			return nil, err
		}
		f.key = key
		clear(f.parsed) // what was read until now was not decrypted
	}
	for _, num := range f.holders {
		if !f.bud.Pause() {
			break
		}
		f.unpack(num)
	}
	return f, nil
}

// unpack enters the objects of a stream of objects (ISO 32000 7.5.7), unless the file defines them later.
func (f *file) unpack(num int) {
	s, ok := f.object(num).(*stream)
	if !ok {
		return
	}
	data := f.data(s)
	f.held[num] = data
	first, count := integer(f.resolve(s.dict["First"])), integer(f.resolve(s.dict["N"]))
	if first < 0 || first > len(data) {
		return
	}
	l := newLexer(data[:first], 0)
	for range count {
		inner, ok := l.next()
		off, ok2 := l.next()
		if !ok || !ok2 {
			return
		}
		n, o := integer(inner), integer(off)
		if n <= 0 || o < 0 || o > len(data)-first {
			continue
		}
		old, known := f.entries[n]
		if known && f.place(old) > f.place(entry{in: num}) {
			continue
		}
		if !known && !f.bud.Take(entryBytes) {
			return
		}
		f.entries[n] = entry{off: first + o, in: num}
	}
}

// place is where in the file an object lies.
func (f *file) place(e entry) int {
	if e.in > 0 {
		return f.entries[e.in].off
	}
	return e.off
}

// object reads the object with a number. It is nil where there is none.
func (f *file) object(num int) object {
	if o, ok := f.parsed[num]; ok {
		return o
	}
	e, ok := f.entries[num]
	if !ok || !f.bud.Step() {
		return nil
	}
	o, cost := f.parse(num, e)
	if !f.bud.Take(cost) {
		return nil
	}
	f.parsed[num] = o
	return o
}

// parse reads an object where it lies, and says what it takes to keep.
func (f *file) parse(num int, e entry) (object, int) {
	b := f.b
	if e.in > 0 {
		b = f.held[e.in]
	}
	l := newLexer(b[:min(len(b), e.off+maxObject)], e.off)
	o, _ := l.next()
	cost := entryBytes + (maxNodes-l.nodes)*nodeBytes + min(l.pos-e.off, maxObject)
	if f.key != nil && e.in == 0 {
		o = f.key.decryptStrings(o, num)
	}
	if d, ok := o.(dict); ok && e.from > 0 {
		return &stream{dict: d, raw: f.b[e.from:max(e.from, e.to)], num: num}, cost
	}
	if _, ok := o.(keyword); ok {
		return nil, cost
	}
	return o, cost
}

// resolve follows references.
func (f *file) resolve(o object) object {
	for range 8 {
		r, ok := o.(ref)
		if !ok {
			return o
		}
		o = f.object(int(r))
	}
	return nil
}

// dict follows references to a dictionary, or to the one of a stream. It may be nil.
func (f *file) dict(o object) dict {
	switch o := f.resolve(o).(type) {
	case dict:
		return o
	case *stream:
		return o.dict
	}
	return nil
}

func (f *file) array(o object) array {
	a, _ := f.resolve(o).(array)
	return a
}

func (f *file) name(o object) name {
	n, _ := f.resolve(o).(name)
	return n
}

// numbers reads an array of exactly n numbers.
func (f *file) numbers(o object, n int) ([]float64, bool) {
	a := f.array(o)
	if len(a) != n {
		return nil, false
	}
	out := make([]float64, n)
	for i, v := range a {
		v, ok := f.resolve(v).(float64)
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// numbersInOrder are the numbers of all objects, lowest first.
func (f *file) numbersInOrder() []int {
	nums := make([]int, 0, len(f.entries))
	for n := range f.entries {
		nums = append(nums, n)
	}
	slices.Sort(nums)
	return nums
}
