package app

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sealed"
)

// noKeys refuses a start without a single key where there are mailboxes that had one.
func noKeys(ctx context.Context, in store.Store, table seal.Table) error {
	return in.View(ctx, func(r store.Reader) error {
		c, err := sealed.Compare(ctx, r, table)
		if err == nil && len(c.Lost) > 0 {
			err = fmt.Errorf("%w: those of all mailboxes, of which there are %d", seal.ErrLost, len(c.Lost))
		}
		return err
	})
}

// strayKeys is what is wrong with keys beside an empty database that knows nothing of them; nil: nothing. Their
// mailboxes would look as if they were deleted.
func strayKeys(ctx context.Context, r store.Reader, table seal.Table, known bool) (*service.Problem, error) {
	there, _, err := table.Keys(ctx)
	if err != nil || known || len(there) == 0 {
		return nil, err
	}
	boxes, err := r.MailboxDomains(ctx)
	if err != nil || slices.ContainsFunc(boxes, func(d store.DomainCount) bool { return d.Used > 0 }) {
		return nil, err
	}
	return &service.Problem{Check: "keys of mailboxes", Severe: true,
		Found: fmt.Sprintf("there are keys of %d mailboxes, and a database without mail: it is not the one that they "+
			"belong to", len(there)),
		Next: "Restore a backup into an empty folder. To start without any mail, move the keys away."}, nil
}

func newestOf(list []mailbox.Num) mailbox.Num { return slices.Max(append(list, 0)) }

// laterKeys names notes of the numbers of mailboxes whose keys belong to a later state of the mail. The digest holds
// the highest number below them, and the highest of them.
const laterKeys mailbox.SecretName = "mail keys of a later state"

// skipNumbers has new mailboxes get numbers of which the keys know nothing. Keys of numbers that were never given out
// are of mailboxes that were made after this state of the mail was saved. That state may be restored, so these numbers
// are noted: their keys are not those of deleted mailboxes.
func (a *App) skipNumbers(ctx context.Context, newest mailbox.Num) error {
	var given mailbox.Num
	err := a.storage.db.Update(ctx, func(tx store.Tx) (err error) {
		if given, err = tx.SkipMailboxes(ctx, newest); err != nil || given >= newest {
			return err
		}
		note := mailbox.KnownSecret{Name: laterKeys, MadeAt: time.Now()}
		binary.BigEndian.PutUint64(note.Digest[:], uint64(given))
		binary.BigEndian.PutUint64(note.Digest[8:], uint64(newest))
		return tx.PutSecret(ctx, note)
	})
	if err == nil && given < newest {
		a.log.Warn("there are keys of mailboxes that this state of the mail does not know, as after a restore of an older "+
			"one: they are kept", "mailboxes", int64(newest-given))
	}
	return err
}

// ofLaterState tells whether the key of a mailbox was noted as one of a later state of the mail.
func ofLaterState(notes []mailbox.KnownSecret, num mailbox.Num) bool {
	return slices.ContainsFunc(notes, func(k mailbox.KnownSecret) bool {
		return k.Name == laterKeys && uint64(num) > binary.BigEndian.Uint64(k.Digest[:]) &&
			uint64(num) <= binary.BigEndian.Uint64(k.Digest[8:])
	})
}

// keyTime is for how long at most another node makes a mailbox whose key is there already.
const keyTime = time.Minute

// comparison is one of keys and mailboxes.
type comparison struct {
	in     store.Store
	table  seal.Table
	ring   *seal.Ring
	newest mailbox.Num // of those that had a key when the process started
}

// compareKeys compares keys and mailboxes after a start. Keys of mailboxes that were deleted come back with an old copy
// of the keys: they are destroyed again. Those of mailboxes that are made meanwhile are left alone: an update that is
// undone may be run again, and gets the same number.
func (a *App) compareKeys(ctx context.Context, k comparison) {
	var c sealed.Compared
	err := k.in.View(ctx, func(r store.Reader) (err error) {
		if c, err = sealed.Compare(ctx, r, k.table); err != nil {
			return err
		}
		notes, err := r.Secrets(ctx)
		c.Left = slices.DeleteFunc(c.Left, func(num mailbox.Num) bool {
			return num > k.newest || ofLaterState(notes, num)
		})
		return err
	})
	if err == nil {
		a.lostKeys.tell(a.log, c)
		err = noteKeyed(ctx, k)
	}
	if a.several() && len(c.Left) > 0 {
		select {
		case <-time.After(keyTime):
		case <-ctx.Done():
			return
		}
	}
	destroyed := 0
	for _, num := range c.Left {
		if err != nil {
			break
		}
		err = k.in.Update(ctx, func(tx store.Tx) error { // none is being made meanwhile
			if _, err := tx.Mailbox(ctx, num); !errors.Is(err, store.ErrNotFound) {
				return err
			}
			destroyed++
			return k.ring.Shred(ctx, num)
		})
	}
	if destroyed > 0 {
		a.log.Warn("keys of deleted mailboxes were there again, and are destroyed", "mailboxes", destroyed)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Error("the keys of mailboxes could not be compared with the mailboxes", "error", err)
	}
}

// noteKeyed notes which mailboxes have a key, of those of which it is not noted: they are older than the note, or than
// the encryption. Should a key be lost, it is known then that there was one.
func noteKeyed(ctx context.Context, k comparison) error {
	there, _, err := k.table.Keys(ctx)
	has := make(map[mailbox.Num]bool, len(there))
	for _, num := range there {
		has[num] = true
	}
	const page = 1000
	for last, more := mailbox.Num(0), true; err == nil && more; {
		var list []mailbox.Num
		err = k.in.Ask(ctx, func(r store.Reader) (err error) {
			list, err = r.KeysNotNoted(ctx, last, page)
			return err
		})
		more = len(list) == page
		for _, num := range list {
			if last = num; err == nil && has[num] {
				err = k.in.Update(ctx, func(tx store.Tx) error { return tx.NoteKey(ctx, num) })
			}
		}
	}
	return err
}

