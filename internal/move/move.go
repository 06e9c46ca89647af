// Package move copies a deployment from a data folder to PostgreSQL and a bucket.
package move

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// Step is what a move is doing.
type Step string

// The steps of a move, in their order.
const (
	Copying  Step = "copying"
	Blobs    Step = "large messages"
	Checking Step = "reading back"
)

// Progress is how far a move has come, and what it was about.
type Progress struct {
	Step        Step
	Table       string // that is worked on
	Done, Total int64  // of the step: rows, or large messages

	Again     bool  // it goes on where an earlier one was interrupted
	Rows      int64 // of all tables
	Mailboxes int64
	Messages  int64
	Blobs     int      // large messages that are where the nodes will look for them
	Lost      []string // keys of large messages whose bytes the data folder does not have
	Certs     int      // files of certificates
}

// Run copies the deployment in a data folder to the database, and to the bucket if there is one, that the settings
// name, and compares both when it is done. The folder is read only, and is kept from being served meanwhile. Numbers,
// ids and keys stay as they are. It may be interrupted at any time and called again; until it is done no node starts on
// that database.
func Run(ctx context.Context, cfg config.Config, from string, log *slog.Logger, report func(Progress)) (Progress,
	error) {
	m := &move{cfg: cfg, from: from, log: log, report: report, pieceRows: maxRows, pieceBytes: maxBytes}
	err := m.run(ctx)
	return m.done, errors.Join(err, m.close())
}

// move is one under way.
type move struct {
	cfg    config.Config
	from   string
	log    *slog.Logger
	report func(Progress)
	done   Progress

	pieceRows, pieceBytes int // how much is copied at a time

	lock *os.File
	snap *sqlite.Snapshot
	to   *postgres.Import
}

func (m *move) run(ctx context.Context) error {
	if m.cfg.Database.URL == "" {
		return errors.New("say where to: a move needs the setting database_url")
	}
	if _, err := os.Stat(filepath.Join(m.from, datadir.RootKey)); err == nil {
		return errors.New("its mail is encrypted with keys for each mailbox (encryption=on): that cannot be moved")
	}
	if err := CheckSecret(m.cfg, m.from); err != nil {
		return err
	}
	if err := m.open(ctx); err != nil {
		return err
	}
	if err := m.copyTables(ctx); err != nil {
		return err
	}
	if err := m.moveBlobs(ctx); err != nil {
		return err
	}
	if err := m.moveCerts(ctx); err != nil {
		return err
	}
	if err := m.compare(ctx); err != nil {
		return err
	}
	numbers, err := m.snap.Numbers()
	if err != nil {
		return err
	}
	return m.to.Finish(ctx, numbers.Gone, numbers.Given)
}

// open takes hold of both sides.
func (m *move) open(ctx context.Context) (err error) {
	path := filepath.Join(m.from, datadir.Database)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%s is no data folder of a deployment: %w", m.from, err)
	}
	if m.lock, err = sqlite.Lock(path); err != nil {
		return err
	}
	if m.snap, err = sqlite.OpenSnapshot(path); err != nil {
		return err
	}
	version, err := m.snap.Version()
	if err != nil {
		return err
	}
	if version != sqlite.Known() {
		return fmt.Errorf("the tables in %s are at %d and this program's at %d: serve the folder once with this "+
			"version, stop it, and move then", m.from, version, sqlite.Known())
	}
	d := m.cfg.Database
	m.to, err = postgres.OpenImport(ctx, string(d.URL), postgres.Options{Partitions: d.Partitions, Pooler: d.Pooler})
	if errors.Is(err, postgres.ErrURL) {
		return &config.SettingError{Key: "database_url", Err: err}
	}
	if err != nil {
		return fmt.Errorf("setting database_url: %w", err)
	}
	source, err := sourceName(path)
	if err != nil {
		return err
	}
	var names []string
	for _, t := range sqlite.Tables() {
		names = append(names, t.Name)
	}
	m.done.Again, err = m.to.Begin(ctx, source, names)
	return err
}

// sourceName is the same for as long as nothing is written to the folder's database: what was copied of it before may
// then stand.
func sourceName(path string) (string, error) {
	text := ""
	for _, name := range []string{path, path + "-wal"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
			continue // a log that is empty is none
		}
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("%s %d %d\n", filepath.Base(name), info.Size(), info.ModTime().UnixNano())
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:]), nil
}

// close lets go of both sides.
func (m *move) close() error {
	var errs []error
	if m.to != nil {
		errs = append(errs, m.to.Close())
	}
	if m.snap != nil {
		errs = append(errs, m.snap.Close())
	}
	if m.lock != nil {
		errs = append(errs, m.lock.Close())
	}
	return errors.Join(errs...)
}

// progress tells how far a step has come.
func (m *move) progress(step Step, table string, done, total int64) {
	m.done.Step, m.done.Table, m.done.Done, m.done.Total = step, table, done, total
	m.report(m.done)
}
