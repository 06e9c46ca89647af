package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/backup/repository"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// Added is a generation that was added to a repository.
type Added struct {
	Copied
	Name    string
	New     int64 // bytes that were written: what no earlier generation had
	Dropped int   // generations that were removed, because there are newer ones
	First   bool  // the repository had no generation before
	KeyFile string
}

// Add adds a generation to the repository at a place, which is made where there is none, and removes all but the newest
// generations. Whatever ends it in the middle leaves the earlier generations as they were.
func Add(ctx context.Context, cfg config.Config, to string, o Options) (done Added, err error) {
	if cfg.Database.URL != "" || cfg.BlobURL != "" {
		return done, errNotEmbedded
	}
	if err := hasData(cfg.DataDir); err != nil {
		return done, err
	}
	if !repository.IsBucket(to) {
		if err := apart(cfg.DataDir, to); err != nil {
			return done, err
		}
	}
	found, err := repository.Exists(ctx, to)
	if err != nil {
		return done, err
	}
	if !found && !o.Init && slices.Contains(knownRepositories(cfg.DataDir), repository.Name(to)) {
		return done, fmt.Errorf("there is no repository at %s any more: is its disk mounted? Use --init to begin a new one "+
			"there", repository.Name(to))
	}
	done.KeyFile = keyFile(cfg)
	secret, err := backupKey(done.KeyFile)
	if err == nil && secret == "" {
		secret, err = makeKey(done.KeyFile, found)
	}
	if err != nil {
		return done, err
	}
	repo, err := repository.Create(ctx, to, string(secret))
	if err != nil {
		return done, namingKey(err, done.KeyFile)
	}
	defer func() { err = errors.Join(err, repo.Close()) }()
	w, err := repo.NewGeneration(ctx)
	if err != nil {
		return done, err
	}
	t := &generationTarget{w: w, repo: repo, where: repository.Name(to)}
	done.Copied, err = makeIn(ctx, cfg, t, o)
	if isFull(err) {
		_, _, _ = repo.Prune(ctx, math.MaxInt) // what was written would only be in the way; the disk's error is told
	}
	if err != nil {
		return done, err
	}
	done.Name, done.New, done.First = t.made.Name, t.made.New, w.First()
	done.Dropped, _, err = repo.Prune(ctx, cfg.Backup.Keep)
	return done, err
}

// generationTarget is a backup as a generation of a repository.
type generationTarget struct {
	w     *repository.Writer
	repo  *repository.Repository
	where string
	made  repository.Generation
}

// claim makes sure that the repository is this deployment's. Its first root secret tells it from others, also after
// that was replaced, and after a restore. Tables of older versions have to wait for the next start.
func (g *generationTarget) claim(ctx context.Context, snap *sqlite.Snapshot) error {
	if version, err := snap.Version(); err != nil || version != sqlite.Known() {
		return err
	}
	all, err := snap.Reader().Secrets(ctx)
	for _, k := range all { // the oldest come first
		if err == nil && k.Name == mailbox.SecretRoot {
			sum := sha256.Sum256(fmt.Appendf(nil, "mailkin deployment %x %d", k.Digest, k.MadeAt.UnixMilli()))
			return g.w.Claim(hex.EncodeToString(sum[:]))
		}
	}
	return err
}

func (g *generationTarget) addDatabase(ctx context.Context, snap *sqlite.Snapshot, report func(int64)) (sum digest,
	err error) {
	pages, to := io.Pipe()
	hash := sha256.New()
	read := make(chan error, 1)
	go func() {
		err := snap.Pages(ctx, func(page []byte) error {
			sum.size += int64(len(page))
			hash.Write(page)
			report(sum.size)
			_, err := to.Write(page)
			return err
		})
		read <- errors.Join(err, to.CloseWithError(err))
	}()
	err = g.w.Add(ctx, datadir.Database, pages)
	_ = pages.CloseWithError(err)     // never fails
	if failed := <-read; err == nil { // otherwise it is the same
		err = failed
	}
	hash.Sum(sum.sum[:0])
	return sum, err
}

