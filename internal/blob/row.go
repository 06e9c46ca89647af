package blob

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/s2"
)

// sumSize is what the checksum of a compressed row takes.
const sumSize = 4

// Compress appends raw to dst as one S2 block with a checksum behind it, and returns the result. It is for the rows of
// small messages, which every mail waits for: S2 takes a sixth of zstd's time for it, and half as much space again. Bytes
// that cannot be compressed grow by a few bytes only.
func Compress(dst, raw []byte) []byte {
	at := len(dst)
	dst = slices.Grow(dst, s2.MaxEncodedLen(len(raw))+sumSize)
	block := s2.Encode(dst[at:cap(dst)], raw)
	dst = dst[:at+len(block)]
	return binary.BigEndian.AppendUint32(dst, crc32.Checksum(raw, castagnoli))
}

// Decompress appends to dst what Compress was given. It allocates for what packed says it holds, and refuses to begin if
// that exceeds limit. Whatever packed contains, the result is the raw bytes or dst as it was and an ErrCorrupt.
func Decompress(dst, packed []byte, limit int) ([]byte, error) {
	block := packed[:max(0, len(packed)-sumSize)]
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
