package meaning

import (
	"bytes"
	"slices"
)

// Finder finds the mails nearest to a query: it compares the vectors of all, and of the nearest also the marks, word by
// word. It is for one goroutine.
type Finder struct {
	query Query
	scan  *scanner
	far   *farScan         // nil where vectors come from an endpoint
	marks map[uint64]Marks // of those that the scan keeps, and of some that it kept
}

// Find begins a search that keeps the nearest, keep of them at most.
func (q Query) Find(keep int) *Finder {
	f := &Finder{query: q, scan: newScanner(q.Vector, keep), marks: make(map[uint64]Marks)}
	if q.far != nil {
		f.far = q.far.find(keep)
	}
	return f
}

// Add compares a mail by its record, which it does not hold on to. It tells whether the record is one of the query's
// model. A mail may be added once.
func (f *Finder) Add(id uint64, record []byte) bool {
	if f.far != nil {
		rest, vector, language := parted(record)
		if language != 0 {
			near, _ := f.scan.nearest(rest)
			f.far.add(id, vector, language, near)
			return true
		}
	}
	vectors, marks, ok := split(record, f.scan.size)
	if ok && f.far != nil && f.far.query.sure {
		f.far.addEnglish(id, vectors, marks)
		return true
	}
	if !ok || !f.scan.add(id, vectors) || len(marks) == 0 {
		return ok
	}
	if len(f.marks) > 4*f.scan.keep {
		f.marks = of(f.scan.kept, f.marks)
	}
	f.marks[id] = bytes.Clone(marks)
	return true
}

// of returns the marks of hits, without those of mails that others have displaced.
func of(hits []Hit, marks map[uint64]Marks) map[uint64]Marks {
	kept := make(map[uint64]Marks, len(hits))
	for _, h := range hits {
		if m, ok := marks[h.ID]; ok {
			kept[h.ID] = m
		}
	}
	return kept
}

// Hits returns the nearest mails whose cosine is least or more, the best first. Their score is the mean of the cosine
// and of how well the words fit; the cosine alone where mail has no marks. Mail in other languages than the query's has
// a score of the same scale.
func (f *Finder) Hits(least float32) []Hit {
	hits := f.scan.hits()
	near := slices.IndexFunc(hits, func(h Hit) bool { return h.Score < least })
	if near < 0 {
		near = len(hits)
	}
	f.fit(hits[:near])
	if f.far == nil {
		return inOrder(hits[:near])
	}
	return f.far.merge(hits, near)
}

// fit adds to the cosines of hits how well their words fit.
func (f *Finder) fit(hits []Hit) {
	var room []byte
	for i, h := range hits {
		var fits float32
		if marks, ok := f.marks[h.ID]; ok && len(f.query.words) > 0 {
			fits, room = wordsFit(f.query.words, marks, room)
			hits[i].Score = (h.Score + fits) / 2
		}
	}
}