func (g *generationTarget) add(ctx context.Context, name, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if strings.HasPrefix(name, datadir.Blobs+"/") && g.w.AddSame(name, info.Size()) {
		return nil // a blob's bytes never change
	}
	return g.w.Add(ctx, name, f)
}

func (g *generationTarget) finish(ctx context.Context, m manifest) (err error) {
	g.made, err = g.w.Finish(ctx, m.bytes(), m.kept)
	return err
}

func (g *generationTarget) abandon() error {
	g.w.Abandon()
	return nil
}

// keyFile is where the secret of repositories is.
func keyFile(cfg config.Config) string {
	if cfg.Backup.KeyFile != "" {
		return cfg.Backup.KeyFile
	}
	return filepath.Join(cfg.DataDir, datadir.BackupKey)
}

const shortestKey = 32

// backupKey reads the secret; empty: there is none.
func backupKey(file string) (mailbox.Secret, error) {
	secret, err := datadir.Secret(file)
	if err == nil && secret != "" && len(secret) < shortestKey {
		err = fmt.Errorf("%s: a backup key has %d characters or more", file, shortestKey)
	}
	return secret, err
}

// makeKey makes a secret for a repository, which must not be there yet.
func makeKey(file string, found bool) (mailbox.Secret, error) {
	if found {
		return "", missingKey(file)
	}
	secret := rand.Text() + rand.Text()
	return mailbox.Secret(secret), datadir.WriteFile(file, []byte(secret+"\n"))
}

func missingKey(file string) error {
	return fmt.Errorf("the key of the repository is not in %s: put the copy that you have of it there, or name its file "+
		"with backup_key_file", file)
}

func openRepository(ctx context.Context, cfg config.Config, where string) (*repository.Repository, error) {
	found, err := repository.Exists(ctx, where)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("there is no repository of backups at %s: \"mailkin backup run\" makes one",
			repository.Name(where))
	}
	file := keyFile(cfg)
	secret, err := backupKey(file)
	if err != nil {
		return nil, err
	}
	if secret == "" {
		return nil, missingKey(file)
	}
	repo, err := repository.Open(ctx, where, string(secret))
	return repo, namingKey(err, file)
}

// namingKey says which key is the wrong one.
func namingKey(err error, file string) error {
	if errors.Is(err, repository.ErrKey) {
		return fmt.Errorf("%w than the one in %s: name the file of the right one with backup_key_file", err, file)
	}
	return err
}

// generation is one that is read.
type generation struct {
	repo *repository.Repository
	repository.Generation
}

func openGeneration(ctx context.Context, cfg config.Config, s Source) (source, error) {
	repo, err := openRepository(ctx, cfg, s.Path)
	if err != nil {
		return nil, err
	}
	g, err := repo.Generation(ctx, s.Generation)
	if err != nil {
		return nil, errors.Join(err, repo.Close())
	}
	return generation{repo, g}, nil
}

func (g generation) close() error { return g.repo.Close() }

func (g generation) giveTo(ctx context.Context, r *restore) error {
	r.done.Total, r.done.Generation = g.Bytes, g.Name
	if err := r.take(manifestFile, int64(len(g.Manifest)), bytes.NewReader(g.Manifest)); err != nil {
		return err
	}
	for _, f := range g.Files {
		if !knownFile(f.Name) || f.Name == manifestFile {
			return fmt.Errorf("%w: it has a file %q", errManifest, f.Name)
		}
		from := g.repo.Open(ctx, f)
		if err := errors.Join(r.take(f.Name, f.Size, from), from.Close()); err != nil {
			return err
		}
	}
	return restoreKeys(ctx, g.repo, r.stage)
}

// Generations lists those of a repository, the oldest first, without their files; also when some cannot be read.
func Generations(ctx context.Context, cfg config.Config, where string) (list []repository.Generation, err error) {
	repo, err := openRepository(ctx, cfg, where)
	if err != nil {
		return nil, err
	}
	names, err := repo.Generations(ctx)
	for _, name := range names {
		g, failed := repo.Generation(ctx, name)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		g.Files = nil
		list = append(list, g)
	}
	return list, errors.Join(err, repo.Close())
}
