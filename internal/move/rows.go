package move

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// How much is copied at a time, at most: what is in memory, and what an interruption takes back.
const (
	maxRows  = 10_000
	maxBytes = 4 << 20
)

// copyTables copies what is not there yet.
func (m *move) copyTables(ctx context.Context) error {
	total, done := int64(0), int64(0)
	counts := make([]int64, len(sqlite.Tables()))
	for i, t := range sqlite.Tables() {
		n, err := m.snap.Count(t)
		if err != nil {
			return err
		}
		counts[i], total = n, total+n
		switch t.Name {
		case "mailboxes":
			m.done.Mailboxes = n
		case "messages":
			m.done.Messages = n
		}
	}
	m.done.Rows = total
	for i, t := range sqlite.Tables() {
		copied := int64(0)
		err := m.copyTable(ctx, t, func(rows int64) {
			copied += rows
			m.progress(Copying, t.Name, min(done+copied, total), total)
		})
		if err != nil {
			return err
		}
		done += counts[i]
	}
	return nil
}

// copyTable copies a table from where it was interrupted.
func (m *move) copyTable(ctx context.Context, t sqlite.Table, copied func(rows int64)) error {
	key, whole, err := m.to.Progress(ctx, t.Name)
	for err == nil && !whole {
		if err = ctx.Err(); err != nil {
			break
		}
		var p postgres.Piece
		if p, err = m.piece(t, key); err != nil {
			break
		}
		if err = m.to.Append(ctx, p); err == nil {
			copied(int64(len(p.Rows)))
			key, whole = p.Key, p.Done
		}
	}
	return err
}

// errEnough ends the reading of a piece.
var errEnough = errors.New("enough for one piece")

// piece reads the rows after a key.
func (m *move) piece(t sqlite.Table, key []byte) (postgres.Piece, error) {
	p := postgres.Piece{Table: t.Name, Columns: t.Columns(), Before: key, Key: key, Done: true}
	after, err := decodeRow(key)
	if err != nil {
		return p, err
	}
	var last []any
	size := 0
	err = m.snap.Rows(t, after, func(key, row []any) error {
		if len(p.Rows) >= m.pieceRows || size >= m.pieceBytes {
			return errEnough
		}
		p.Rows, last, size = append(p.Rows, row), key, size+rowSize(row)
		return nil
	})
	if errors.Is(err, errEnough) {
		p.Done, err = false, nil
	}
	if last != nil {
		p.Key = encodeRow(nil, last)
	}
	return p, err
}
