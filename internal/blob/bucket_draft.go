package blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"github.com/minio/minio-go/v7"
)

const (
	// chunkSize is that of the largest pooled buffers.
	chunkSize = 1 << 20
	// partChunks make a part of 5 MB, the least that S3 takes. All parts but the last have the same size, which some
	// services insist on. 10,000 parts are allowed; long before that, at 5 GB, a service refuses to copy the object.
	partChunks = 5
	// draftField is the metadata field with the mark of a draft, by which it knows its objects.
	draftField = "Draft"
)

// bucketDraft is a Draft of a Bucket. Up to 5 MB of packed bytes wait in memory for Commit, which puts them under their
// first key at once. What is larger is uploaded in parts under a name of its own, and copied by Commit.
type bucketDraft struct {
	packing
	bucket *Bucket
	chunks []*buffer // packed bytes that are not uploaded, all but the last one full
	upload *upload   // nil before the first part
	mark   string    // tells the draft's objects from those of others
}

// upload is an object that is made of parts.
type upload struct {
	name, id string
	parts    []minio.CompletePart
	size     int64
	complete bool
}

func newBucketDraft(b *Bucket) *bucketDraft {
	w := &bucketDraft{bucket: b, mark: rand.Text()}
	w.pack.emit, w.discard = w.write, w.drop
	return w
}

// write takes packed bytes.
func (w *bucketDraft) write(b []byte) error {
	for len(b) > 0 {
		part := b[:min(len(b), chunkSize-w.last())]
		w.gather(part)
		b = b[len(part):]
		if len(w.chunks) == partChunks && w.last() == 0 {
			if err := w.sendPart(); err != nil {
				return fmt.Errorf("upload draft: %w", err)
			}
		}
	}
	return nil
}

// last is how much the last chunk holds, 0 if there is none with room.
func (w *bucketDraft) last() int {
	if len(w.chunks) == 0 {
		return 0
	}
	return len(w.chunks[len(w.chunks)-1].b) % chunkSize
}

func (w *bucketDraft) gather(b []byte) {
	if w.last() == 0 {
		w.chunks = append(w.chunks, newBuffer(len(b)))
	}
	last := &w.chunks[len(w.chunks)-1]
	*last = (*last).grown(len((*last).b) + len(b))
	(*last).b = append((*last).b, b...)
}

// waiting returns the size and the checksum of the bytes that are not uploaded.
func (w *bucketDraft) waiting() (size int64, sum string) {
	hash := sha256.New()
	for _, c := range w.chunks {
		hash.Write(c.b)
		size += int64(len(c.b))
	}
	return size, hex.EncodeToString(hash.Sum(nil))
}

// body returns a reader of those bytes for one try, which must be ended with it.
func (w *bucketDraft) body(alive func()) *body {
	readers := make([]io.Reader, len(w.chunks))
	for i, c := range w.chunks {
		readers[i] = bytes.NewReader(c.b)
	}
	return &body{from: lively{io.MultiReader(readers...), alive}}
}

// body is what a request sends. When the answer comes early, a connection may go on reading after the request is over;
// by then the buffers may hold somebody else's mail.
type body struct {
	mu   sync.Mutex
	from io.Reader // nil after the end
}

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.from == nil {
		return 0, io.ErrClosedPipe
	}
	return b.from.Read(p)
}

// end waits for a Read under way and lets no other begin.
func (b *body) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.from = nil
}

func (w *bucketDraft) freeChunks() {
	for _, c := range w.chunks {
		c.free()
	}
	w.chunks = nil
}

// options for the objects of this draft. The checksum of the content is ours: without it the library would make others.
func (w *bucketDraft) options() minio.PutObjectOptions {
	return minio.PutObjectOptions{
		ContentType: "application/zstd", UserMetadata: map[string]string{draftField: w.mark},
		DisableContentSha256: true,
	}
}

// sendPart uploads what waits as the next part.
func (w *bucketDraft) sendPart() error {
	b, ctx := w.bucket, context.Background() // a Write has none; every request has its end
	if w.upload == nil {
		up := &upload{name: b.draftName()}
		err := b.call(ctx, func(ctx context.Context, _ func()) (err error) {
			up.id, err = b.client.NewMultipartUpload(ctx, b.name, up.name, w.options())
			return err
		})
		if err != nil {
			return err
		}
		w.upload = up
	}
	number := len(w.upload.parts) + 1
	size, sum := w.waiting()
	err := b.call(ctx, func(ctx context.Context, alive func()) error {
		body := w.body(alive)
		defer body.end()
		part, err := b.client.PutObjectPart(ctx, b.name, w.upload.name, w.upload.id, number, body, size,
			minio.PutObjectPartOptions{Sha256Hex: sum, DisableContentSha256: true})
		if err == nil {
			w.upload.parts = append(w.upload.parts, minio.CompletePart{PartNumber: number, ETag: part.ETag})
		}
		return err
	})
	if err == nil {
		w.upload.size += size
		w.freeChunks()
	}
	return err
}

// drop removes what was uploaded under the draft's own name. It tries once, and a failure is for Sweep to repair.
func (w *bucketDraft) drop() {
	w.freeChunks()
	if w.upload == nil {
		return
	}
	b, up := w.bucket, w.upload
	_ = b.once(context.Background(), b.times.patience, func(ctx context.Context, _ func()) error {
		if up.complete {
			return b.client.RemoveObject(ctx, b.name, up.name, minio.RemoveObjectOptions{})
		}
		return b.client.AbortMultipartUpload(ctx, b.name, up.name, up.id)
	})
	w.upload = nil
}

func (w *bucketDraft) Commit(ctx context.Context, keys ...string) error {
	defer w.Abort()
	if err := w.check(ctx, keys); err != nil {
		return err
	}
	names, err := w.bucket.objects(keys)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // what is begun is finished
	if err := w.addKeys(ctx, w.bucket.Seals, keys); err != nil {
		return err
	}
	if err := w.seal(ctx); err != nil {
		return fmt.Errorf("upload draft: %w", err)
	}
	if err := w.publish(ctx, names); err != nil {
		return fmt.Errorf("commit blob: %w", err)
	}
	return nil
}
