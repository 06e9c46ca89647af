package segment

import "context"

// lacksDocs is how many documents a list has at least after which the runs that lack its term are kept: shorter lists
// are walked as fast. It is a variable for tests.
var lacksDocs = 1 << 10

// maxRuns bounds what is held while a segment is written, 2.5 MB: what would have more has none.
const maxRuns = 1 << 16

// holeWriter collects the Seqs between the documents that belong to none.
type holeWriter struct {
	all  []seqRange // newest first
	many bool       // there are more
}

func (w *holeWriter) begin() { w.all, w.many = w.all[:0], false }

// between takes two documents, one after the other.
func (w *holeWriter) between(newer, older int64) {
	switch {
	case newer-older <= 1:
	case len(w.all) == maxRuns:
		w.many = true
	default:
		w.all = append(w.all, seqRange{newer - 1, older + 1})
	}
}

// What the documents of a run lack, kept where postings have their fields.
const (
	lacksAll  = 1 << iota // the term
	lacksHere             // it is in other fields than those that count
)

// lackWriter collects the documents that lack a term, as runs of Seqs, while its list is written chunk by chunk.
//
// A word that nearly every mail has is mostly asked for to be excluded, and then the few mails without it are what is
// wanted: where two lists would be walked to their end, a few steps along the runs do.
type lackWriter struct {
	o     *output
	mask  byte  // fields that count: in which all of the first chunk have it, or any at all
	union byte  // all fields that have it
	next  int64 // the newest Seq that was not looked at
	left  int64 // how many documents may still be without
	hole  int   // the first that was not passed
	runs  []posting
}

// begin takes how many documents the term is in at most.
func (w *lackWriter) begin(most int) {
	m := &w.o.meta
	w.left = int64(m.Docs / 4)
	if most < lacksDocs || int64(m.Docs-most) > w.left || w.o.docs.holes.many {
		w.left = -1
	}
	w.mask, w.union, w.next, w.hole, w.runs = 0, 0, m.MaxSeq, 0, w.runs[:0]
}

// chunk takes the next postings of the list.
func (w *lackWriter) chunk(ps []posting) {
	if w.left < 0 {
		return // too many are without it
	}
	for i := range ps {
		w.union |= ps[i].mask
	}
	if w.mask == 0 {
		w.mask = commonFields(ps)
	}
	for i := range ps {
		seq := ps[i].seq
		if seq < w.next {
			w.lack(w.next, seq+1)
		}
		if ps[i].mask&w.mask == 0 {
			w.run(seq, seq, lacksHere)
		}
		w.next = seq - 1
	}
}

// commonFields is the fields that all have, or every field.
func commonFields(ps []posting) byte {
	common := byte(anyField)
	for i := range ps {
		common &= ps[i].mask
	}
	if common == 0 {
		return anyField
	}
	return common
}

// lack notes what lies between two documents that have the term: runs of documents, and perhaps holes.
func (w *lackWriter) lack(high, low int64) {
	holes := w.o.docs.holes.all
	for w.hole < len(holes) && holes[w.hole].low > high {
		w.hole++
	}
	for ; w.left >= 0 && w.hole < len(holes) && holes[w.hole].high >= low; w.hole++ {
		w.run(high, holes[w.hole].high+1, lacksAll)
		high = holes[w.hole].low - 1
	}
	w.run(high, low, lacksAll)
}

// run notes a run. It is kept as its lowest Seq, and its length where postings have their frequency.
func (w *lackWriter) run(high, low int64, kind byte) {
	for w.left -= high - low + 1; w.left >= 0 && high >= low; high -= MaxFreq {
		if len(w.runs) == maxRuns {
			w.left = -1
			return
		}
		first := max(low, high-MaxFreq+1)
		w.runs = append(w.runs, posting{seq: first, mask: kind, freq: uint32(high - first + 1)})
	}
}

// end returns the runs of a list of a given number of documents, false if it has none.
func (w *lackWriter) end(docs int) ([]posting, bool) {
	if docs >= lacksDocs && w.left >= 0 {
		w.lack(w.next, w.o.meta.MinSeq)
	}
	if docs < lacksDocs || w.left < 0 {
		return nil, false
	}
	w.mask &= w.union // where every field counts, those that there are
	return w.runs, true
}

// lacking is the list of runs of a term, as one of postings.
func (l *list) lacking() list {
	return list{docs: l.lacks, post: l.post + l.postLen, postLen: l.lacksLen, superLen: l.lacksSuper, apart: true}
}

// lacking walks the Seqs that a term is not in.
type lacking struct {
	runs  Postings
	kinds byte // of runs that count
}

func (c *lacking) seek(ctx context.Context, target int64) (int64, error) {
	for range chunkDocs {
		low, err := c.runs.seek(ctx, target)
		if err != nil || low == noDoc {
			return noDoc, err
		}
		if c.runs.Fields()&c.kinds != 0 {
			return min(target, low+int64(c.runs.Freq())-1), nil
		}
		if target = low - 1; target == noDoc {
			return noDoc, nil
		}
	}
	return target, nil
}

func (c *lacking) at(ctx context.Context, seq int64) (bool, error) {
	low, err := c.runs.seek(ctx, seq)
	return low != noDoc && seq < low+int64(c.runs.Freq()) && c.runs.Fields()&c.kinds != 0, err
}

func (c *lacking) cost() int { return c.runs.list.docs }

// lacksOf appends what is known of the documents without the word: all of them are in each part. With whole there is no
// other that is in all parts.
func (c *word) lacksOf(parts []cursor) (_ []cursor, whole bool) {
	whole = len(c.rare) == 0
	for _, p := range c.lists {
		l := &p.list
		part := &lacking{kinds: lacksAll | lacksHere}
		switch {
		case l.lacksMask == 0 || l.lacksMask&^c.fields != 0: // nothing is known
			whole = false
			continue
		case l.lacksUnion&^c.fields == 0: // what has it elsewhere has it
			part.kinds = lacksAll
		case l.lacksMask != c.fields:
			whole = false
		}
		runs := l.lacking()
		part.runs.reset(c.v, &runs)
		parts = append(parts, part)
	}
	return parts, whole
}
