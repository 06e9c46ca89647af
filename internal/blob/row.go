package blob

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/s2"
)

// sumSize is what the checksum of a compressed row takes.
const sumSize = 4

// Compress appends raw to dst as one S2 block with a checksum after it, and returns the result. It is for the rows of
// small messages, which every mail waits for: S2 takes a sixth of zstd's time for it, and half as much space again.
// Bytes that cannot be compressed grow by a few bytes only.
func Compress(dst, raw []byte) []byte {
	return binary.BigEndian.AppendUint32(appendBlock(dst, raw), crc32.Checksum(raw, castagnoli))
}

func appendBlock(dst, raw []byte) []byte {
	at := len(dst)
	dst = slices.Grow(dst, s2.MaxEncodedLen(len(raw))+sumSize)
	if compressible(raw) {
		block := s2.Encode(dst[at:cap(dst)], raw)
		return dst[:at+len(block)]
	}
	return appendLiteral(dst, raw)
}

// CompressDense is Compress with the block in Huffman's code where that makes it shorter: mail becomes a sixth shorter.
// Programs from before it cannot read that.
func CompressDense(dst, raw []byte) []byte {
	c := coders.Get().(*coder)
	defer coders.Put(c)
	c.block = appendBlock(c.block[:0], raw)
	block := c.block
	coded, _, err := huff0.Compress1X(block, c.table)
	if err == nil { // else it is too long, or would not become shorter
		dst = binary.AppendUvarint(append(dst, codedMark...), uint64(len(block)))
		block = coded
	}
	return binary.BigEndian.AppendUint32(append(dst, block...), crc32.Checksum(raw, castagnoli))
}

// sampleSize is how much of a long message is tried out, from its middle, where the attachments are.
const sampleSize = 4 << 10

// compressible guesses whether compressing is worth its time: base64 of a picture is not, and is what long messages
// have most of.
func compressible(raw []byte) bool {
	if len(raw) < 8*sampleSize {
		return true
	}
	sample := raw[len(raw)/2:][:sampleSize]
	var packed [sampleSize + sampleSize/4]byte
	return len(s2.Encode(packed[:], sample)) < sampleSize*9/10
}

// appendLiteral appends raw as an S2 block that is one literal.
func appendLiteral(dst, raw []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(raw)))
	n := len(raw) - 1
	return append(append(dst, 63<<2, byte(n), byte(n>>8), byte(n>>16), byte(n>>24)), raw...)
}

// Decompress appends to dst what Compress or CompressDense was given. It allocates for what packed says it holds, and
// refuses to begin if that exceeds limit. Whatever packed contains, the result is the raw bytes or dst as it was and an
// ErrCorrupt.
func Decompress(dst, packed []byte, limit int) ([]byte, error) {
	block := packed[:max(0, len(packed)-sumSize)]
	if coded, ok := bytes.CutPrefix(block, codedMark); ok {
		c := coders.Get().(*coder)
		defer coders.Put(c)
		var err error
		if block, err = c.decode(coded); err != nil {
			return dst, fmt.Errorf("%w: row: %v", ErrCorrupt, err)
		}
	}
	n, err := s2.DecodedLen(block)
	if err != nil {
		return dst, fmt.Errorf("%w: row: %v", ErrCorrupt, err)
	}
	if n > limit {
		return dst, fmt.Errorf("%w: row of %d bytes, at most %d expected", ErrCorrupt, n, limit)
	}
	at := len(dst)
	grown := slices.Grow(dst, n)
	raw, err := s2.Decode(grown[at:at+n], block)
	if err != nil {
		return dst, fmt.Errorf("%w: row: %v", ErrCorrupt, err)
	}
	if crc32.Checksum(raw, castagnoli) != binary.BigEndian.Uint32(packed[len(packed)-sumSize:]) {
		return dst, fmt.Errorf("%w: row with a wrong checksum", ErrCorrupt)
	}
	return grown[:at+len(raw)], nil
}
