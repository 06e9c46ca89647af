package service

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// auditsRead is how many entries are read at once.
const auditsRead = 500

// EachAudit calls fn with every entry of the audit log after a place in its chain, oldest first. After 0 these are all,
// also those from before the chain.
func (s *Service) EachAudit(ctx context.Context, _ Access, after int64, fn func(mailbox.Audit) error) error {
	if err := s.flush(ctx); err != nil && mailbox.KindOf(err) != mailbox.DiskFull {
		return err
	}
	for number := int64(0); ; {
		var list []store.Entry[mailbox.Audit]
		err := s.view(ctx, func(r store.Reader) (err error) {
			list, err = r.AuditsAfter(ctx, number, auditsRead)
			return err
		})
		if err != nil {
			return err
		}
		for _, e := range list {
			number = e.Number
			if after > 0 && e.Value.Seq <= after {
				continue
			}
			if err := fn(e.Value); err != nil {
				return err
			}
		}
		if len(list) < auditsRead {
			return nil
		}
	}
}

// AuditReport is what was found along the chain of the audit log.
type AuditReport struct {
	mailbox.AuditCheck
	store.AuditEnds
}

// VerifyAudits goes along the whole chain of the audit log, up to the newest entry at the beginning.
func (s *Service) VerifyAudits(ctx context.Context, in Access) (AuditReport, error) {
	var r AuditReport
	if err := s.flush(ctx); err != nil && mailbox.KindOf(err) != mailbox.DiskFull {
		return r, err
	}
	var err error
	if r.AuditEnds, err = s.auditEnds(ctx); err != nil {
		return r, err
	}
	r.Last = r.Base
	later := mailbox.AuditCheck{Last: r.Head} // what is noted meanwhile
	err = s.EachAudit(ctx, in, 0, func(a mailbox.Audit) error {
		if a.Seq == 0 || r.Last.Seq < r.Head.Seq {
			r.Add(a)
		} else {
			later.Add(a)
		}
		return nil
	})
	r.End(r.Head)
	if err != nil || r.Broken != nil {
		return r, err
	}
	ends, err := s.auditEnds(ctx)
	if later.Last.Seq >= ends.Head.Seq { // otherwise there are entries again that were not read
		later.End(ends.Head)
	}
	r.Broken = later.Broken
	return r, err
}

func (s *Service) auditEnds(ctx context.Context) (ends store.AuditEnds, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		ends, err = r.AuditEnds(ctx)
		return err
	})
	return ends, err
}

// trimAudits deletes entries of the audit log that are older than the deployment keeps them.
func (s *Service) trimAudits(ctx context.Context, tx store.Tx) (removed int, more bool, err error) {
	if s.opt.AuditsKept == 0 {
		return 0, false, nil
	}
	return tx.TrimAudits(ctx, s.now().Add(-s.opt.AuditsKept), trimStep)
}
