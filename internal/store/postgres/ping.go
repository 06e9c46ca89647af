package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/store"
)

// A database whose disk is full goes on taking small changes of rows that have room, and refuses mail. So a caller that
// asks whether it can be written is answered by a probe that needs as much room as mail does, unless mail was stored
// since the last one.

const (
	probeEvery = 10 * time.Second
	probeBytes = 256 << 10 // what a message may take in the database
	probeMost  = 10 * time.Second
)

// probe is the last look whether there is room.
type probe struct {
	mu    sync.Mutex
	at    time.Time // of the last one, or of the last message that was stored
	wrong error     // that it found
}

// stored notes that an update was committed, and whether it has stored a message.
func (p *probe) stored(message bool) {
	if !message {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.wrong = time.Now(), nil
}

// Ping writes a row of its own, so that a database that can no longer be written shows, and at most every ten seconds
// looks for room.
func (db *DB) Ping(ctx context.Context) error {
	err := db.Update(ctx, func(tx store.Tx) error {
		return tx.(*queries).sql(`UPDATE ping SET n = n + 1`).run()
	})
	if err != nil {
		return err
	}
	p := &db.probe
	p.mu.Lock()
	fresh, wrong := time.Since(p.at) < probeEvery, p.wrong
	if !fresh {
		p.at = time.Now() // others go by the last one until this is over
	}
	p.mu.Unlock()
	if fresh {
		return wrong
	}
	err = db.seekRoom(ctx, wrong)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.wrong = time.Now(), nil
	if errors.Is(err, store.ErrStorage) {
		p.wrong = err
	}
	return err
}

var errEnough = errors.New("there is room")

// seekRoom writes as much as a message takes, and takes it back. The table is emptied in the same transaction: what is
// written then goes to files of its own, which need room on the disk, where it would else go to pages that the last
// look has left. Where another node is at it, or a dump has the table, the last answer stands.
func (db *DB) seekRoom(ctx context.Context, last error) error {
	data := make([]byte, probeBytes)
	_, _ = rand.Read(data) // it never fails
	ctx, cancel := context.WithTimeout(ctx, probeMost)
	defer cancel()
	err := pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `LOCK TABLE probe IN ACCESS EXCLUSIVE MODE NOWAIT`)
		if err == nil {
			_, err = tx.Exec(ctx, `TRUNCATE probe`)
		}
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO probe VALUES ($1)`, data)
		}
		if err != nil {
			return err
		}
		return errEnough
	})
	switch {
	case errors.Is(err, errEnough):
		return nil
	case code(err) == "55P03":
		return last
	}
	return explain(err)
}
