package segment

import (
	"context"
	"fmt"
	"sync/atomic"
)

// formatVersion is the first byte of a head. Version 1 has no runs of what lacks a term; of a later one nothing is
// read, and the mailbox's index is rebuilt.
const formatVersion = 2

// Reader reads one segment. It costs nothing until it is used; then it keeps the head, at most 64 KB. Many goroutines
// may use it, so a caller may keep the readers of a busy mailbox.
type Reader struct {
	id   ID
	meta Meta
	src  Source

	head atomic.Pointer[head]
}

// NewReader reads nothing yet: what is wrong with the segment shows when it is used.
func NewReader(id ID, meta Meta, src Source) *Reader {
	return &Reader{id: id, meta: meta, src: src}
}

// ID is the segment's name.
func (r *Reader) ID() ID { return r.id }

// Meta is what the store knows of the segment.
func (r *Reader) Meta() Meta { return r.meta }

// open returns the head, which it keeps; an error it does not. Two that come first at the same time both read it.
func (r *Reader) open(ctx context.Context) (*head, error) {
	if h := r.head.Load(); h != nil {
		return h, nil
	}
	payload, err := r.fetch(ctx, headBlock.number(0))
	if err != nil {
		return nil, err
	}
	h, err := parseHead(payload, r.meta)
	if err != nil {
		return nil, fmt.Errorf("head of segment %d: %w", r.id.Segment, err)
	}
	r.head.Store(h)
	return h, nil
}

// fetch gets a block from the source and checks it.
func (r *Reader) fetch(ctx context.Context, n int) ([]byte, error) {
	block, err := r.src.Block(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("read block %d of segment %d: %w", n, r.id.Segment, err)
	}
	payload, err := unseal(r.id, n, block)
	if err != nil {
		return nil, fmt.Errorf("segment %d: %w", r.id.Segment, err)
	}
	return payload, nil
}

// Stats returns the segment's part of the mailbox's counts.
func (r *Reader) Stats(ctx context.Context) (Stats, error) {
	h, err := r.open(ctx)
	if err != nil {
		return Stats{}, err
	}
	return Stats{Docs: int64(r.meta.Docs), Tokens: h.tokens}, nil
}

// TotalStats adds up the counts of a mailbox.
func TotalStats(ctx context.Context, segments []*Reader) (Stats, error) {
	var total Stats
	for _, r := range segments {
		s, err := r.Stats(ctx)
		if err != nil {
			return Stats{}, &ReadError{"count", r.id, err}
		}
		total.Docs += s.Docs
		for f, n := range s.Tokens {
			total.Tokens[f] += n
		}
	}
	return total, nil
}

// Term returns the postings of a term; nil if the segment does not have it.
func (r *Reader) Term(ctx context.Context, term string) (*Postings, error) {
	v, err := newView(ctx, r, newCache(cacheBlocks))
	if err != nil {
		return nil, err
	}
	l, ok, err := v.lookup(ctx, term)
	if err != nil || !ok {
		return nil, err
	}
	p := &Postings{}
	p.reset(v, &l)
	return p, nil
}

// TermCount is a term and the number of documents it is in.
type TermCount struct {
	Term string
	Docs int
}

// Prefix returns the terms that begin with prefix: of the first 2,048 at most limit, those in most documents, and
// whether there are more.
func (r *Reader) Prefix(ctx context.Context, prefix string, limit int) ([]TermCount, bool, error) {
	v, err := newView(ctx, r, newCache(cacheBlocks))
	if err != nil {
		return nil, false, err
	}
	x := expansion{keep: limit, names: true}
	if err := v.expand(ctx, prefix, &x); err != nil {
		return nil, false, err
	}
	return x.counts(), x.cut, nil
}
