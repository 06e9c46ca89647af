package backup

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/backup/repository"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
)

var errSealed = errors.New("mail is encrypted with keys that must not be in a copy of the data: use " +
	"\"mailkin backup run\", which keeps them apart")

// isSealed tells whether a data folder has keys of mailboxes.
func isSealed(data string) bool {
	_, err := os.Stat(filepath.Join(data, datadir.RootKey))
	return err == nil
}

// mergeKeys takes the wrapped keys of a data folder to a repository, apart from its generations, and with them the
// deletions since the last time. A key is stored before the mail that it seals, so the keys that there are when the
// state of the database is fixed are enough for it.
func mergeKeys(ctx context.Context, data string, repo *repository.Repository) error {
	root, err := os.ReadFile(filepath.Join(data, datadir.RootKey))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	slots, err := os.Open(filepath.Join(data, datadir.Keys))
	if err != nil {
		return err
	}
	return errors.Join(repo.MergeKeys(ctx, seal.SlotSize, slots, root), slots.Close())
}

// restoreKeys puts the wrapped keys of a repository into a folder.
func restoreKeys(ctx context.Context, repo *repository.Repository, to string) error {
	path := filepath.Join(to, datadir.Keys)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	root, err := repo.Keys(ctx, seal.SlotSize, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if root == nil {
		return os.Remove(path)
	}
	return os.WriteFile(filepath.Join(to, datadir.RootKey), root, 0o600)
}

// shreddedIn lists the mailboxes whose keys were destroyed. They were deleted after the backup was made, and stay so.
func shreddedIn(keys string) (nums []mailbox.Num, err error) {
	f, err := os.Open(keys)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	slot, from := make([]byte, seal.SlotSize), bufio.NewReader(f)
	for num := mailbox.Num(0); ; num++ {
		if _, err := io.ReadFull(from, slot); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nums, nil
		} else if err != nil {
			return nil, err
		}
		if seal.IsShredded(slot) {
			nums = append(nums, num)
		}
	}
}

// Wiper takes keys that were destroyed out of the repository of the settings, in the background. What it cannot do, the
// next backup does.
type Wiper struct {
	cfg  config.Config
	log  *slog.Logger
	ctx  context.Context
	stop context.CancelFunc
	wait sync.WaitGroup

	mu      sync.Mutex
	pending []mailbox.Num
	all     bool // of those that were deleted before this start, some may not be taken out
	busy    bool
	failed  error // of the last attempt
}

// Late says why keys of deleted mailboxes are still in the repository, and of how many that is known; nil: they are
// not.
func (w *Wiper) Late() (mailboxes int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending), w.failed
}

// NewWiper makes one. It has no goroutine while there is nothing to do.
func NewWiper(cfg config.Config, log *slog.Logger) *Wiper {
	w := &Wiper{cfg: cfg, log: log}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// wipeAgain is after how long a repository that is away or in use is tried again.
const wipeAgain = 5 * time.Second

// wipeTime is how long a shutdown waits for a repository.
const wipeTime = 3 * time.Second

// Wipe has the key of a mailbox taken out of the repository.
func (w *Wiper) Wipe(num mailbox.Num) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, num)
	w.beginLocked()
}

// Resume takes up what the process before did not get done. The keys have not changed since the last backup where there
// is nothing.
func (w *Wiper) Resume() {
	keys, err := os.Stat(filepath.Join(w.cfg.DataDir, datadir.Keys))
	if err != nil {
		return // then there are none
	}
	last, err := os.Stat(filepath.Join(w.cfg.DataDir, datadir.LastBackup))
	if err != nil || keys.ModTime().Before(last.ModTime()) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = true
	w.beginLocked()
}

func (w *Wiper) beginLocked() {
	if !w.busy && w.ctx.Err() == nil {
		w.busy = true
		w.wait.Go(w.run)
	}
}

// Close waits a moment for what is being done.
func (w *Wiper) Close() error {
	timer := time.AfterFunc(wipeTime, w.stop)
	w.wait.Wait()
	timer.Stop()
	w.stop()
	return nil
}

func (w *Wiper) run() {
	for failures := 0; ; {
		w.mu.Lock()
		nums, all := w.pending, w.all
		if w.pending, w.all = nil, false; len(nums) == 0 && !all {
			w.busy = false
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		err := w.wipe(nums, all)
		if err != nil {
			if failures++; failures == 1 {
				w.log.Warn("the keys of deleted mailboxes cannot be taken out of the backups: trying again; the next "+
					"backup does it, too", "mailboxes", len(nums), "before", all, "error", err)
			}
		}
		w.mu.Lock()
		if w.failed = err; err == nil {
			w.mu.Unlock()
			failures = 0
			continue
		}
		w.pending, w.all = append(nums, w.pending...), all
		w.mu.Unlock()
		select {
		case <-time.After(wipeAgain):
		case <-w.ctx.Done():
			return
		}
	}
}

func (w *Wiper) wipe(nums []mailbox.Num, all bool) error {
	where := string(w.cfg.Backup.To)
	if found, err := repository.Exists(w.ctx, where); err != nil || !found {
		if err == nil && slices.Contains(knownRepositories(w.cfg.DataDir), repository.Name(where)) {
			err = errors.New("the repository is not there") // its disk may be away
		}
		return err
	}
	lock, err := lockStage(w.cfg.DataDir) // a backup merges keys at the same time
	if err != nil {
		return err
	}
	defer lock.Close()
	repo, err := openRepository(w.ctx, w.cfg, where)
	if err != nil {
		return err
	}
	if all {
		err = mergeKeys(w.ctx, w.cfg.DataDir, repo)
	}
	root, rootErr := os.ReadFile(filepath.Join(w.cfg.DataDir, datadir.RootKey))
	if !errors.Is(rootErr, fs.ErrNotExist) {
		err = errors.Join(err, rootErr)
	}
	for _, num := range nums {
		if err == nil {
			err = repo.WipeKey(w.ctx, int64(num), seal.Slot(nil), root)
		}
	}
	return errors.Join(err, repo.Close())
}
