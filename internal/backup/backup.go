// Package backup copies the data folder of a deployment on the embedded store while it is served, and restores such a
// copy.
package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// Copied is how far a backup or a restore has come, and what it was about.
type Copied struct {
	Bytes, Total int64
	Messages     int64
	Blobs        int
	Deleted      int64    // messages in the backup of mailboxes that were deleted since: a restore leaves them out
	Generation   string   // of a repository, that was restored
	Lost         []string // keys of large messages whose bytes the data folder does not have
	Checking     bool     // everything is copied, and is read back: Blobs of Named
	Named        int
	Findings     // of a restore
}

// manifestFile is in a backup only, and is written last: without it, it is none.
const manifestFile = "backup.txt"

// secretFiles are nobody else's to read.
var secretFiles = []string{"token", "secret", "webhook-secret", "tls-cert.pem", "tls-key.pem"}

// Names in the data folder while a backup or a restore is under way.
const (
	stageFolder   = "backup-stage" // links to the blobs that a backup is about to copy
	stageLock     = "backup.lock"
	restoreFolder = "restoring" // what a restore has not yet put in place
)

var errNotEmbedded = errors.New("this is for the embedded store: with PostgreSQL and S3 use their own means " +
	"(docs/operations.md, Backups)")

// Options of a backup.
type Options struct {
	Version string // of the program, for the manifest
	Log     *slog.Logger
	Report  func(Copied) // is told how far it has come
	Init    bool         // a repository may be begun where the deployment had one before
}

// Make copies the deployment's data to a new folder, or to one file if its name ends in .tar, whether the server runs
// or not. Everything that was acknowledged before it began is in it, and of what comes meanwhile each message wholly or
// not at all.
//
// The order makes it so. First every blob there is gets a second name, so that it stays for as long as this takes. Then
// one state of the database is fixed, and the few blobs that it names and that are younger get theirs. Should one of
// those be gone already, its message was deleted after that state: then a newer one is fixed, which does not name it,
// because a message's row goes before its blob does. Only then is anything copied.
func Make(ctx context.Context, cfg config.Config, to string, o Options) (done Copied, err error) {
	if cfg.Database.URL != "" || cfg.BlobURL != "" {
		return done, errNotEmbedded
	}
	if err := errors.Join(hasData(cfg.DataDir), apart(cfg.DataDir, to)); err != nil {
		return done, err
	}
	if isSealed(cfg.DataDir) {
		return done, errSealed
	}
	target, err := newTarget(to)
	if err != nil {
		return done, err
	}
	return makeIn(ctx, cfg, target, o)
}

// makeIn takes a backup to a target.
func makeIn(ctx context.Context, cfg config.Config, target target, o Options) (Copied, error) {
	b := &backup{data: cfg.DataDir, Options: o, lost: map[string]bool{}}
	err := b.stage(ctx)
	if g, ok := target.(*generationTarget); ok && err == nil {
		if err = g.claim(ctx, b.snap); err == nil {
			err = mergeKeys(ctx, b.data, g.repo) // after the state was fixed, and while the lock is held
		}
	}
	if err == nil {
		err = b.copy(ctx, target)
	}
	if err != nil {
		return b.done, errors.Join(err, target.abandon(), b.close())
	}
	return b.done, errors.Join(b.noteDone(target), b.close())
}

// hasData refuses a data folder in which nothing is.
func hasData(data string) error {
	_, err := os.Stat(filepath.Join(data, datadir.Database))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is nothing to back up in %s: is data_dir right?", data)
	}
	return err
}

// apart refuses to copy a folder into itself.
func apart(data, other string) error {
	inside := func(a, b string) bool {
		rel, err := filepath.Rel(realPath(a), realPath(b))
		return err == nil && (rel == "." || filepath.IsLocal(rel))
	}
	if inside(data, other) || inside(other, data) {
		return fmt.Errorf("%s and the data folder %s must be apart", other, data)
	}
	return nil
}

// realPath follows links as far as the path exists.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return filepath.Join(realPath(filepath.Dir(abs)), filepath.Base(abs))
}

// backup is one under way.
type backup struct {
	Options
	data string
	lock *os.File
	snap *sqlite.Snapshot
	keys []string // of blobs, those that the snapshot names
	size int64    // of these
	lost map[string]bool
	done Copied
}

// close gives everything back that is not the backup itself.
func (b *backup) close() error {
	var errs []error
	if b.snap != nil {
		errs = append(errs, b.snap.Close())
	}
	if b.lock != nil {
		errs = append(errs, os.RemoveAll(filepath.Join(b.data, stageFolder)), b.lock.Close())
	}
	return errors.Join(errs...)
}

