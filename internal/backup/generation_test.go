package backup

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/backup/repository"
	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// repositories are the places that a repository can be at.
var repositories = map[string]func(*testing.T) string{
	"folder": func(t *testing.T) string { return filepath.Join(t.TempDir(), "repository") },
	"bucket": func(t *testing.T) string { return s3test.Start(t).URLWithKeys() },
}

func (d deployment) add(to string) Added {
	d.T.Helper()
	done, err := Add(d.T.Context(), d.Config, to, options())
	d.Must(err)
	return done
}

// restoreGeneration restores one with the deployment's key.
func (d deployment) restoreGeneration(from, name string) (Copied, error) {
	cfg := d.Config
	cfg.Backup.KeyFile, cfg.DataDir = keyFile(d.Config), filepath.Join(d.T.TempDir(), "data")
	return Restore(d.T.Context(), cfg, Source{Path: from, Generation: name}, quietly)
}

// Each generation is restored to what it was; what has not changed is not written again; old ones go.
func TestGenerations(t *testing.T) {
	for name, place := range repositories {
		t.Run(name, func(t *testing.T) {
			to, d := place(t), newDeployment(t)
			d.Config.Backup.Keep = 2
			d.small(1)
			d.large(2)
			first := d.add(to)
			if first.Messages != 3 || first.Blobs != 2 || first.New == 0 || !first.First {
				t.Errorf("first: %+v", first)
			}
			same := d.add(to)
			if same.New > 100_000 || same.Dropped != 0 || same.First {
				t.Errorf("nothing has changed: %+v", same)
			}
			d.small(3)
			third := d.add(to)
			if third.Messages != 4 || third.New > first.New+200_000 || third.Dropped != 1 {
				t.Errorf("third: %+v", third)
			}
			list, err := Generations(t.Context(), d.Config, to)
			if err != nil || len(list) != 2 || list[0].Name != same.Name || list[1].Name != third.Name {
				t.Errorf("%v, %v", list, err)
			}
			for _, row := range []struct {
				generation string
				messages   int64
			}{{same.Name, 3}, {third.Name, 4}, {"", 4}} {
				if got, err := d.restoreGeneration(to, row.generation); err != nil || got.Messages != row.messages ||
					got.Blobs != 2 {
					t.Errorf("%q: %+v, %v", row.generation, got, err)
				}
			}
			if _, err := d.restoreGeneration(to, first.Name); err == nil {
				t.Error("restored a generation that was removed")
			}
			temp := t.TempDir()
			if got, err := Verify(t.Context(), d.Config, Source{Path: to}, temp, quietly); err != nil ||
				got.Messages != 4 || files(t, temp) != nil {
				t.Errorf("verify: %+v, %v", got, err)
			}
			note, err := os.ReadFile(filepath.Join(d.Config.DataDir, datadir.LastBackup))
			if err != nil || !strings.Contains(string(note), `"at":"20`) {
				t.Errorf("note %s, %v", note, err)
			}
		})
	}
}

