package segment

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
)

// readAll reads everything there is in every way there is, and returns the first error.
func readAll(ctx context.Context, r *Reader) error {
	v, err := newView(ctx, r, newCache(cacheBlocks))
	if err != nil {
		return err
	}
	c := newDictCursor(v)
	var at []Position
	for terms := 0; terms < 100; terms++ {
		ok, err := c.next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		p := &Postings{}
		p.reset(v, &c.list)
		for docs := 0; docs < 1000; docs++ {
			if ok, err = p.Next(ctx); err != nil {
				return err
			}
			if !ok {
				break
			}
			if at, err = p.Positions(ctx, at[:0]); err != nil {
				return err
			}
		}
	}
	for _, q := range []Query{All{}, Word(0, "one", "few"), Phrase(0, "one", "seven"), Prefix(0, "t"), Word(0, "a"),
		And{Word(0, "two"), Not{Word(0, "seven")}}, Not{Word(0, "one")}} {
		hit := func(h Hit) bool { _, err = h.Sizes(ctx); return err == nil }
		if _, err2 := Eval(ctx, []*Reader{r}, q, Options{}, hit); err2 != nil || err != nil {
			return errors.Join(err, err2)
		}
	}
	_, err = Merge(ctx, discard{}, ID{1, 9}, []*Reader{r, r}, func(seq int64) bool { return seq%7 == 0 })
	return err
}

// fuzzed are segments with all kinds of blocks and lists: one with each in its head, one with blocks of their own.
func fuzzed(t testing.TB) []kept {
	small := build(t, ID{1, 1}, map[int64][]Token{4: text(1, "one", "seven", "two"), 9: text(0, "two", "a", "one",
		"few")})
	words := newMailWords(3, 5000)
	docs := map[int64][]Token{}
	for i := range int64(1500) {
		docs[2*i+1] = append(words.mail(nil, 40), text(7, "one", "seven", "two")[:i%4]...)
	}
	return []kept{small, build(t, ID{1, 2}, docs)}
}

// TestDamage: a changed bit is an error as soon as its block is read, a missing block too.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, s := range fuzzed(t) {
		if err := readAll(t.Context(), s.Reader); err != nil {
			t.Fatal(err)
		}
		for n, block := range s.rows.blocks {
			without := newRows()
			maps.Copy(without.blocks, s.rows.blocks)
			delete(without.blocks, n)
			if err := readAll(t.Context(), NewReader(s.id, s.meta, without)); !errors.Is(err, ErrCorrupt) {
				t.Errorf("without block %#x: %v", n, err)
			}
			for at := 0; at < len(block); at += 1 + len(block)/8 {
				damaged := newRows()
				maps.Copy(damaged.blocks, s.rows.blocks)
				damaged.blocks[n] = bytes.Clone(block)
				damaged.blocks[n][at] ^= 1 << (at % 8)
				if err := readAll(t.Context(), NewReader(s.id, s.meta, damaged)); !errors.Is(err, ErrCorrupt) {
					t.Errorf("block %#x, byte %d of %d: %v", n, at, len(block), err)
				}
			}
		}
	}
}

// FuzzBlocks changes bytes of a block and makes the checksum right again: what decodes may be nonsense, but nothing
// panics, runs on for ever, or fails as anything but corrupt.
func FuzzBlocks(f *testing.F) {
	if testing.Short() {
		f.Skip("long")
	}
	segments := fuzzed(f)
	var names [][]int
	for _, s := range segments {
		names = append(names, slices.Sorted(maps.Keys(s.rows.blocks)))
	}
	f.Add(uint8(0), uint8(0), uint16(1), []byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	for i := range names[1] {
		f.Add(uint8(1), uint8(i), uint16(7), []byte{0x80})
		f.Add(uint8(1), uint8(i), uint16(300), []byte{0, 0, 0, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, which, place uint8, at uint16, change []byte) {
		s := segments[which%2]
		n := names[which%2][int(place)%len(names[which%2])]
		damaged := newRows()
		maps.Copy(damaged.blocks, s.rows.blocks)
		payload := bytes.Clone(s.rows.blocks[n][:len(s.rows.blocks[n])-checksumSize])
		start := int(at) % len(payload)
		copy(payload[start:], change)
		if len(change) > 64 {
			payload = payload[:start] // and one that is cut off
		}
		damaged.blocks[n] = seal(s.id, n, payload)
		err := readAll(t.Context(), NewReader(s.id, s.meta, damaged))
		if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTooLarge) {
			t.Fatal(err)
		}
	})
}
