package blob

import (
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// frameSize is the number of raw bytes in every frame of a packed stream but the last. It is also the encoder's
// window, which bounds what an encoder weighs.
const frameSize = 1 << 20

// Encoders and decoders are pooled, not shared: they weigh up to 1.5 MB, and as they are held only while they compute
// there are about as many as cores, however many sessions there are.
var (
	encoders = sync.Pool{New: func() any {
		e, err := zstd.NewWriter(nil,
			zstd.WithWindowSize(frameSize), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderCRC(true), zstd.WithLowerEncoderMem(true),
			zstd.WithSingleSegment(true)) // also the smallest frame says its length then
		if err != nil {
			panic(err) // the options are constants
		}
		return e
	}}
	decoders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			panic(err) // the options are constants
		}
		return d
	}}
)

// encodeFrame appends raw to dst as one checksummed zstd frame. Bytes that cannot be compressed grow by a few bytes
// only.
func encodeFrame(dst, raw []byte) []byte {
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	return e.EncodeAll(raw, slices.Grow(dst, e.MaxEncodedSize(len(raw))))
}

// rawSize reads the length of the raw bytes from the frame's header. A frame that does not say it, or has no checksum,
// is none of ours.
func rawSize(packed []byte) (uint64, error) {
	var h zstd.Header
	if err := h.Decode(packed); err != nil {
		return 0, fmt.Errorf("%w: frame header: %v", ErrCorrupt, err)
	}
	if h.Skippable || !h.HasFCS || (!h.HasCheckSum && h.FrameContentSize > 0) {
		return 0, fmt.Errorf("%w: foreign frame", ErrCorrupt)
	}
	return h.FrameContentSize, nil
}

// decodeFrame decodes the one frame in packed into dst, which is empty and has room for want bytes; it writes nowhere
// else and returns exactly that many bytes or an error.
func decodeFrame(dst, packed []byte, want int) ([]byte, error) {
	d := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(d)
	raw, err := d.DecodeAll(packed, dst)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCorrupt, err) // not %w: it may be io.EOF, which readers take for the end
	}
	if len(raw) != want {
		return nil, fmt.Errorf("%w: frame of %d bytes, %d expected", ErrCorrupt, len(raw), want)
	}
	return raw, nil
}