// A repository says nothing to whoever lacks its key, and notices when a file was changed.
func TestRepositoryKeyAndDamage(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	to := filepath.Join(t.TempDir(), "repository")
	d.add(to)
	for _, name := range files(t, to) {
		b, err := os.ReadFile(filepath.Join(to, name))
		if err != nil || strings.Contains(string(b), "a@x.org") || strings.Contains(string(b), "the root") {
			t.Errorf("%s can be read, %v", name, err)
		}
	}
	other := d.Config
	other.Backup.KeyFile = filepath.Join(t.TempDir(), "key")
	verify := func(to string) error {
		_, err := Verify(t.Context(), d.Config, Source{Path: to}, t.TempDir(), quietly)
		return err
	}
	if _, err := Add(t.Context(), other, to, options()); err == nil ||
		!strings.Contains(err.Error(), "backup_key_file") {
		t.Errorf("without a key: %v", err)
	}
	d.Must(os.WriteFile(other.Backup.KeyFile, []byte(strings.Repeat("wrong", 10)), 0o600))
	if _, err := Add(t.Context(), other, to, options()); !errors.Is(err, repository.ErrKey) {
		t.Errorf("with another key: %v", err)
	}
	d.Must(verify(to))
	chunks := slices.DeleteFunc(files(t, to), func(name string) bool { return !strings.HasPrefix(name, "chunks/") })
	one, two := filepath.Join(to, chunks[0]), filepath.Join(to, chunks[1])
	whole, err := os.ReadFile(one)
	d.Must(err)
	for name, damage := range map[string]func() error{
		"a bit":      func() error { return os.WriteFile(one, append([]byte{whole[0] ^ 1}, whole[1:]...), 0o600) },
		"cut":        func() error { return os.WriteFile(one, whole[:len(whole)/2], 0o600) },
		"empty":      func() error { return os.Truncate(one, 0) },
		"exchanged":  func() error { b, err := os.ReadFile(two); return errors.Join(err, os.WriteFile(one, b, 0o600)) },
		"gone":       func() error { return os.Remove(one) },
		"generation": func() error { return os.Truncate(filepath.Join(to, "generations", generationOf(d, to)), 40) },
	} {
		t.Run(name, func(t *testing.T) {
			d.Must(os.WriteFile(one, whole, 0o600))
			d.Must(damage())
			if err := verify(to); err == nil {
				t.Error("it can be restored")
			}
		})
	}
}

// A list of a generation that is damaged, or a file that is none, does not hide the other generations.
func TestDamagedListOfAGeneration(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	to := filepath.Join(t.TempDir(), "repository")
	first, second := d.add(to), d.add(to)
	d.Must(os.Truncate(filepath.Join(to, "generations", first.Name), 40))
	d.Must(os.WriteFile(filepath.Join(to, "generations", "zz.tmp"), nil, 0o600))
	list, err := Generations(t.Context(), d.Config, to)
	if err == nil || !strings.Contains(err.Error(), first.Name) || len(list) != 1 || list[0].Name != second.Name {
		t.Errorf("%v, %v", list, err)
	}
	if got, err := d.restoreGeneration(to, ""); err != nil || got.Messages != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Add(t.Context(), d.Config, to, options()); err == nil || !strings.Contains(err.Error(), "remove") {
		t.Errorf("the next one: %v", err)
	}
	d.Must(os.Remove(filepath.Join(to, "generations", first.Name)))
	d.add(to)
}

// What a repository has lost is written again by the next backup, as far as the data still has it: otherwise every
// later generation would lack it, too.
func TestLostChunksAreWrittenAgain(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	d.large(2)
	to := filepath.Join(t.TempDir(), "repository")
	d.add(to)
	d.Must(os.RemoveAll(filepath.Join(to, "chunks")))
	if _, err := d.restoreGeneration(to, ""); !errors.Is(err, repository.ErrDamaged) {
		t.Errorf("without chunks: %v", err)
	}
	d.add(to)
	if got, err := d.restoreGeneration(to, ""); err != nil || got.Messages != 3 || got.Blobs != 2 {
		t.Errorf("after the next backup: %+v, %v", got, err)
	}
}

