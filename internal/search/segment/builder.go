package segment

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
)

// Builder collects documents of one mailbox and writes them as a segment. It may be used again and again, for one
// mailbox after the other: what it has allocated stays. One goroutine at a time.
type Builder struct {
	terms  termTable
	tokens []occurrence
	docs   []builtDoc

	// For Write.
	out     *output
	sorted  []uint64 // terms
	spare   []uint64
	next    []uint32
	grouped []docPosition
	places  []Position
	encoded []byte
}

// occurrence is a token: field and position are one number that orders them.
type occurrence struct{ term, place uint32 }

type builtDoc struct {
	seq      int64
	from, to int // tokens
	counts   [Fields]uint32
}

// docPosition is a token after sorting by term; doc counts in the order of writing.
type docPosition struct{ doc, place uint32 }

const (
	placeBits = 29 // MaxPosition
	maxTokens = 1 << 27
)

// NewBuilder returns an empty builder.
func NewBuilder() *Builder { return &Builder{terms: newTermTable(), out: newOutput()} }

// Add takes a document; Seqs begin at 1. Terms are copied. On error the builder is as it was before. A document without
// tokens is indexed too: it is found by what it does not contain.
func (b *Builder) Add(seq int64, tokens iter.Seq[Token]) error {
	if seq < 1 {
		return fmt.Errorf("%w: seq %d", ErrDocument, seq)
	}
	d := builtDoc{seq: seq, from: len(b.tokens)}
	for t := range tokens {
		if len(t.Term) == 0 || len(t.Term) > MaxTerm || t.Field >= Fields {
			b.tokens = b.tokens[:d.from]
			return fmt.Errorf("%w: a term of %d bytes in field %d", ErrDocument, len(t.Term), t.Field)
		}
		if len(b.tokens) >= maxTokens {
			b.tokens = b.tokens[:d.from]
			return fmt.Errorf("%w: more than %d tokens before a write", ErrDocument, maxTokens)
		}
		d.counts[t.Field]++
		place := uint32(t.Field)<<placeBits | min(t.Pos, MaxPosition)
		b.tokens = append(b.tokens, occurrence{b.terms.id(t.Term), place})
	}
	d.to = len(b.tokens)
	b.docs = append(b.docs, d)
	return nil
}

// Docs is the number of documents since the last Reset.
func (b *Builder) Docs() int { return len(b.docs) }

// Size is about how many bytes the builder will hold while it writes.
func (b *Builder) Size() int {
	return 16*len(b.tokens) + 64*len(b.docs) + 48*len(b.terms.ends) + len(b.terms.text)
}

// Reset forgets the documents and keeps the memory.
func (b *Builder) Reset() {
	b.terms.reset()
	b.tokens, b.docs = b.tokens[:0], b.docs[:0]
}

// Write writes the segment. Without documents it writes nothing and returns a Meta without documents. The builder keeps
// its documents, so Write may be tried again.
func (b *Builder) Write(w Writer, id ID) (Meta, error) {
	o := b.out
	o.begin(w, id)
	if err := b.writeDocs(o); err != nil {
		return Meta{}, err
	}
	b.sorted, b.spare = b.terms.order(b.sorted, b.spare)
	b.group()
	from := uint32(0)
	for _, t := range b.sorted {
		to := b.next[t]
		if from < to { // not so for a term of a refused document
			if err := b.writeTerm(o, b.terms.name(uint32(t)), b.grouped[from:to]); err != nil {
				return Meta{}, err
			}
		}
		from = to
	}
	return o.finish()
}

func (b *Builder) writeDocs(o *output) error {
	slices.SortFunc(b.docs, func(x, y builtDoc) int { return cmp.Compare(y.seq, x.seq) })
	for i := range b.docs {
		d := &b.docs[i]
		if i > 0 && b.docs[i-1].seq == d.seq {
			return fmt.Errorf("%w: seq %d twice", ErrDocument, d.seq)
		}
		entry := document{seq: d.seq}
		for f, n := range d.counts {
			entry.sizes[f] = sizeByte(uint64(n))
			o.tokens[f] += uint64(n)
		}
		if err := o.docs.add(entry); err != nil {
			return err
		}
	}
	return nil
}

// group sorts the tokens by term with one count and one move, documents newest first. After it next is where a term
// ends.
func (b *Builder) group() {
	n := len(b.terms.ends)
	b.next = slices.Grow(b.next[:0], n)[:n]
	clear(b.next)
	for _, t := range b.tokens {
		b.next[t.term]++
	}
	start := uint32(0)
	for _, t := range b.sorted {
		b.next[t], start = start, start+b.next[t]
	}
	b.grouped = slices.Grow(b.grouped[:0], len(b.tokens))[:len(b.tokens)]
	for doc, d := range b.docs {
		for _, t := range b.tokens[d.from:d.to] {
			b.grouped[b.next[t.term]] = docPosition{uint32(doc), t.place}
			b.next[t.term]++
		}
	}
}

func (b *Builder) writeTerm(o *output, term []byte, all []docPosition) error {
	if len(all) == 1 {
		return b.writeOnce(o, term, all[0])
	}
	o.list.begin(len(all))
	for len(all) > 0 {
		doc := all[0].doc
		b.places = b.places[:0]
		sorted := true
		var mask byte
		n := 0
		for ; n < len(all) && all[n].doc == doc; n++ {
			place := all[n].place
			mask |= 1 << (place >> placeBits)
			b.places = append(b.places, newPosition(int(place>>placeBits), uint64(place&MaxPosition)))
			sorted = sorted && (n == 0 || b.places[n-1] <= b.places[n])
		}
		all = all[n:]
		if !sorted {
			slices.Sort(b.places)
		}
		if n > MaxFreq {
			b.places, mask = cutPlaces(b.places)
		}
		if err := b.writePosting(o, posting{seq: b.docs[doc].seq, mask: mask,
			freq: uint32(len(b.places))}); err != nil {
			return err
		}
	}
	l, err := o.list.end()
	if err != nil {
		return err
	}
	return o.dict.add(term, l)
}

// writeOnce writes a term that occurs once, as most do.
func (b *Builder) writeOnce(o *output, term []byte, p docPosition) error {
	positions := &o.out[positionBlock]
	l := &o.list.done
	l.docs, l.post, l.postLen, l.superLen, l.pos = 1, o.out[postingBlock].offset(), 0, 0, positions.offset()
	l.few[0] = posting{seq: b.docs[p.doc].seq, mask: 1 << (p.place >> placeBits), freq: 1}
	b.encoded = binary.AppendUvarint(b.encoded[:0], uint64(p.place&MaxPosition))
	if err := o.write(positionBlock, b.encoded); err != nil {
		return err
	}
	l.posLen = positions.offset() - l.pos
	return o.dict.add(term, l)
}

func (b *Builder) writePosting(o *output, p posting) error {
	if err := o.list.add(p); err != nil {
		return err
	}
	if len(b.places) == 1 { // most of them
		b.encoded = binary.AppendUvarint(b.encoded[:0], uint64(b.places[0].Pos()))
	} else {
		b.encoded = appendPositions(b.encoded[:0], b.places)
	}
	return o.write(positionBlock, b.encoded)
}

func cutPlaces(places []Position) ([]Position, byte) {
	places = places[:MaxFreq]
	var mask byte
	for _, p := range places {
		mask |= 1 << p.Field()
	}
	return places, mask
}
