package service

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// PartSum is what tells whether a part is the one that is expected. The digests are in hexadecimal.
type PartSum struct {
	Size              int64
	MD5, SHA1, SHA256 string
}

// PartSums reads all parts of a message once, and returns their digests by their index.
func (s *Service) PartSums(ctx context.Context, in Access, id mailbox.ID) (map[int]PartSum, error) {
	var m mailbox.Message
	err := s.view(ctx, func(r store.Reader) (err error) {
		m, _, err = s.find(ctx, r, in, id)
		return err
	})
	var d mailbox.Detail
	var c store.Content
	if err == nil {
		d, c, err = s.unpack(ctx, m)
	}
	if err != nil {
		return nil, noMessage(err)
	}
	raw, err := s.openRaw(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = raw.Close() }() // only read from
	sums := make(map[int]PartSum, len(d.Parts))
	for _, p := range d.Parts {
		m, h, h2 := md5.New(), sha1.New(), sha256.New()
		n, err := io.Copy(io.MultiWriter(m, h, h2), rawmail.Decode(p, raw))
		if err != nil {
			return nil, fail(err)
		}
		sums[p.Index] = PartSum{Size: n, MD5: hex.EncodeToString(m.Sum(nil)), SHA1: hex.EncodeToString(h.Sum(nil)),
			SHA256: hex.EncodeToString(h2.Sum(nil))}
	}
	return sums, nil
}