// copy takes everything to the target, the database first: as long as it is read, the server's log only grows.
func (b *backup) copy(ctx context.Context, to target) error {
	size, err := b.snap.Size()
	if err != nil {
		return err
	}
	b.done.Total = size + b.size
	all, err := b.snap.Messages()
	if err != nil {
		return err
	}
	if b.done.Messages, err = b.snap.Kept(); err != nil {
		return err
	}
	version, err := b.snap.Version()
	if err != nil {
		return err
	}
	m := manifest{made: time.Now().UTC(), by: b.Version, tables: version, messages: all, kept: b.done.Messages,
		blobs: len(b.keys), lost: b.done.Lost}
	m.database, err = to.addDatabase(ctx, b.snap, b.progress)
	err = errors.Join(err, b.snap.Close())
	b.snap = nil
	if err != nil {
		return err
	}
	for _, key := range b.keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.copyBlob(ctx, to, key, size); err != nil {
			return err
		}
	}
	if err := b.copySecrets(ctx, to); err != nil {
		return err
	}
	return to.finish(ctx, m)
}

// noteDone leaves a note of the backup in the data folder, for whoever watches that there are some. It names the
// repositories that there are, so that one whose disk is away is not begun again on the disk beneath.
func (b *backup) noteDone(to target) error {
	known := knownRepositories(b.data)
	if g, ok := to.(*generationTarget); ok && !slices.Contains(known, g.where) {
		known = append(known, g.where)
	}
	note, err := json.Marshal(map[string]any{"at": time.Now().UTC().Format(time.RFC3339), "messages": b.done.Messages,
		"bytes": b.done.Bytes, "repositories": known})
	if err != nil {
		return err
	}
	return datadir.WriteFile(filepath.Join(b.data, datadir.LastBackup), note)
}

// knownRepositories are the places at which the deployment has made generations.
func knownRepositories(data string) []string {
	note := struct{ Repositories []string }{[]string{}}
	b, err := os.ReadFile(filepath.Join(data, datadir.LastBackup))
	if err == nil {
		_ = json.Unmarshal(b, &note) // one that is damaged is no reason to go without backups
	}
	return note.Repositories
}

func (b *backup) progress(bytes int64) {
	b.done.Bytes = bytes
	b.Report(b.done)
}

func (b *backup) copyBlob(ctx context.Context, to target, key string, database int64) error {
	name, err := blob.Path(key)
	if err != nil {
		return err
	}
	path := filepath.Join(b.data, stageFolder, name)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := to.add(ctx, filepath.Join(datadir.Blobs, name), path); err != nil {
		return err
	}
	b.done.Blobs++
	b.progress(max(b.done.Bytes, database) + info.Size())
	return nil
}

// copySecrets takes those that are kept in the data folder: others are the settings' to keep.
func (b *backup) copySecrets(ctx context.Context, to target) error {
	for _, name := range secretFiles {
		if err := to.add(ctx, name, filepath.Join(b.data, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	root := os.DirFS(b.data)
	return fs.WalkDir(root, datadir.Certificates, func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // there are none, or one was renewed just now
		}
		if err != nil || !e.Type().IsRegular() || !knownFile(name) {
			return err
		}
		if err := to.add(ctx, name, filepath.Join(b.data, name)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// Interrupted tells whether a restore into the data folder did not come to its end.
func Interrupted(data string) bool {
	_, left := os.Stat(filepath.Join(data, restoreFolder))
	_, whole := os.Stat(filepath.Join(data, datadir.Database))
	return left == nil && whole != nil
}

// Tidy looks at what a backup or a restore may have left in the data folder when it was killed.
func Tidy(data string) error {
	if Interrupted(data) {
		return fmt.Errorf("a restore into %s was interrupted: run \"mailkin restore\" again, or empty the folder", data)
	}
	// one that was interrupted when everything was in place
	if err := os.RemoveAll(filepath.Join(data, restoreFolder)); err != nil {
		return err
	}
	stage := filepath.Join(data, stageFolder)
	if _, err := os.Stat(stage); err != nil {
		return nil
	}
	lock, err := lockStage(data)
	if err != nil {
		return nil // a backup is under way
	}
	return errors.Join(os.RemoveAll(stage), lock.Close())
}

// lockStage keeps a second backup of the same folder away.
func lockStage(data string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(data, stageLock), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := datadir.Give(f, data); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another backup of %s is under way", data), f.Close())
	}
	return f, nil
}
