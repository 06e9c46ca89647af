package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/wake"
)

// sendAll sends what is told, over one connection, until ctx ends; and then what was told before.
func (n *Notifier) sendAll(ctx context.Context) {
	s := noticeSender{n: n}
	defer s.close()
	retry, logged := noticeRetry, time.Time{}
	for {
		select {
		case <-n.told:
		case <-ctx.Done():
			s.last(ctx)
			return
		}
		list := n.take()
		err := s.send(ctx, list)
		rest := n.pause()
		if err == nil {
			retry, logged = noticeRetry, time.Time{}
		} else {
			n.Tell(list...)
			rest, retry = retry, min(2*retry, noticeRetryMost)
			if ctx.Err() == nil && time.Since(logged) > noticeLog {
				logged = time.Now()
				n.log.Warn("tell other nodes", "error", err, "again_in", rest)
			}
		}
		if !background.Sleep(ctx, rest) {
			s.last(ctx)
			return
		}
	}
}

// noticeSender has the connection that notices are sent over.
type noticeSender struct {
	n    *Notifier
	conn *pgx.Conn // nil: not connected
}

// send sends notices in as few payloads as they fit in.
func (s *noticeSender) send(ctx context.Context, list []wake.Notice) (err error) {
	if len(list) == 0 {
		return nil
	}
	if s.conn == nil {
		if s.conn, err = connectFor(ctx, s.n.send); err != nil {
			s.conn = nil
			return err
		}
	}
	err = within(ctx, func(ctx context.Context) error {
		_, err := s.conn.Exec(ctx, `SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload`, noticeChannel,
			payloads(s.n.node, list))
		return err
	})
	if err != nil {
		s.close()
	}
	return err
}

// last sends what is waiting when ctx has ended: other nodes' callers may wait for it.
func (s *noticeSender) last(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := s.send(ctx, s.n.take()); err != nil {
		s.n.log.Warn("tell other nodes at the end", "error", err)
	}
}

func (s *noticeSender) close() {
	if s.conn != nil {
		hangUp(s.conn)
		s.conn = nil
	}
}
