package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/sqlite"
	"github.com/mailkin/mailkin/internal/wake"
)

// storage is where a deployment keeps everything.
type storage struct {
	db    store.Store
	index store.Index
	blobs blob.Store

	// Of a node among others; nil where there is one.
	shared   *postgres.DB
	notifier *postgres.Notifier
	leaser   store.Leaser
	node     string
	askTime  func(context.Context) (time.Time, error)

	owed func() int64 // bytes of the disk that are still taken for what is stored; nil: it is elsewhere
	// release gives back memory that is of no use while nobody asks; nil: there is none.
	release func()
}

// Of a node among others: when one dies, its work is taken over within half a minute.
const (
	nodeLease = 20 * time.Second
	nodeRenew = 6 * time.Second
	nodeLook  = 2 * time.Second // for what a node left that died
	deafLook  = time.Second     // for what others tell, while nothing is heard of them
	lookParts = 20              // of those who wait: a hundred thousand would look at once
	// hearingFactor is how much less often a node looks that hears: notices are lost only with their connection, and
	// then everything is looked at.
	hearingFactor = 20
	clockTime     = time.Second     // between two looks at the database's clock
	refreshTime   = 3 * time.Second // and at what other nodes may have changed
	// hookMargin is for noting what became of a post.
	hookMargin = 5 * time.Second
)

// openStorage opens what the settings name.
func (a *App) openStorage(ctx context.Context) (err error) {
	if a.storage.blobs, err = a.openBlobs(ctx); err != nil {
		return err
	}
	a.closers = append(a.closers, a.storage.blobs.Close)
	if a.several() {
		return a.openPostgres(ctx)
	}
	index := filepath.Join(a.cfg.DataDir, datadir.Index)
	if err := a.roomToStart(index); err != nil {
		return err
	}
	db, err := sqlite.OpenLogged(filepath.Join(a.cfg.DataDir, datadir.Database), a.log)
	if err != nil {
		return cmp.Or(refusal(a.cfg, damagedDatabase(a.cfg, err)), err)
	}
	a.closers = append(a.closers, db.Close)
	a.workers.Add("vacuum", &db.Vacuums)
	a.workers.Add("scrub", &db.Scrubs)
	words := sqlite.OpenIndex(index)
	a.closers = append(a.closers, words.Close)
	db.MakeRoom = func() bool {
		gave := words.GiveUp()
		if gave {
			a.log.Warn("the disk is full: the index of words was given up for the room, and is made again when there " +
				"is enough")
		}
		return gave
	}
	a.storage.db, a.storage.index = db, words
	a.storage.owed = func() int64 { return db.Owed() + words.Owed() }
	a.storage.release = func() {
		db.ReleaseMemory()
		words.ReleaseMemory()
	}
	return nil
}

// startRoom is enough for a start and many deletions, however large the disk is.
const startRoom = 64 << 20

// roomToStart gives up the index where the disk is all but full: reading and deleting mail need some of it.
func (a *App) roomToStart(index string) error {
	_, total, err := blob.FreeOn(a.cfg.DataDir)
	if err != nil {
		return err
	}
	return sqlite.MakeRoom(index, min(a.cfg.MinFree.Bound(total), startRoom))
}

// several tells whether other nodes may work on the same store.
func (a *App) several() bool { return a.cfg.Database.URL != "" }

func (a *App) openBlobs(ctx context.Context) (blob.Store, error) {
	if a.cfg.BlobURL == "" {
		return blob.OpenDir(filepath.Join(a.cfg.DataDir, datadir.Blobs))
	}
	bucket, err := blob.OpenBucketURL(ctx, string(a.cfg.BlobURL))
	if err != nil {
		if wrong := new(blob.URLError); errors.As(err, &wrong) {
			return nil, &config.SettingError{Key: "blob_url", Err: err}
		}
		return nil, fmt.Errorf("setting blob_url: %w", err)
	}
	return bucket, nil
}

func (a *App) openPostgres(ctx context.Context) error {
	d := a.cfg.Database
	db, err := postgres.Open(ctx, string(d.URL), postgres.Options{MaxConns: d.Connections, Partitions: d.Partitions,
		Pooler: d.Pooler, StandbyURL: string(d.StandbyURL), Log: a.log})
	if errors.Is(err, postgres.ErrURL) {
		return &config.SettingError{Key: "database_url", Err: err}
	}
	if err != nil {
		return fmt.Errorf("setting database_url: %w", err)
	}
	a.closers = append(a.closers, db.Close)
	index := db.Index()
	a.closers = append(a.closers, index.Close)
	host, _ := os.Hostname() // only for people who look
	a.storage.db, a.storage.shared, a.storage.index, a.storage.askTime = db, db, index, db.Clock
	if err := a.clock.set(ctx, db.Clock, a.log); err != nil {
		return fmt.Errorf("ask the database for the time: %w", err)
	}
	a.storage.leaser, a.storage.node = postgres.NewLeases(db.Pool()), host+"-"+rand.Text()[:8]
	if d.Pooler && d.ListenURL == "" {
		a.log.Warn("nothing is heard of other nodes behind a pooler: set database_listen_url; until then a look " +
			"every few seconds is all there is")
		return nil
	}
	if a.storage.notifier, err = postgres.NewNotifier(db.Pool(), string(d.ListenURL), a.log); err != nil {
		return &config.SettingError{Key: "database_listen_url", Err: err}
	}
	return nil
}

// amongOthers sets what a node does differently that is not alone.
func (a *App) amongOthers(o *service.Options) {
	if !a.several() {
		o.Alone = true
		return
	}
	o.Apart = true
	o.Leaser, o.Node, o.Roster = a.storage.leaser, a.storage.node, a.storage.shared
	o.Lease, o.HookTime = nodeLease, a.cfg.WebhookTimeout+hookMargin
	o.HookLease = max(nodeLease, o.HookTime+hookMargin)
	if a.storage.notifier != nil {
		o.Peers = a.storage.notifier
	}
}

// follow keeps a node up to date with the others until ctx ends: it hears what they tell, and looks by itself in case
// that was lost.
func (a *App) follow(ctx context.Context) {
	if !a.several() {
		return
	}
	var hearing sync.WaitGroup
	defer hearing.Wait()
	if a.storage.notifier != nil {
		hearing.Go(func() { a.storage.notifier.Run(ctx, func(n []wake.Notice) { a.svc.Hear(ctx, n) }) })
	}
	var asked, refreshed time.Time
	clock := a.workers.Worker("clock")
	for n := 0; ; n++ {
		factor := time.Duration(1)
		if a.storage.notifier != nil && a.storage.notifier.Hearing() {
			factor = hearingFactor
		}
		select {
		case <-time.After(factor * deafLook / lookParts):
			a.svc.Look(n%lookParts, lookParts)
		case <-ctx.Done():
			return
		}
		if due(&asked, factor*clockTime) {
			if err := a.clock.set(ctx, a.storage.askTime, a.log); err == nil {
				clock.Progress()
			} else if ctx.Err() == nil {
				clock.Failed("ask the database for the time", err)
			}
		}
		if due(&refreshed, factor*refreshTime) {
			a.report("read what other nodes changed", a.svc.Refresh(ctx))
		}
	}
}

// due tells whether so much time has passed, and if so restarts the clock.
func due(last *time.Time, every time.Duration) bool {
	if time.Since(*last) < every {
		return false
	}
	*last = time.Now()
	return true
}
