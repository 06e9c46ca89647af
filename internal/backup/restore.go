package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// RestoreOptions are those of a restore and of the rehearsal of one.
type RestoreOptions struct {
	Report func(Copied) // is told how far it has come
	// Check looks in the folder with what was restored for what a server needs besides messages; nil: nobody does.
	Check func(ctx context.Context, folder string) (Findings, error)
}

// Findings are what a restored folder lacks.
type Findings struct {
	Missing    []string // what no server can do without
	Unreadable string   // which mail cannot be read, and why; empty: there is none
	Unchecked  string   // what could not be found out; empty: nothing
}

// lack is what a rehearsal fails by.
func (f Findings) lack() error {
	list := f.Missing
	if f.Unreadable != "" {
		list = append(list, f.Unreadable)
	}
	if len(list) == 0 {
		return nil
	}
	return errors.New(strings.Join(list, "; "))
}

// Restore puts a backup into an empty data folder. Nothing is in place before all of it was read back: the database's
// every page, and every byte of every large message. It can be interrupted at any time; then it is started over.
// What a check finds missing is told and refuses nothing: whoever restores may have it elsewhere.
func Restore(ctx context.Context, cfg config.Config, from Source, o RestoreOptions) (done Copied, err error) {
	if cfg.Database.URL != "" || cfg.BlobURL != "" {
		return done, errNotEmbedded
	}
	files, err := from.open(ctx, cfg)
	if err != nil {
		return done, err
	}
	done, err = restoreFrom(ctx, cfg.DataDir, files, o)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("restore %s: %w", from, err)
	}
	return done, errors.Join(err, files.close())
}

// Verify rehearses a restore: it restores into a new folder below dir, checks everything as a restore does, fails where
// the result lacks something, and removes it.
func Verify(ctx context.Context, cfg config.Config, from Source, dir string, o RestoreOptions) (done Copied,
	err error) {
	files, err := from.open(ctx, cfg)
	if err != nil {
		return done, err
	}
	to, err := os.MkdirTemp(dir, "mailkin-verify-")
	if err != nil {
		return done, errors.Join(err, files.close())
	}
	done, err = restoreFrom(ctx, to, files, o)
	if err == nil {
		err = done.lack()
	}
	switch {
	case isFull(err):
		err = fmt.Errorf("%s has not enough room for a rehearsal: name a folder that has room for all of the data, with "+
			"--temp", filepath.Dir(to))
	case err != nil && ctx.Err() == nil:
		err = fmt.Errorf("%s cannot be restored: %w", from, err)
	}
	return done, errors.Join(err, files.close(), os.RemoveAll(to))
}

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || sqlite.IsFull(err)
}

func restoreFrom(ctx context.Context, data string, files source, o RestoreOptions) (done Copied, err error) {
	r := &restore{data: data, stage: filepath.Join(data, restoreFolder), report: o.Report, check: o.Check}
	if err := os.MkdirAll(r.data, 0o700); err != nil {
		return done, err
	}
	lock, err := sqlite.Lock(filepath.Join(r.data, datadir.Database))
	if err != nil {
		return done, err
	}
	err = r.run(ctx, files)
	return r.done, errors.Join(err, lock.Close())
}

// restore is one under way.
type restore struct {
	data, stage string
	report      func(Copied)
	check       func(ctx context.Context, folder string) (Findings, error)
	manifest    manifest
	whole       bool // the manifest was read
	done        Copied
}

func (r *restore) run(ctx context.Context, from source) error {
	if err := r.prepare(); err != nil {
		return err
	}
	err := from.giveTo(ctx, r)
	if err == nil && !r.whole {
		err = errManifest
	}
	if err == nil {
		err = r.verify(ctx)
	}
	if err == nil {
		err = r.renumber(ctx)
	}
	if err == nil && r.check != nil {
		r.done.Findings, err = r.check(ctx, r.stage)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(r.stage))
	}
	return r.place()
}

// prepare wants a folder that is empty but for keys, or one in which a restore was interrupted.
func (r *restore) prepare() error {
	entries, err := os.ReadDir(r.data)
	if err != nil {
		return err
	}
	_, begun := os.Stat(r.stage)
	var stale []string
	for _, e := range entries {
		switch name := e.Name(); {
		case name == datadir.Database+".lock" || name == "lost+found" || name == datadir.BackupKey ||
			name == datadir.MasterKey: // which are in no backup, and have to be there
		case begun == nil && (name == restoreFolder || name == datadir.Blobs || name == datadir.Certificates ||
			name == datadir.Keys || name == datadir.RootKey ||
			slices.Contains(secretFiles, name)):
			stale = append(stale, name)
		default:
			return fmt.Errorf("the data folder %s is not empty: it has %s. Name an empty one, so that nothing is mixed",
				r.data, name)
		}
	}
	for _, name := range stale {
		if name != restoreFolder { // which says that the rest may be removed, and so goes last
			err = errors.Join(err, os.RemoveAll(filepath.Join(r.data, name)))
		}
	}
	if err == nil {
		err = os.RemoveAll(r.stage)
	}
	if err != nil {
		return err
	}
	return os.Mkdir(r.stage, 0o700)
}

