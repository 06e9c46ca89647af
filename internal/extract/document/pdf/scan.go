package pdf

import "bytes"

// entry is where an object lies: in the file, or in a stream of objects.
type entry struct {
	off  int // after "obj", or within the data of the stream
	in   int // the number of the stream that holds it, else 0
	from int // of what is a stream: where its bytes begin; 0 where it is none
	to   int
}

// entryBytes is what an entry takes in memory, with its place in the map.
const entryBytes = 96

// maxObject is how far the values of one object reach, without the bytes of a stream.
const maxObject = 4 << 20

// scan looks through the file for objects. Of two with one number the later one counts: that is how documents are
// changed. Streams are stepped over, so that what they hold is not taken for objects.
func (f *file) scan() {
	pos, next := 0, -1
	for f.bud.Step() {
		if next < pos {
			next = indexFrom(f.b, "obj", pos)
		}
		if t := bytes.Index(f.b[pos:next], []byte("trailer")); t >= 0 {
			pos = f.trailer(pos + t + len("trailer"))
			continue
		}
		if next == len(f.b) {
			return
		}
		at := next
		pos = at + len("obj")
		if num := objectNumber(f.b, at); num > 0 {
			pos = f.found(num, pos)
		}
		if f.bud.Short() {
			return
		}
	}
}

// indexFrom is where a word comes next, or the end.
func indexFrom(b []byte, word string, pos int) int {
	if i := bytes.Index(b[pos:], []byte(word)); i >= 0 {
		return pos + i
	}
	return len(b)
}

// trailer remembers the dictionary that says where the document begins, and returns where it ends.
func (f *file) trailer(pos int) int {
	l := newLexer(f.b[:min(len(f.b), pos+maxObject)], pos)
	o, _ := l.next()
	if d, ok := o.(dict); ok {
		f.root(d)
		return max(l.pos, pos)
	}
	return pos
}

// root takes what a trailer says. Later ones count.
func (f *file) root(d dict) {
	if _, ok := d["Root"].(ref); ok {
		f.catalog = d["Root"]
	}
	if d["Encrypt"] != nil {
		f.encrypt = d["Encrypt"]
	}
	if ids, ok := d["ID"].(array); ok && len(ids) > 0 && f.id == "" {
		f.id, _ = ids[0].(text)
	}
}

// objectNumber reads backwards from "obj": the generation, and the number before it.
func objectNumber(b []byte, at int) int {
	i := at
	i, gap := backSpace(b, i)
	i, gen := backDigits(b, i)
	if !gap && gen < 0 {
		return -1
	}
	i, gap = backSpace(b, i)
	i, num := backDigits(b, i)
	if !gap || gen < 0 || i > 0 && isRegular(b[i-1]) && b[i-1] != 'j' && b[i-1] != 'f' {
		return -1 // QUIRK: "endobj7 0 obj" and "%%EOF7 0 obj" are written
	}
	return num
}

func backSpace(b []byte, i int) (int, bool) {
	start := i
	for i > 0 && start-i < 16 && isSpace(b[i-1]) {
		i--
	}
	return i, i < start
}

// backDigits reads the number that ends at i, or returns -1.
func backDigits(b []byte, i int) (int, int) {
	end, v, unit := i, 0, 1
	for i > 0 && end-i < 9 && b[i-1] >= '0' && b[i-1] <= '9' {
		i--
		v += int(b[i]-'0') * unit
		unit *= 10
	}
	if i == end {
		return i, -1
	}
	return i, v
}

// found enters the object whose values begin at pos, and returns where to look on.
func (f *file) found(num, pos int) int {
	if _, known := f.entries[num]; !known && !f.bud.Take(entryBytes) {
		return len(f.b)
	}
	e := entry{off: pos}
	l := newLexer(f.b[:min(len(f.b), pos+maxObject)], pos)
	if l.skip(); l.peek(0) != '<' || l.peek(1) != '<' {
		f.entries[num] = e // read when it is asked for: what is read here twice could be made to take long
		return pos
	}
	o, _ := l.next()
	d, _ := o.(dict)
	after := l.pos
	if k, _ := l.next(); k != keyword("stream") {
		f.entries[num] = e
		return after
	}
	e.from = streamStart(f.b, l.pos)
	e.to = f.streamEnd(d, e.from)
	f.entries[num] = e
	f.note(num, d)
	return e.to
}

// note remembers the streams that say something about other objects.
func (f *file) note(num int, d dict) {
	switch d["Type"] {
	case name("ObjStm"):
		f.holders = append(f.holders, num)
	case name("XRef"):
		f.root(d)
	}
}

// streamStart steps over the end of the line that "stream" is in.
func streamStart(b []byte, pos int) int {
	for pos < len(b) && (b[pos] == ' ' || b[pos] == '\t') {
		pos++ // QUIRK: blanks after the keyword
	}
	if pos < len(b) && b[pos] == '\r' {
		pos++
	}
	if pos < len(b) && b[pos] == '\n' {
		pos++
	}
	return pos
}

// streamEnd believes the length only where "endstream" follows.
func (f *file) streamEnd(d dict, from int) int {
	mark := []byte("endstream")
	if n := integer(d["Length"]); n >= 0 && n <= len(f.b)-from {
		l := lexer{b: f.b[:min(len(f.b), from+n+64)], pos: from + n}
		l.skip()
		if bytes.HasPrefix(f.b[l.pos:], mark) {
			return from + n
		}
	}
	i := bytes.Index(f.b[from:], mark)
	if i < 0 {
		return len(f.b)
	}
	return from + i
}
