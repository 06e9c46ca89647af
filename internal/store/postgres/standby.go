package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/store"
)

// A standby answers what is only read (store.Reading), and answers as the primary would: it is asked when it has
// replayed everything that the primary had when the read came. So whoever was told that something is stored finds it,
// whichever node wrote it. How far the primary is costs it one short question, which all reads share that came before
// it was sent. A standby that does not follow within a moment, or is away, is passed over for a while, and the primary
// answers.
//
// Positions in the log say nothing across a failover: a standby of the old primary may be at a higher one than the new.
// So the era and its mark, which a new primary writes before anything else, must be the same on both.
type standby struct {
	pool    *pgxpool.Pool
	primary *pgxpool.Pool
	away    atomic.Int64 // until when it is passed over, in nanoseconds; 0: it is not

	mu      sync.Mutex
	next    *asking // to be sent when the one before it is answered; nil: nobody waits
	running bool

	answered, late, failed atomic.Int64
	behind                 atomic.Int64 // bytes, when it was asked last
}

// asking is one question for the primary's position, and those who wait for it.
type asking struct {
	done chan struct{}
	at   position
	err  error
}

// position is how far a server is in which history.
type position struct {
	lsn int64
	era string
}

const (
	standbyTime  = time.Second            // how long any question about positions may take
	standbyWait  = 10 * time.Millisecond  // how long a standby that is behind is waited for
	standbyLate  = 100 * time.Millisecond // how long one that is behind is passed over
	standbyPause = time.Second            // and one that is away

	primaryAt = `SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint, number || ' ' || mark FROM era`
	standbyAt = `SELECT coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint, number || ' ' || mark FROM era`
)

// openStandby readies a standby. It need not be there yet.
func openStandby(url string, opt Options, primary *pgxpool.Pool) (*standby, error) {
	opt.Pooler = false
	cfg, _, err := config(url, opt)
	if err != nil {
		return nil, fmt.Errorf("the standby: %w", err)
	}
	cfg.ConnConfig.ConnectTimeout = standbyTime
	cfg.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPreferStandby
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		return nil, fmt.Errorf("the standby: %w", err)
	}
	return &standby{pool: pool, primary: primary}, nil
}

// acquire takes a connection to the standby that has everything that is committed now; nil: the primary is to be asked.
func (s *standby) acquire(ctx context.Context) *pgxpool.Conn {
	if s == nil || !store.IsReading(ctx) || !s.there() {
		return nil
	}
	need, err := s.need(ctx)
	if err != nil {
		return nil
	}
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), standbyTime)
	defer cancel()
	conn, err := s.pool.Acquire(own)
	if err != nil {
		s.fail()
		return nil
	}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		var at position
		if err := conn.QueryRow(own, standbyAt).Scan(&at.lsn, &at.era); err != nil {
			conn.Release()
			s.fail()
			return nil
		}
		s.behind.Store(max(need.lsn-at.lsn, 0))
		if at.era == need.era && at.lsn >= need.lsn {
			s.answered.Add(1)
			s.away.Store(0)
			return conn
		}
		if at.era != need.era || time.Since(began) > standbyWait {
			conn.Release()
			s.late.Add(1)
			s.passOver(standbyLate)
			return nil
		}
	}
}

// there tells whether the standby is to be asked. When its pause is over one read tries it.
func (s *standby) there() bool {
	away, now := s.away.Load(), time.Now()
	return away == 0 || now.UnixNano() >= away && s.away.CompareAndSwap(away, now.Add(standbyPause).UnixNano())
}

func (s *standby) fail() {
	s.failed.Add(1)
	s.passOver(standbyPause)
}

func (s *standby) passOver(pause time.Duration) { s.away.Store(time.Now().Add(pause).UnixNano()) }

// need returns where the primary is at a moment after the call.
func (s *standby) need(ctx context.Context) (position, error) {
	s.mu.Lock()
	a := s.next
	if a == nil {
		a = &asking{done: make(chan struct{})}
		s.next = a
	}
	if !s.running {
		s.running = true
		go s.ask()
	}
	s.mu.Unlock()
	select {
	case <-a.done:
		return a.at, a.err
	case <-ctx.Done():
		return position{}, ctx.Err()
	}
}

// ask asks the primary as long as somebody waits.
func (s *standby) ask() {
	for {
		s.mu.Lock()
		a := s.next
		s.next, s.running = nil, a != nil
		s.mu.Unlock()
		if a == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), standbyTime)
		a.err = s.primary.QueryRow(ctx, primaryAt).Scan(&a.at.lsn, &a.at.era)
		cancel()
		close(a.done)
	}
}

// StandbyStats counts since the start the reads that the standby answered, and those that the primary had to, because
// the standby was late, or away. behind is by how many bytes it was behind when it was asked last.
func (db *DB) StandbyStats() (answered, late, away, behind int64) {
	if db == nil || db.standby == nil {
		return 0, 0, 0, 0
	}
	s := db.standby
	return s.answered.Load(), s.late.Load(), s.failed.Load(), s.behind.Load()
}
