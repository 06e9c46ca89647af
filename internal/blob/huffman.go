package blob

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/klauspost/compress/huff0"
)

// codedMark begins a row whose S2 block is written in Huffman's code, and names the table. It is no block: one that
// begins so holds nothing and ends there.
var codedMark = []byte{0, 1}

// table has how often each byte is in the S2 blocks of mail, as huff0 writes that: the mean over the sets of real mail,
// each byte at least once. A table that is made for a message and written with it takes a few bytes less and several
// times as long.
const table = "49108043d501fc9ffaffffff7797feffffffffffffffd1bd9c1c923f5fe5bf14736f73498f3999ba28ac83a0aab232cf324553699e" +
	"672b9290fc2620df8346e7e55cc65e560712fa2329"

// coder has the table to write with, and room for a block.
type coder struct {
	table *huff0.Scratch
	block []byte
}

var (
	coders  = sync.Pool{New: func() any { return &coder{table: readTable()} }}
	decoder = sync.OnceValue(func() *huff0.Decoder { return readTable().Decoder() })
)

func readTable() *huff0.Scratch {
	b, err := hex.DecodeString(table)
	if err != nil {
		panic(err) // it is a constant
	}
	s, _, err := huff0.ReadTable(b, nil)
	if err != nil {
		panic(err)
	}
	s.Reuse, s.WantLogLess = huff0.ReusePolicyMust, 4 // what does not become a sixteenth shorter stays as it is
	return s
}

// decode returns the block that was coded, in the room of c.
func (c *coder) decode(coded []byte) ([]byte, error) {
	n, used := binary.Uvarint(coded)
	if used <= 0 || n > huff0.BlockSizeMax {
		return nil, ErrCorrupt
	}
	c.block = slices.Grow(c.block[:0], int(n))
	block, err := decoder().Decompress1X(c.block[:0:n], coded[used:])
	if err == nil && uint64(len(block)) != n {
		err = ErrCorrupt
	}
	return block, err
}