// The keys of mailboxes in a repository are not replaced by others: earlier generations need them.
func TestOtherKeysAreRefused(t *testing.T) {
	d := newDeployment(t)
	to := filepath.Join(t.TempDir(), "repository")
	d.add(to)
	repo, err := openRepository(t.Context(), d.Config, to)
	d.Must(err)
	defer repo.Close()
	slots := func(keys ...string) *bytes.Reader {
		b := make([]byte, seal.SlotSize)
		for _, key := range keys {
			b = append(b, seal.Slot([]byte(key))...)
		}
		return bytes.NewReader(b)
	}
	merge := func(keys ...string) error {
		return repo.MergeKeys(t.Context(), seal.SlotSize, slots(keys...), []byte("root"))
	}
	d.Must(merge("one", "two"))
	damaged := filepath.Join(to, "keys", "00000000")
	d.Must(os.Truncate(damaged, 50))
	if err := merge("one", "two"); err == nil || !strings.Contains(err.Error(), "remove that file") {
		t.Errorf("a damaged file: %v", err)
	}
	d.Must(os.Remove(damaged))
	d.Must(merge("one", "two"))
	if err := merge("one", "other"); err == nil || !strings.Contains(err.Error(), "mailbox 2") {
		t.Errorf("another key: %v", err)
	}
	d.Must(merge("", "two", "three")) // the first mailbox was deleted
	d.Must(merge("one", "two"))       // and an old copy of the keys was put back
	d.Must(repo.WipeKey(t.Context(), 2, seal.Slot(nil), []byte("root")))
	if err := repo.WipeKey(t.Context(), 3, seal.Slot(nil), []byte("another root")); err == nil {
		t.Error("another deployment destroyed a key")
	}
	got, err := os.Create(filepath.Join(t.TempDir(), "keys"))
	d.Must(err)
	defer got.Close()
	_, err = repo.Keys(t.Context(), seal.SlotSize, got)
	d.Must(err)
	b, err := os.ReadFile(got.Name())
	d.Must(err)
	for num, shredded := range []bool{false, true, true, false} {
		if seal.IsShredded(b[num*seal.SlotSize:]) != shredded {
			t.Errorf("the key of mailbox %d is destroyed: %t", num, !shredded)
		}
	}
}

// A repository has the generations of one deployment: those of another one with the same key would go as old.
func TestAnotherDeployment(t *testing.T) {
	to := filepath.Join(t.TempDir(), "repository")
	known := func(d deployment, digest byte) {
		d.Must(d.DB.Update(t.Context(), func(tx store.Tx) error {
			return tx.PutSecret(t.Context(), mailbox.KnownSecret{Name: mailbox.SecretRoot, Digest: [32]byte{digest},
				MadeAt: time.Unix(int64(digest), 0)})
		}))
	}
	d, other := newDeployment(t), newDeployment(t)
	d.add(to) // from before a deployment was told from others
	known(d, 1)
	d.add(to)
	known(d, 2) // the secret was replaced
	first := d.add(to)
	known(other, 3)
	other.Config.Backup.KeyFile, other.Config.Backup.Keep = keyFile(d.Config), 1
	if _, err := Add(t.Context(), other.Config, to, options()); err == nil ||
		!strings.Contains(err.Error(), "another deployment") {
		t.Errorf("a second deployment: %v", err)
	}
	list, err := Generations(t.Context(), d.Config, to)
	if err != nil || len(list) != 3 || list[2].Name != first.Name {
		t.Errorf("%v, %v", list, err)
	}
}

// Keys of deleted mailboxes wait for a repository whose disk is away.
func TestWiperWaitsForTheRepository(t *testing.T) {
	d := newDeployment(t)
	to := filepath.Join(t.TempDir(), "repository")
	d.Config.Backup.To = mailbox.Secret(to)
	w := NewWiper(d.Config, options().Log)
	d.Must(w.wipe([]mailbox.Num{1}, false)) // there never was a backup
	d.add(to)
	d.Must(os.Rename(to, to+"-away"))
	if err := w.wipe([]mailbox.Num{1}, false); err == nil {
		t.Error("the key counts as taken out of a repository that is not there")
	}
	w.Wipe(1)
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if n, err := w.Late(); err != nil && n == 1 {
			break
		}
		if time.Since(began) > 10*time.Second {
			t.Fatal("nobody is told that the key is still there")
		}
	}
	d.Must(os.Rename(to+"-away", to))
	d.Must(errors.Join(w.wipe([]mailbox.Num{1}, false), w.Close()))
}

