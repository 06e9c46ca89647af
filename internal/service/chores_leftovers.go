package service

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Blobs that no message names are swept up. In a bucket that is also another deployment's, or that belongs to a later
// state of this one's database than the one that was restored, everything would look like that. So a bucket carries a
// mark: whose it is, and how often it was swept. The database counts the same; where the bucket is ahead of it, it has
// seen a database that knew more.

// leftoverAge is how old a blob must be to be one that was left.
const leftoverAge = time.Hour

const sweepTally = "blob sweeps"

// blobMark is what a bucket is marked with.
type blobMark struct {
	whose  string
	sweeps int64
}

func (m blobMark) String() string { return fmt.Sprintf("mailkin %s %d\n", m.whose, m.sweeps) }

func parseMark(text string) (m blobMark, ok bool) {
	fields := strings.Fields(text)
	if len(fields) != 3 || fields[0] != "mailkin" {
		return blobMark{}, false
	}
	sweeps, err := strconv.ParseInt(fields[2], 10, 64)
	return blobMark{fields[1], sweeps}, err == nil
}

// ownMark is the mark of this deployment. Its name is made from the root secret, which all nodes share, and does not
// tell it.
func (s *Service) ownMark(sweeps int64) blobMark {
	return blobMark{deploymentName(s.secrets().root), sweeps}
}

func deploymentName(root mailbox.Secret) string {
	id := derive(root, "name of the deployment")
	return hex.EncodeToString(id[:12])
}

// ClaimBlobs does for whoever fills a bucket what a service does when it opens.
func ClaimBlobs(ctx context.Context, blobs blob.Store, root mailbox.Secret, log *slog.Logger) error {
	return (&Service{opt: Options{Root: root}, blobs: blobs, log: log}).claimBlobs(ctx)
}

// claimBlobs refuses a bucket that is another deployment's, and marks one that is nobody's. One that is away for now is
// looked at before it is swept.
func (s *Service) claimBlobs(ctx context.Context) error {
	bucket, ok := s.blobs.(blob.Marked)
	if !ok {
		return nil
	}
	text, err := bucket.Mark(ctx)
	switch {
	case errors.Is(err, blob.ErrUnavailable) && !errors.Is(err, blob.ErrRefused):
		s.log.Warn("the bucket is away: large mail is put off until it is back", "error", err)
		return nil
	case err != nil:
		return err
	case text == "":
		return bucket.SetMark(ctx, s.ownMark(0).String())
	}
	if m, ok := parseMark(text); ok && s.secrets().rootOld != "" && m.whose == deploymentName(s.secrets().rootOld) {
		return bucket.SetMark(ctx, s.ownMark(m.sweeps).String()) // ours, under the name of before
	}
	return s.checkMark(bucket, text)
}

// checkMark tells whether a mark is this deployment's.
func (s *Service) checkMark(bucket blob.Marked, text string) error {
	if m, ok := parseMark(text); !ok || !slices.ContainsFunc(s.roots(),
		func(root mailbox.Secret) bool { return m.whose == deploymentName(root) }) {
		return fmt.Errorf("the bucket belongs to another deployment, or to this one with another root secret than that in "+
			"%s: give this one a prefix of its own, or delete the object %s if it is to be this one's",
			s.secretPlace(mailbox.SecretRoot), bucket.MarkName())
	}
	return nil
}

// SweepBlobs removes what no message names: what a crash, or an answer that was lost, has left.
func (s *Service) SweepBlobs(ctx context.Context) error {
	if err := s.maySweep(ctx); err != nil {
		return err
	}
	n, err := s.blobs.Sweep(ctx, leftoverAge, func(keys []string) (used []string, err error) {
		err = s.view(ctx, func(r store.Reader) (err error) {
			used, err = r.BlobsInUse(ctx, keys)
			return err
		})
		return used, err
	})
	if n > 0 {
		s.log.Info("removed leftover blobs", "count", n)
	}
	return err
}

// maySweep compares the bucket's mark with what the database has counted, and counts.
func (s *Service) maySweep(ctx context.Context) error {
	bucket, ok := s.blobs.(blob.Marked)
	if !ok {
		return nil
	}
	text, err := bucket.Mark(ctx)
	if err != nil {
		return err
	}
	if text != "" {
		if err := s.checkMark(bucket, text); err != nil {
			return err
		}
	}
	own, err := s.countSweep(ctx)
	if err != nil {
		return err
	}
	if m, _ := parseMark(text); m.sweeps >= own.sweeps {
		return fmt.Errorf("the bucket has seen a later state of the database than this one (sweep %d, and this is "+
			"%d): nothing is removed from it until the object %s is deleted",
			m.sweeps, own.sweeps, bucket.MarkName())
	}
	return bucket.SetMark(ctx, own.String())
}

// countSweep counts a sweep, for good.
func (s *Service) countSweep(ctx context.Context) (own blobMark, err error) {
	always := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	err = s.update(ctx, func(tx store.Tx) error {
		n, err := tx.Tally(ctx, 0, sweepTally, 0)
		if err != nil {
			return err
		}
		own = s.ownMark(n + 1)
		return tx.Count(ctx, 0, sweepTally, 0, always)
	})
	return own, err
}
