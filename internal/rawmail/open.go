package rawmail

import (
	"bytes"
	"context"
	"io"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/store"
)

// Reader reads the raw bytes of a message. The caller closes it.
type Reader struct {
	*io.SectionReader
	object blob.Object // nil when the bytes were in a row
}

// Open opens the raw bytes of stored content.
func Open(ctx context.Context, blobs blob.Store, c store.Content) (*Reader, error) {
	if c.Blob == "" {
		raw, err := Raw(c)
		return &Reader{SectionReader: io.NewSectionReader(bytes.NewReader(raw), 0, int64(len(raw)))}, err
	}
	o, err := blobs.Open(ctx, c.Blob)
	if err != nil {
		return nil, err
	}
	return &Reader{SectionReader: io.NewSectionReader(o, 0, o.Size()), object: o}, nil
}

// Close ends the reading.
func (r *Reader) Close() error {
	if r.object == nil {
		return nil
	}
	return r.object.Close()
}

// Decode decodes a part of a message from its beginning.
func Decode(part mailbox.Part, raw io.ReaderAt) io.Reader {
	p := rfc822.Part{Offset: part.Offset, Length: part.Length, Encoding: rfc822.Encoding(part.Encoding),
		Size: part.Size, SHA256: part.SHA256}
	if w := part.Inner; w != nil {
		p.Inner = &rfc822.Window{Offset: w.Offset, Length: w.Length, Encoding: rfc822.Encoding(w.Encoding)}
	}
	return p.Decode(io.NewSectionReader(raw, p.Offset, p.Length))
}
