package blob

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// memory is a source that counts.
type memory struct {
	*bytes.Reader
	reads  int
	closed int
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	m.reads++
	return m.Reader.ReadAt(p, off)
}

func (m *memory) Close() error {
	m.closed++
	return nil
}

func pack(t testing.TB, raw []byte) []byte {
	t.Helper()
	var out []byte
	p := &packer{emit: func(b []byte) error {
		out = append(out, b...)
		return nil
	}}
	if _, err := p.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := p.flush(true); err != nil {
		t.Fatal(err)
	}
	p.release()
	return out
}

func openPacked(packed []byte) (*object, *memory, error) {
	m := &memory{Reader: bytes.NewReader(packed)}
	o, err := openObject(m, int64(len(packed)), nil)
	return o, m, err
}

func TestObjectReadAt(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	eachContent(t, func(t *testing.T, raw []byte) {
		o, _, err := openPacked(pack(t, raw))
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		if o.Size() != int64(len(raw)) {
			t.Fatalf("size %d, want %d", o.Size(), len(raw))
		}
		want := bytes.NewReader(raw)
		r := rand.New(rand.NewPCG(4, 5))
		for range 12 {
			off, n := r.Int64N(int64(len(raw))+2), r.IntN(1<<r.IntN(22))
			a, b := make([]byte, n), make([]byte, n)
			gotN, gotErr := o.ReadAt(a, off)
			wantN, wantErr := want.ReadAt(b, off)
			if gotN != wantN || !bytes.Equal(a, b) || (n > 0 && gotErr != wantErr) {
				t.Fatalf("%d bytes at %d: %d, %v; want %d, %v", n, off, gotN, gotErr, wantN, wantErr)
			}
		}
	})
}

func TestObjectReadAtMisuse(t *testing.T) {
	o, m, err := openPacked(pack(t, textBytes(100)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("negative offset is taken")
	}
	if err := errors.Join(o.Close(), o.Close()); err != nil || m.closed != 1 {
		t.Errorf("closed the source %d times: %v", m.closed, err)
	}
	if _, err := o.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("read after Close: %v", err)
	}
}

func TestObjectDecodesEachFrameOnce(t *testing.T) {
	raw := textBytes(5<<20 + 7)
	o, m, err := openPacked(pack(t, raw))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	m.reads = 0
	got, err := readAll(o)
	if err != nil || !bytes.Equal(got, raw) {
		t.Fatalf("not the bytes that went in: %v", err)
	}
	if m.reads != 6 {
		t.Errorf("%d reads for 6 frames", m.reads)
	}
}

func TestObjectConcurrentReads(t *testing.T) {
	raw := textBytes(3 << 20)
	m := bytes.NewReader(pack(t, raw))
	o, err := openObject(struct {
		io.ReaderAt
		io.Closer
	}{m, io.NopCloser(nil)}, m.Size(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			off := int64(i) * 300_000
			got := make([]byte, 500_000)
			if _, err := o.ReadAt(got, off); err != nil || !bytes.Equal(got, raw[off:off+500_000]) {
				t.Errorf("read at %d: %v", off, err)
			}
		})
	}
	wg.Wait()
}

// Any zstd tool restores a packed stream.
func TestPackedIsZstd(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, n := range sizes {
		raw := textBytes(n)
		r, err := zstd.NewReader(bytes.NewReader(pack(t, raw)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		r.Close()
		if err != nil || !bytes.Equal(got, raw) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestLongIndex(t *testing.T) {
	lens := make([]uint32, 3000)
	var frames int64
	for i := range lens {
		lens[i] = uint32(20 + i)
		frames += int64(20 + i)
	}
	stream := appendTail(make([]byte, frames), lens, 3000*frameSize-5, false)
	x, err := readIndex(bytes.NewReader(stream), int64(len(stream)))
	if err != nil {
		t.Fatal(err)
	}
	if start, packed, raw := x.frame(2999); start != frames-3019 || packed != 3019 || raw != frameSize-5 {
		t.Errorf("last frame: %d, %d, %d", start, packed, raw)
	}
}

// A flipped bit is found or, as where it sends a match to another place with the same bytes, changes nothing. Two
// frames that pack to little let every bit be tried.
func TestFlippedBits(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	raw := append(textBytes(200), make([]byte, 1<<20)...)
	packed := pack(t, raw)
	for i := range packed {
		for bit := range 8 {
			packed[i] ^= 1 << bit
			got, err := readPacked(packed)
			packed[i] ^= 1 << bit
			if err == nil && !bytes.Equal(got, raw) {
				t.Fatalf("bit %d of byte %d: wrong bytes without an error", bit, i)
			}
			if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("bit %d of byte %d: %v", bit, i, err)
			}
		}
	}
}

func TestTruncated(t *testing.T) {
	packed := pack(t, append(textBytes(200), make([]byte, 1<<20)...))
	for n := range packed {
		if _, err := readPacked(packed[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("first %d of %d bytes: %v", n, len(packed), err)
		}
		if _, err := readPacked(packed[n+1:]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("without the first %d bytes: %v", n+1, err)
		}
	}
}

func readPacked(packed []byte) ([]byte, error) {
	o, _, err := openPacked(packed)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return readAll(o)
}

func TestOpenObjectClosesOnError(t *testing.T) {
	if _, m, err := openPacked([]byte("short")); err == nil || m.closed != 1 {
		t.Errorf("closed %d times after %v", m.closed, err)
	}
}

// FuzzOpenObject reads the bytes as they are and once more with a tail whose checksum is right, which a fuzzer would
// not find by itself.
func FuzzOpenObject(f *testing.F) {
	frame := encodeFrame(nil, textBytes(300))
	f.Add(frame, uint32(len(frame)), uint32(0), int64(300))
	f.Add(append(encodeFrame(nil, make([]byte, 1<<20)), frame...), uint32(len(frame)), uint32(len(frame)),
		int64(1<<20+300))
	f.Add(pack(f, textBytes(300)), uint32(1), uint32(1), int64(-1))
	f.Add([]byte{}, uint32(0), uint32(0), int64(0))
	f.Fuzz(func(t *testing.T, data []byte, first, second uint32, raw int64) {
		lens := []uint32{first, second}
		if second == 0 {
			lens = lens[:1]
		}
		for _, stream := range [][]byte{data, appendTail(bytes.Clone(data), lens, raw, false)} {
			o, _, err := openPacked(stream)
			if err != nil {
				continue
			}
			if o.Size() > int64(len(stream))*frameSize {
				t.Fatalf("%d bytes claim to hold %d", len(stream), o.Size())
			}
			got, err := readAll(o)
			if err == nil && int64(len(got)) != o.Size() {
				t.Errorf("%d of %d bytes without an error", len(got), o.Size())
			}
			o.Close()
		}
	})
}