// take receives a file of the backup.
func (r *restore) take(name string, size int64, from io.Reader) error {
	if name == manifestFile {
		m, err := readManifest(from)
		r.manifest, r.whole = m, err == nil
		return err
	}
	to := filepath.Join(r.stage, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := writeNew(to, from); err != nil {
		return err
	}
	r.done.Bytes += size
	r.report(r.done)
	return nil
}

// link receives a second name of a file that was taken.
func (r *restore) link(name, first string) error {
	to := filepath.Join(r.stage, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return linkOrCopy(filepath.Join(r.stage, first), to)
}

// verify reads everything back.
func (r *restore) verify(ctx context.Context) error {
	r.done.Checking, r.done.Named = true, r.manifest.blobs
	r.report(r.done)
	path := filepath.Join(r.stage, datadir.Database)
	sum, err := hashFile(path)
	if err != nil {
		return err
	}
	if sum != r.manifest.database {
		return errors.New("the database is not the one that was backed up: its bytes have changed")
	}
	db, err := sqlite.OpenCopy(path)
	if err != nil {
		return err
	}
	err = db.Check(ctx)
	if err == nil {
		err = r.countMessages(db)
	}
	if err == nil {
		err = r.verifyBlobs(ctx, db)
	}
	if err == nil && r.done.Blobs != r.manifest.blobs {
		err = fmt.Errorf("it has %d large messages, and %d were backed up", r.done.Blobs, r.manifest.blobs)
	}
	return errors.Join(err, db.Close())
}

func (r *restore) countMessages(db *sqlite.Snapshot) error {
	all, err := db.Messages()
	if err == nil && all != r.manifest.messages {
		err = fmt.Errorf("it has %d messages, and %d were backed up", all, r.manifest.messages)
	}
	if err == nil {
		r.done.Messages, err = db.Kept()
	}
	return err
}

// renumber has events numbered from now on: numbers that were given out after the backup must not be given to others.
func (r *restore) renumber(ctx context.Context) error {
	path := filepath.Join(r.stage, datadir.Database)
	deleted, err := shreddedIn(filepath.Join(r.stage, datadir.Keys))
	if err != nil {
		return err
	}
	if err := sqlite.Restored(ctx, path, time.Now(), deleted...); err != nil {
		return err
	}
	if err := r.recount(path); err != nil {
		return err
	}
	// The data folder has a lock of its own, which is held; and what tables of an older version were is in the backup.
	left, err := filepath.Glob(path + ".before-*")
	for _, name := range append(left, path+".lock") {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// recount counts what is left after deletions.
func (r *restore) recount(path string) error {
	db, err := sqlite.OpenCopy(path)
	if err != nil {
		return err
	}
	backedUp, lost := r.done.Messages, r.lost()
	r.done.Blobs, r.done.Lost = 0, nil
	err = db.Blobs(func(key string) error {
		if lost[key] {
			r.done.Lost = append(r.done.Lost, key)
		} else {
			r.done.Blobs++
		}
		return nil
	})
	if err == nil {
		r.done.Messages, err = db.Kept()
	}
	r.done.Deleted = backedUp - r.done.Messages
	return errors.Join(err, db.Close())
}

// lost are the keys of large messages whose bytes the backup does not have.
func (r *restore) lost() map[string]bool {
	lost := map[string]bool{}
	for _, key := range r.manifest.lost {
		lost[key] = true
	}
	return lost
}

func (r *restore) verifyBlobs(ctx context.Context, db *sqlite.Snapshot) error {
	blobs, err := blob.OpenDir(filepath.Join(r.stage, datadir.Blobs))
	if err != nil {
		return err
	}
	defer blobs.Close()
	lost := r.lost()
	return db.Blobs(func(key string) error {
		if lost[key] {
			r.done.Lost = append(r.done.Lost, key)
			return nil
		}
		if err := readBlob(ctx, blobs, key); err != nil {
			return err
		}
		r.done.Blobs++
		r.report(r.done)
		return nil
	})
}

// readBlob reads a large message to its end; each part of it has a checksum.
func readBlob(ctx context.Context, blobs *blob.Dir, key string) error {
	o, err := blobs.Open(ctx, key)
	if errors.Is(err, blob.ErrSealed) {
		return nil // the repository has compared its bytes
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.NewSectionReader(o, 0, o.Size()))
	if err != nil {
		err = fmt.Errorf("read blob %s: %w", key, err)
	}
	return errors.Join(err, o.Close())
}

// place moves everything to where the server looks for it, the database last: before that a start refuses to begin.
func (r *restore) place() error {
	if err := datadir.SyncTree(r.stage); err != nil {
		return err
	}
	entries, err := os.ReadDir(r.stage)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != datadir.Database {
			if err := os.Rename(filepath.Join(r.stage, e.Name()), filepath.Join(r.data, e.Name())); err != nil {
				return err
			}
		}
	}
	if err := datadir.SyncTree(r.data); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(r.stage, datadir.Database), filepath.Join(r.data, datadir.Database)); err != nil {
		return err
	}
	if err := removeMissing(r.stage); err != nil {
		return err
	}
	return datadir.SyncTree(r.data)
}
