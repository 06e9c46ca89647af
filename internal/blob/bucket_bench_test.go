package blob

import (
	"crypto/rand"
	"io"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/blob/s3test"
)

// BenchmarkBucket100MB sends bytes that cannot be compressed to a server on the same machine, and reads them back.
func BenchmarkBucket100MB(b *testing.B) {
	bucket := openBucket(b, s3test.Start(b))
	raw := randomBytes(10 << 20)
	b.Run("up", func(b *testing.B) {
		b.SetBytes(100 << 20)
		b.ReportAllocs()
		for b.Loop() {
			w := newBucketDraft(bucket)
			for range 10 {
				if _, err := w.Write(raw); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Commit(b.Context(), "1/a"); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if err := bucket.Delete(b.Context(), "1/a"); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
	b.Run("down", func(b *testing.B) {
		w := newBucketDraft(bucket)
		for range 10 {
			if _, err := w.Write(raw); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Commit(b.Context(), "1/b"); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(100 << 20)
		b.ReportAllocs()
		for b.Loop() {
			o, err := bucket.Open(b.Context(), "1/b")
			if err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, io.NewSectionReader(o, 0, o.Size())); n != 100<<20 || err != nil {
				b.Fatal(n, err)
			}
			o.Close()
		}
	})
}

// BenchmarkBucketCommit500KB stores mails of ten sessions at a time.
func BenchmarkBucketCommit500KB(b *testing.B) {
	bucket := openBucket(b, s3test.Start(b))
	raw := base64Bytes(500_000)
	b.SetBytes(int64(len(raw)))
	b.SetParallelism(5)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			put(b, bucket, raw, "1/"+strings.ToLower(rand.Text()))
		}
	})
}
