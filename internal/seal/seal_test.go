package seal

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// transit is a stand-in for Vault's transit engine: it speaks its protocol, with a cipher that everybody can undo.
func transit(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		if r.Header.Get("X-Vault-Token") != "hvs.token" || r.Method != http.MethodPost ||
			json.NewDecoder(r.Body).Decode(&body) != nil {
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"errors":["permission denied"]}`))
			return
		}
		data := map[string]any{"key_version": 1}
		switch r.URL.Path {
		case "/v1/moved/encrypt/mailkin", "/v1/moved/decrypt/mailkin":
			http.Redirect(w, r, strings.Replace(r.URL.Path, "moved", "transit", 1), http.StatusTemporaryRedirect)
			return
		case "/v1/transit/encrypt/mailkin":
			data["ciphertext"] = "vault:v1:" + base64.StdEncoding.EncodeToString([]byte(body["plaintext"]))
		case "/v1/transit/decrypt/mailkin":
			b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(body["ciphertext"], "vault:v1:"))
			if err != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			data["plaintext"] = string(b)
		default:
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"request_id": "x", "data": data})
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func TestVault(t *testing.T) {
	host := transit(t)
	dir := t.TempDir()
	open := func(url string) (*Ring, error) {
		table, err := OpenFile(filepath.Join(dir, "keys"), filepath.Join(dir, "root"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = table.Close() })
		return Open(t.Context(), table, Options{On: true, Master: func() (Master, error) {
			return VaultMaster(url)
		}})
	}
	first, err := open("http://:hvs.token@" + host + "/transit/mailkin")
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := first.Seal(t.Context(), BySeq("content", 1, 1), []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := open("http://:hvs.token@" + host + "/transit/mailkin")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := second.Open(t.Context(), BySeq("content", 1, 1), sealed); err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
	for name, url := range map[string]string{
		"wrong token": "http://:wrong@" + host + "/transit/mailkin",
		"wrong key":   "http://:hvs.token@" + host + "/transit/other",
		"redirect":    "http://:hvs.token@" + host + "/moved/mailkin",
		"nobody":      "http://:hvs.token@127.0.0.1:1/transit/mailkin",
		"no token":    "http://" + host + "/transit/mailkin",
		"no mount":    "http://:hvs.token@" + host + "/mailkin",
		"no URL":      "vault",
	} {
		if _, err := open(url); err == nil || strings.Contains(err.Error(), "hvs.token") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = open("http://:wrong@" + host + "/transit/mailkin")
	if !errors.Is(err, ErrMaster) || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("what the service says: %v", err)
	}
}

// Keys that are lost are not replaced by others: they may come back.
func TestLostKeys(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	open := func(digest []byte) (*Ring, error) {
		table, err := OpenFile(path("keys"), path("root"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = table.Close() })
		return Open(t.Context(), table, Options{On: true, Digest: digest, Master: func() (Master, error) {
			return FileMaster(path("master"), true)
		}})
	}
	ring, err := open(nil)
	if err != nil {
		t.Fatal(err)
	}
	digest := ring.Digest()
	rec := BySeq("content", 3, 1)
	if _, err := ring.Seal(t.Context(), rec, []byte("text")); err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]int{"state": 0, "key": 30} {
		keys, err := os.ReadFile(path("keys"))
		if err != nil {
			t.Fatal(err)
		}
		damaged := slices.Clone(keys)
		damaged[3*SlotSize+at] ^= 0x55
		if err := os.WriteFile(path("keys"), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := open(digest[:])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := again.Seal(t.Context(), rec, []byte("more")); !errors.Is(err, ErrDamaged) {
			t.Errorf("damaged %s: %v", name, err)
		}
		if now, err := os.ReadFile(path("keys")); err != nil || !slices.Equal(now, damaged) {
			t.Errorf("damaged %s: another key was made, %v", name, err)
		}
		if err := again.Shred(t.Context(), 3); err != nil {
			t.Errorf("damaged %s: the mailbox cannot be deleted: %v", name, err)
		}
		if err := os.WriteFile(path("keys"), keys, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(path("root")); err != nil {
		t.Fatal(err)
	}
	for _, known := range [][]byte{digest[:], nil} { // the keys that are there were wrapped with it
		if _, err := open(known); !errors.Is(err, ErrLost) {
			t.Errorf("without the root key: %v", err)
		}
		if _, err := os.Stat(path("root")); err == nil {
			t.Error("another root key was made")
		}
	}
	if err := os.Remove(path("keys")); err != nil {
		t.Fatal(err)
	}
	if _, err := open(nil); err != nil { // one that another deployment has
		t.Fatal(err)
	}
	if _, err := open(digest[:]); !errors.Is(err, ErrLost) {
		t.Errorf("with another root key: %v", err)
	}
}

func TestFileKeys(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	table, err := OpenFile(path("keys"), path("root"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	master := func() (Master, error) { return FileMaster(path("master"), true) }
	if ring, err := Open(t.Context(), table, Options{Master: master}); ring != nil || err != nil {
		t.Errorf("where nothing was ever sealed: %v, %v", ring, err)
	}
	ring, err := Open(t.Context(), table, Options{Master: master, On: true})
	if err != nil {
		t.Fatal(err)
	}
	rec := BySeq("content", 3, 1)
	sealed, err := ring.Seal(t.Context(), rec, []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	wrapped, err := table.Key(t.Context(), 3)
	if err != nil || len(wrapped) != 12+KeySize+16 {
		t.Fatalf("%d bytes, %v", len(wrapped), err)
	}
	var told int
	ring.Shredded = func(num mailbox.Num) { told += int(num) }
	for range 2 {
		if err := ring.Shred(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
	}
	if told != 3 {
		t.Errorf("told %d", told)
	}
	if b, err := os.ReadFile(path("keys")); err != nil || strings.Contains(string(b), string(wrapped[:16])) {
		t.Errorf("the key is still in the file, %v", err)
	}
	for name, try := range map[string]func() error{
		"open": func() error { _, err := ring.Open(t.Context(), rec, sealed); return err },
		"seal": func() error { _, err := ring.Seal(t.Context(), rec, []byte("more")); return err },
	} {
		if err := try(); !errors.Is(err, ErrShredded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(path("master"), []byte(strings.Repeat("other", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), table, Options{Master: master, On: true}); err == nil {
		t.Error("opened with another master key")
	}
}

// slowTable lets several callers see that there is no key before one of them makes it.
type slowTable struct {
	*FileTable
	looked sync.WaitGroup
	first  atomic.Int32
}

func (t *slowTable) Key(ctx context.Context, num mailbox.Num) ([]byte, error) {
	key, err := t.FileTable.Key(ctx, num)
	if num != 0 && t.first.Add(-1) >= 0 {
		t.looked.Done()
		t.looked.Wait()
	}
	return key, err
}

// A mailbox from before there was encryption gets its key with its first sealed record. Those that seal its first
// records at the same time seal them with the same key.
func TestFirstKeyAtOnce(t *testing.T) {
	const callers = 4
	dir := t.TempDir()
	file, err := OpenFile(filepath.Join(dir, "keys"), filepath.Join(dir, "root"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table := &slowTable{FileTable: file}
	table.looked.Add(callers)
	table.first.Store(callers)
	ring, err := Open(t.Context(), table, Options{On: true, Master: func() (Master, error) {
		return FileMaster(filepath.Join(dir, "master"), true)
	}})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	sealed := make([][]byte, callers)
	for i := range sealed {
		wg.Go(func() {
			var err error
			if sealed[i], err = ring.Seal(t.Context(), BySeq("content", 7, int64(i)), []byte("text")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, b := range sealed {
		if got, err := ring.Open(t.Context(), BySeq("content", 7, int64(i)), b); err != nil || string(got) != "text" {
			t.Errorf("record %d: %q, %v", i, got, err)
		}
	}
}

// A name that is sealed looks the same each time in one mailbox, and different in another.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	table, err := OpenFile(filepath.Join(dir, "keys"), filepath.Join(dir, "root"))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := Open(t.Context(), table, Options{On: true, Master: func() (Master, error) {
		return FileMaster(filepath.Join(dir, "master"), true)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ring.Close() })
	seal := func(num mailbox.Num, name string) string {
		_, sealed, err := ring.SealAddress(t.Context(), num, "kim", name)
		if err != nil || strings.Contains(sealed, "example") {
			t.Errorf("%s is %s, %v", name, sealed, err)
		}
		return sealed
	}
	for _, name := range []string{"a.example", "", strings.Repeat("long.", 50) + "example"} {
		one := seal(1, name)
		if again := seal(1, name); again != one {
			t.Errorf("%q twice: %s, %s", name, one, again)
		}
		if other := seal(2, name); other == one {
			t.Errorf("%q looks the same in two mailboxes", name)
		}
		if got, err := ring.OpenName(t.Context(), 1, one); err != nil || got != name {
			t.Errorf("%q is read as %q, %v", name, got, err)
		}
	}
	if _, err := ring.OpenName(t.Context(), 1, "short"); !errors.Is(err, ErrDamaged) {
		t.Errorf("a short one: %v", err)
	}
	if err := ring.Shred(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := ring.OpenName(t.Context(), 1, seal(2, "a.example")); !errors.Is(err, ErrShredded) {
		t.Errorf("after the key: %v", err)
	}
}
