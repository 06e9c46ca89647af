package segment

import (
	"context"
	"encoding/binary"
	"math/bits"
)

// Position is where a term occurs: ordered by field, then by place in it.
type Position uint64

func newPosition(field int, pos uint64) Position { return Position(uint64(field)<<32 | pos) }

// Field is the field's number.
func (p Position) Field() uint8 { return uint8(p >> 32) }

// Pos is the place in the field.
func (p Position) Pos() uint32 { return uint32(p) }

// byteCursor reads numbers of the positions, over the borders of blocks.
type byteCursor struct {
	v      *view
	offset int64
	block  []byte // the one that offset is in, if it was opened
	at     int    // in block
}

func (v *view) bytesAt(offset int64) byteCursor { return byteCursor{v: v, offset: offset} }

// fill opens the block that offset is in, if nothing is left of the last.
func (c *byteCursor) fill(ctx context.Context) error {
	if c.at < len(c.block) {
		return nil
	}
	b, err := c.v.block(ctx, positionBlock, int(c.offset/streamBlock))
	if err != nil {
		return err
	}
	at := int(c.offset % streamBlock)
	if at >= len(b) {
		return corrupt("positions end early")
	}
	c.block, c.at = b, at
	return nil
}

func (c *byteCursor) advance(n int) {
	c.at += n
	c.offset += int64(n)
}

// skip passes over numbers.
func (c *byteCursor) skip(ctx context.Context, numbers int) error {
	for numbers > 0 {
		if err := c.fill(ctx); err != nil {
			return err
		}
		n, ended := span(c.block[c.at:], numbers)
		numbers -= ended
		c.advance(n)
	}
	return nil
}

// copyTo writes numbers as they are.
func (c *byteCursor) copyTo(ctx context.Context, o *output, numbers int) error {
	for numbers > 0 {
		if err := c.fill(ctx); err != nil {
			return err
		}
		n, ended := span(c.block[c.at:], numbers)
		numbers -= ended
		if err := o.write(positionBlock, c.block[c.at:c.at+n]); err != nil {
			return err
		}
		c.advance(n)
	}
	return nil
}

// span is how many bytes up to n numbers take, and how many of them end there.
func span(b []byte, numbers int) (n, ended int) {
	for i, c := range b {
		if c < 0x80 {
			if ended++; ended == numbers {
				return i + 1, ended
			}
		}
	}
	return len(b), ended
}

func (c *byteCursor) uvarint(ctx context.Context) (uint64, error) {
	if err := c.fill(ctx); err != nil {
		return 0, err
	}
	if v, n := binary.Uvarint(c.block[c.at:]); n > 0 {
		c.advance(n)
		return v, nil
	}
	var whole []byte
	for len(whole) < binary.MaxVarintLen64 {
		if err := c.fill(ctx); err != nil {
			return 0, err
		}
		whole = append(whole, c.block[c.at])
		c.advance(1)
		if v, n := binary.Uvarint(whole); n > 0 {
			return v, nil
		}
	}
	return 0, corrupt("position")
}

// positions reads those of one document.
func (c *byteCursor) positions(ctx context.Context, dst []Position, mask byte, freq uint32) ([]Position, error) {
	left := uint64(freq)
	for ; mask != 0; mask &= mask - 1 {
		count := left
		if mask&(mask-1) != 0 {
			var err error
			if count, err = c.uvarint(ctx); err != nil {
				return dst, err
			}
		}
		if count > left {
			return dst, corrupt("number of positions")
		}
		left -= count
		pos := uint64(0)
		for range count {
			step, err := c.uvarint(ctx)
			if err != nil {
				return dst, err
			}
			if pos += step; step > MaxPosition || pos > MaxPosition {
				return dst, corrupt("position")
			}
			dst = append(dst, newPosition(bits.TrailingZeros8(mask), pos))
		}
	}
	return dst, nil
}

// appendPositions writes those of one document, given in order.
func appendPositions(dst []byte, ps []Position) []byte {
	last := ps[len(ps)-1].Field()
	for len(ps) > 0 {
		f := ps[0].Field()
		n := 1
		for n < len(ps) && ps[n].Field() == f {
			n++
		}
		if f != last {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
		pos := uint32(0)
		for _, p := range ps[:n] {
			dst = binary.AppendUvarint(dst, uint64(p.Pos()-pos))
			pos = p.Pos()
		}
		ps = ps[n:]
	}
	return dst
}