// missKey tells of a mailbox whose key was needed and is not there.
func (a *App) missKey(ctx context.Context, in store.Store, num mailbox.Num) {
	err := in.Ask(ctx, func(r store.Reader) error {
		m, err := r.Mailbox(ctx, num)
		if err == nil {
			a.lostKeys.tell(a.log, sealed.Compared{Lost: []string{m.Address}})
		}
		return err
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) && ctx.Err() == nil {
		a.log.Error("the key of a mailbox is lost", "mailbox", int64(num), "error", err)
	}
}

// keyLosses are the mailboxes of which it was told that their keys are lost or were destroyed.
type keyLosses struct {
	mu   sync.Mutex
	told sealed.Compared
}

// tell logs those of which it was not told before.
func (k *keyLosses) tell(log *slog.Logger, c sealed.Compared) {
	k.mu.Lock()
	defer k.mu.Unlock()
	others := func(list, told []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(a string) bool { return slices.Contains(told, a) })
	}
	c = sealed.Compared{Lost: others(c.Lost, k.told.Lost), Dead: others(c.Dead, k.told.Dead)}
	k.told.Lost, k.told.Dead = append(k.told.Lost, c.Lost...), append(k.told.Dead, c.Dead...)
	if p := lostKeys(c); p != nil {
		log.Error(p.Check+": "+p.Found, "next", p.Next)
	}
}

// problem is what is wrong with keys as far as it is known; nil: nothing.
func (k *keyLosses) problem() *service.Problem {
	k.mu.Lock()
	defer k.mu.Unlock()
	return lostKeys(k.told)
}

// lateKeys is what is wrong where keys of deleted mailboxes are still in the backups; nil: nothing.
func (a *App) lateKeys() *service.Problem {
	if a.wiper == nil {
		return nil
	}
	known, err := a.wiper.Late()
	if err == nil {
		return nil
	}
	found := "keys of mailboxes that were deleted"
	if known > 0 {
		found = fmt.Sprintf("the keys of %d mailboxes that were deleted", known)
	}
	return &service.Problem{Check: "backup keys",
		Found: found + " are still in the backups, which can be read with them: " + err.Error(),
		Next:  "See whether the repository of backup_to is there. They are taken out when it is."}
}

// lostKeys is what is wrong where mailboxes have no key; nil: nothing.
func lostKeys(c sealed.Compared) *service.Problem {
	p := &service.Problem{Check: "keys of mailboxes", Severe: true}
	say := func(addresses []string, found, next string) {
		const most = 10
		if len(addresses) > 0 {
			p.Found += fmt.Sprintf("%d %s: %s. ", len(addresses), found,
				strings.Join(addresses[:min(len(addresses), most)], ", "))
			p.Next += next + " "
		}
	}
	say(c.Lost, "are lost or damaged: mail for these mailboxes is put off, and what they have cannot be read",
		"Stop the server and put the keys back: a restore of the newest backup into another folder has them.")
	say(c.Dead, "were destroyed, as when a mailbox is deleted, and these mailboxes are there: what they have cannot be "+
		"read by anybody, and they take no mail",
		"An older database was put beside newer keys. Delete these mailboxes again: mailkin mailbox delete ADDRESS.")
	if p.Found == "" {
		return nil
	}
	p.Found, p.Next = strings.TrimSuffix(p.Found, ". "), strings.TrimSpace(p.Next)
	return p
}

// CheckMaster finds out whether the master key of a deployment opens its keys. Without an error it does, or there are
// no keys to open: none were made yet, or they are in PostgreSQL, where a start looks. A server that runs has the keys,
// and does not notice before its next start.
func CheckMaster(ctx context.Context, cfg config.Config) (opens bool, err error) {
	root := filepath.Join(cfg.DataDir, datadir.RootKey)
	wrapped, err := os.ReadFile(root)
	if errors.Is(err, fs.ErrNotExist) || cfg.Database.URL != "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	m, err := (&App{cfg: cfg}).master()
	if err == nil {
		_, err = m.Unwrap(ctx, wrapped)
	}
	return err == nil, err
}

// storedKeys looks for lost keys of a deployment that does not run.
func storedKeys(ctx context.Context, cfg config.Config, r store.Reader) (*service.Problem, error) {
	all, err := r.Secrets(ctx)
	if err != nil {
		return nil, err
	}
	known := slices.ContainsFunc(all, func(k mailbox.KnownSecret) bool { return k.Name == rootKey })
	keys, root := filepath.Join(cfg.DataDir, datadir.Keys), filepath.Join(cfg.DataDir, datadir.RootKey)
	if info, err := os.Stat(keys); !known && (err != nil || info.Size() == 0) {
		return nil, nil // nothing was ever sealed
	}
	for _, path := range []string{keys, root} {
		if _, err := os.Stat(path); err != nil {
			p := lostKeys(sealed.Compared{Lost: []string{"all"}})
			p.Found = "the server does not start without them: " + err.Error()
			return p, nil
		}
	}
	table, err := seal.OpenFile(keys, root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = table.Close() }() // only read from
	if p, err := strayKeys(ctx, r, table, known); p != nil || err != nil {
		return p, err
	}
	c, err := sealed.Compare(ctx, r, table)
	return lostKeys(c), err
}
