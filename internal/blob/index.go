package blob

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A packed stream ends with one skippable zstd frame, all numbers little endian:
//
//	4       0x184D2A5D, the magic of a skippable frame
//	4       length of what follows
//	4 × n   packed length of each frame: the index
//	8       raw length                                  \
//	4       n, the number of frames                      | the footer,
//	4       CRC-32C of the index and the footer so far   | always the last 28 bytes
//	4       version                                      |
//	8       "mkblob\r\n"                                /
//
// Frames hold frameSize raw bytes each, the last one the rest; an empty message has none.
const (
	skippableMagic = 0x184D2A5D
	skippableHead  = 8
	footerSize     = 28
	formatVersion  = 1
	footerMagic    = "mkblob\r\n"
	// maxPacked is more than any frame of ours takes, so that a damaged index cannot ask for much memory.
	maxPacked = frameSize + bufferSlack
	// tailSize is read at once when an object is opened: footer, and index of up to a thousand frames.
	tailSize = 4 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// index is where the frames of a packed stream are: frame i lies from ends[i-1] to ends[i].
type index struct {
	ends []int64
	raw  int64
	keys int64 // length of what is between the frames and the index: the keys of a sealed stream
}

// appendTail appends the skippable frame for frames of these packed lengths.
func appendTail(dst []byte, lens []uint32, raw int64, sealed bool) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, skippableMagic)
	dst = le.AppendUint32(dst, uint32(4*len(lens)+footerSize))
	start := len(dst)
	for _, n := range lens {
		dst = le.AppendUint32(dst, n)
	}
	dst = le.AppendUint64(dst, uint64(raw))
	dst = le.AppendUint32(dst, uint32(len(lens)))
	dst = le.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
	if sealed {
		dst = le.AppendUint32(dst, sealedVersion)
	} else {
		dst = le.AppendUint32(dst, formatVersion)
	}
	return append(dst, footerMagic...)
}

// readIndex reads and checks the tail of a packed stream of size bytes. It allocates no more than the stream is long.
func readIndex(r io.ReaderAt, size int64) (index, error) {
	tail, err := readTail(r, size, tailSize)
	if err != nil {
		return index{}, err
	}
	frames, err := countFrames(tail)
	if err != nil {
		return index{}, err
	}
	need := skippableHead + 4*frames + footerSize
	if need > size {
		return index{}, fmt.Errorf("%w: index of %d frames in %d bytes", ErrCorrupt, frames, size)
	}
	if need > int64(len(tail)) {
		if tail, err = readTail(r, size, need); err != nil {
			return index{}, err
		}
	}
	return parseTail(tail[int64(len(tail))-need:], size)
}

// readTail reads the last n bytes, or all if there are less.
func readTail(r io.ReaderAt, size, n int64) ([]byte, error) {
	n = min(n, size)
	tail := make([]byte, n)
	if err := readFull(r, tail, size-n); err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	return tail, nil
}

// readFull fills p. A stream that ends before that is corrupt; it must not look like io.EOF, the end of the raw bytes.
func readFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: stream ends at %d", ErrCorrupt, off+int64(n))
	}
	return err
}

func countFrames(tail []byte) (int64, error) {
	if len(tail) < skippableHead+footerSize {
		return 0, fmt.Errorf("%w: %d bytes are no packed stream", ErrCorrupt, len(tail))
	}
	foot := tail[len(tail)-footerSize:]
	if string(foot[20:]) != footerMagic {
		return 0, fmt.Errorf("%w: no footer", ErrCorrupt)
	}
	if v := binary.LittleEndian.Uint32(foot[16:]); v != formatVersion && v != sealedVersion {
		return 0, fmt.Errorf("%w: unknown version %d", ErrCorrupt, v)
	}
	return int64(binary.LittleEndian.Uint32(foot[8:])), nil
}

// parseTail takes exactly the skippable frame. Beyond the checksum it checks that the parts fit together, because a
// checksum is no protection from a hostile file.
func parseTail(tail []byte, size int64) (index, error) {
	le := binary.LittleEndian
	table, foot := tail[skippableHead:len(tail)-footerSize], tail[len(tail)-footerSize:]
	if le.Uint32(tail) != skippableMagic || int(le.Uint32(tail[4:])) != len(tail)-skippableHead {
		return index{}, fmt.Errorf("%w: index head", ErrCorrupt)
	}
	if le.Uint32(foot[12:]) != crc32.Checksum(tail[skippableHead:len(tail)-footerSize+12], castagnoli) {
		return index{}, fmt.Errorf("%w: index checksum", ErrCorrupt)
	}
	x := index{raw: int64(le.Uint64(foot)), ends: make([]int64, len(table)/4)}
	frames := int64(len(x.ends))
	if x.raw < 0 || x.raw > frames*frameSize || x.raw <= (frames-1)*frameSize {
		return index{}, fmt.Errorf("%w: %d bytes in %d frames", ErrCorrupt, x.raw, frames)
	}
	var end int64
	for i := range x.ends {
		n := le.Uint32(table[4*i:])
		if n == 0 || n > maxPacked {
			return index{}, fmt.Errorf("%w: frame %d of %d bytes", ErrCorrupt, i, n)
		}
		end += int64(n)
		x.ends[i] = end
	}
	if isSealed(tail) {
		x.keys = size - int64(len(tail)) - end
	}
	if x.keys < 0 || end+x.keys+int64(len(tail)) != size {
		return index{}, fmt.Errorf("%w: %d bytes of frames in a stream of %d", ErrCorrupt, end, size)
	}
	return x, nil
}

// frame returns where frame i lies and how many raw bytes it holds.
func (x *index) frame(i int) (start int64, packed, raw int) {
	if i > 0 {
		start = x.ends[i-1]
	}
	return start, int(x.ends[i] - start), int(min(frameSize, x.raw-int64(i)*frameSize))
}
