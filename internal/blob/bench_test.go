package blob

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// ways are those in which a row is compressed.
var ways = map[string]func(dst, raw []byte) []byte{"plain": Compress, "dense": CompressDense}

// letter is text of 4 KB as people write it.
func letter(t testing.TB) []byte {
	text, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	return text[:4<<10]
}

func BenchmarkCompress4KB(b *testing.B) {
	for name, compress := range ways {
		b.Run(name, func(b *testing.B) {
			raw := letter(b)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			var packed []byte
			for b.Loop() {
				packed = compress(packed[:0], raw)
			}
			b.ReportMetric(float64(len(packed))/float64(len(raw)), "ratio")
		})
	}
}

func BenchmarkDecompress4KB(b *testing.B) {
	for name, compress := range ways {
		b.Run(name, func(b *testing.B) {
			raw := letter(b)
			packed := compress(nil, raw)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if raw, err = Decompress(raw[:0], packed, len(raw)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCommit100KB stores mails of ten sessions at a time in 500 mailboxes.
func BenchmarkCommit100KB(b *testing.B) {
	for _, kind := range []string{"text", "base64", "random"} {
		b.Run(kind, func(b *testing.B) {
			d := openDir(b)
			raw := kinds[kind](100_000)
			for box := range 500 {
				put(b, d, nil, strconv.Itoa(box)+"/first")
			}
			var next atomic.Int64
			b.ResetTimer()
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			b.SetParallelism(5)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					n := int(next.Add(1))
					put(b, d, raw, strconv.Itoa(n%500)+"/"+strconv.Itoa(n))
				}
			})
		})
	}
}

func BenchmarkRead100MB(b *testing.B) {
	for kind, content := range kinds {
		b.Run(kind, func(b *testing.B) {
			d := openDir(b)
			raw := content(10 << 20)
			w := newDraft(d)
			for range 10 {
				if _, err := w.Write(raw); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Commit(b.Context(), "1/a"); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(w.Size())
			b.ReportAllocs()
			for b.Loop() {
				readOnce(b, d)
			}
		})
	}
}

func readOnce(b *testing.B, d *Dir) {
	o, err := d.Open(b.Context(), "1/a")
	if err != nil {
		b.Fatal(err)
	}
	defer o.Close()
	// Without WriterTo and ReaderFrom: 32 KB at a time, as a response is sent.
	from := struct{ io.Reader }{io.NewSectionReader(o, 0, o.Size())}
	if n, err := io.Copy(struct{ io.Writer }{io.Discard}, from); n != o.Size() || err != nil {
		b.Fatal(fmt.Errorf("read %d of %d: %w", n, o.Size(), err))
	}
}