// A restore of an older generation goes without the mailboxes that were deleted since, and its numbers say so.
func TestRestoreCountsWhatIsLeft(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	d.large(2) // one for each mailbox
	to := filepath.Join(t.TempDir(), "repository")
	keys := filepath.Join(d.Config.DataDir, datadir.Keys)
	write := func(other []byte) {
		d.Must(os.WriteFile(keys, slices.Concat(make([]byte, seal.SlotSize), seal.Slot([]byte("one")),
			seal.Slot(other)), 0o600))
	}
	d.Must(os.WriteFile(filepath.Join(d.Config.DataDir, datadir.RootKey), []byte("root"), 0o600))
	write([]byte("two"))
	first := d.add(to)
	write(nil)
	d.add(to)
	if got, err := d.restoreGeneration(to, first.Name); err != nil || got.Messages != 2 || got.Blobs != 1 ||
		got.Deleted != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// What a process did not get done is done after the next start.
func TestWiperResumes(t *testing.T) {
	d := newDeployment(t)
	to := filepath.Join(t.TempDir(), "repository")
	d.Config.Backup.To = mailbox.Secret(to)
	keys := filepath.Join(d.Config.DataDir, datadir.Keys)
	write := func(key []byte) {
		d.Must(os.WriteFile(keys, append(make([]byte, seal.SlotSize), seal.Slot(key)...), 0o600))
	}
	d.Must(os.WriteFile(filepath.Join(d.Config.DataDir, datadir.RootKey), []byte("root"), 0o600))
	write([]byte("one"))
	d.add(to)
	start := func() []byte {
		w := NewWiper(d.Config, options().Log)
		w.Resume()
		d.Must(w.Close())
		repo, err := openRepository(t.Context(), d.Config, to)
		d.Must(err)
		defer repo.Close()
		got, err := os.Create(filepath.Join(t.TempDir(), "keys"))
		d.Must(err)
		defer got.Close()
		_, err = repo.Keys(t.Context(), seal.SlotSize, got)
		d.Must(err)
		b, err := os.ReadFile(got.Name())
		d.Must(err)
		return b[seal.SlotSize:]
	}
	if got := start(); seal.IsShredded(got) {
		t.Error("nothing was deleted")
	}
	write(nil)
	later := time.Now().Add(time.Minute)
	d.Must(os.Chtimes(keys, later, later))
	if got := start(); !seal.IsShredded(got) {
		t.Error("the key of a mailbox that was deleted is still in the repository")
	}
}

func generationOf(d deployment, to string) string {
	names, err := filepath.Glob(filepath.Join(to, "generations", "*"))
	d.Must(err)
	return filepath.Base(names[0])
}

// A backup that ends in the middle leaves the earlier generations whole, and its chunks go with the next one. A chunk
// that it left is not relied on.
func TestGenerationAfterAKill(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	to := filepath.Join(t.TempDir(), "repository")
	first := d.add(to)
	d.large(2)
	repo, err := openRepository(t.Context(), d.Config, to)
	d.Must(err)
	before := files(t, filepath.Join(to, "chunks"))
	w, err := repo.NewGeneration(t.Context())
	d.Must(err)
	b := &backup{data: d.Config.DataDir, Options: options(), lost: map[string]bool{}}
	d.Must(b.stage(t.Context()))
	killed := &generationTarget{w: w, repo: repo}
	_, err = killed.addDatabase(t.Context(), b.snap, func(int64) {})
	d.Must(errors.Join(err, b.copyBlob(t.Context(), killed, b.keys[0], 0), killed.abandon()))
	d.Must(errors.Join(b.snap.Close(), b.lock.Close(), repo.Close()))
	for _, name := range files(t, filepath.Join(to, "chunks")) {
		if !slices.Contains(before, name) {
			d.Must(os.Truncate(filepath.Join(to, "chunks", name), 0)) // what a power cut may leave of it
		}
	}
	if got, err := d.restoreGeneration(to, ""); err != nil || got.Messages != 1 {
		t.Errorf("after a kill: %+v, %v", got, err)
	}
	d.add(to)
	for name, messages := range map[string]int64{first.Name: 1, "": 3} {
		if got, err := d.restoreGeneration(to, name); err != nil || got.Messages != messages {
			t.Errorf("%q: %+v, %v", name, got, err)
		}
	}
}

// A run whose repository vanishes meanwhile is no backup, and writes nothing to what is in its place then.
func TestRepositoryVanishes(t *testing.T) {
	for name, vanish := range map[string]func(to string) error{
		"deleted": func(to string) (err error) {
			for range 100 { // while it is written to
				if err = os.RemoveAll(to); err == nil {
					break
				}
			}
			return err
		},
		"no longer":    func(to string) error { return os.Rename(to, to+"-away") },
		"another disk": func(to string) error { return errors.Join(os.Rename(to, to+"-away"), os.Mkdir(to, 0o700)) },
		"no mark":      func(to string) error { return os.Remove(filepath.Join(to, "mailkin-backups")) },
		"a chunk": func(to string) error {
			for {
				if written, _ := filepath.Glob(filepath.Join(to, "chunks", "*", "[0-9a-f]*")); written != nil {
					return os.Remove(written[0])
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, to := newDeployment(t), filepath.Join(t.TempDir(), "repository")
			d.large(2)
			o := options()
			o.Report = func(c Copied) {
				if c.Blobs == 1 || name == "deleted" && c.Bytes > 0 {
					d.Must(vanish(to))
				}
			}
			if _, err := Add(t.Context(), d.Config, to, o); err == nil || strings.Count(err.Error(), "vanished") != 1 ||
				strings.Contains(err.Error(), "closed") {
				t.Errorf("it counts, or is told twice: %v", err)
			}
			if _, err := os.Stat(filepath.Join(d.Config.DataDir, datadir.LastBackup)); err == nil {
				t.Error("it is noted as a backup")
			}
			if left := files(t, to); name == "another disk" && left != nil {
				t.Errorf("written beneath the repository: %v", left)
			}
		})
	}
}

// Where a repository was before, none is begun unless that is asked for: its disk may be away.
func TestKnownRepositoryIsNotBegunAgain(t *testing.T) {
	d, dir := newDeployment(t), filepath.Join(t.TempDir(), "repository")
	bucket := s3test.Start(t).URLWithKeys()
	d.add(dir)
	d.add(bucket)
	d.Must(os.Rename(dir, dir+"-away"))
	where, err := blob.ParseBucketURL(bucket)
	d.Must(err)
	b, err := blob.OpenBucket(where)
	d.Must(err)
	d.Must(errors.Join(b.RemoveFiles(t.Context(), "mailkin-backups"), b.Close()))
	refused := func(to string) {
		t.Helper()
		d.Must(os.RemoveAll(keyFile(d.Config)))
		if _, err := Add(t.Context(), d.Config, to, options()); err == nil ||
			!strings.Contains(err.Error(), "--init") || strings.Contains(err.Error(), s3test.SecretKey) {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(keyFile(d.Config)); err == nil {
			t.Error("a key was made")
		}
	}
	refused(bucket)
	refused(dir)
	d.Must(os.Mkdir(dir, 0o700)) // as a mount point without its disk
	refused(dir)
	if left := files(t, dir); left != nil {
		t.Errorf("written beneath the repository: %v", left)
	}
	o := options()
	o.Init = true
	if done, err := Add(t.Context(), d.Config, dir, o); err != nil || !done.First {
		t.Errorf("asked for: %+v, %v", done, err)
	}
}

func TestGenerationCancelled(t *testing.T) {
	d := newDeployment(t)
	d.large(2)
	to := filepath.Join(t.TempDir(), "repository")
	ctx, stop := context.WithCancel(t.Context())
	o := options()
	o.Report = func(Copied) { stop() }
	if _, err := Add(ctx, d.Config, to, o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if list, err := Generations(t.Context(), d.Config, to); err != nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
}
