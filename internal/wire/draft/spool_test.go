package draft

import (
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// fileOf makes an attachment of a given number of letters.
func fileOf(n int, letter string) string {
	return `{"content":"` + base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, n))) + `"}`
}

func filesOf(n, count int) string {
	return `{"attachments":[` + strings.TrimSuffix(strings.Repeat(fileOf(n, "a")+",", count), ",") + `]}`
}

func TestWhenThereIsAFile(t *testing.T) {
	for _, row := range []struct {
		name, body string
		want       bool
	}{
		{"no attachment", `{"text":"` + strings.Repeat("a", 400_000) + `"}`, false},
		{"small", filesOf(heldEach, 1), false},
		{"larger", filesOf(heldEach+1, 1), true},
		{"much", filesOf(heldEach, heldAll/heldEach), false},
		{"more", filesOf(heldEach, heldAll/heldEach+1), true},
		{"much twice", strings.Replace(filesOf(heldEach, 16), "{", filesOf(heldEach, 16)[:len(filesOf(heldEach, 16))-1]+
			",", 1), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			sp := NewSpool(t.TempDir(), nil)
			if _, err := Read(strings.NewReader(row.body), Send, mailbox.DefaultLimits(), sp); err != nil {
				t.Fatal(err)
			}
			if got := sp.file != nil; got != row.want {
				t.Errorf("a file: %v", got)
			}
			if sp.file != nil {
				if info, err := sp.file.Stat(); err != nil || info.Mode().Perm() != 0o600 {
					t.Error(info.Mode(), err)
				}
			}
			if err := sp.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Nothing has a name while the draft is in use, and nothing can be opened after it.
func TestSpoolLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	sp := NewSpool(dir, nil)
	body := `{"attachments":[` + fileOf(10, "a") + "," + fileOf(300_000, "b") + `]}`
	d, err := Read(strings.NewReader(body), Send, mailbox.DefaultLimits(), sp)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Error("while it is used:", left, err)
	}
	late, err := d.Attachments[1].Open()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := sp.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := io.ReadAll(late); !errors.Is(err, os.ErrClosed) {
		t.Error("a reader of the file:", err)
	}
	for i, a := range d.Attachments {
		if _, err := a.Open(); !errors.Is(err, os.ErrClosed) {
			t.Error("attachment", i, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Error("after Close:", left, err)
	}
}

// Where the name of an open file cannot be removed, Close does it.
func TestSpoolWithAName(t *testing.T) {
	dir := t.TempDir()
	sp := NewSpool(dir, nil)
	sp.name = filepath.Join(dir, "draft-1")
	f, err := os.Create(sp.name)
	if err != nil {
		t.Fatal(err)
	}
	sp.file = f
	if _, err := Read(strings.NewReader(filesOf(100_000, 1)), Send, mailbox.DefaultLimits(), sp); err != nil {
		t.Fatal(err)
	}
	if err := sp.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Error("after Close:", left, err)
	}
}

func TestOpenedTogether(t *testing.T) {
	sp := NewSpool(t.TempDir(), nil)
	body := `{"attachments":[` + fileOf(300_000, "a") + "," + fileOf(10, "b") + "," + fileOf(200_000, "c") + `]}`
	d, err := Read(strings.NewReader(body), Send, mailbox.DefaultLimits(), sp)
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for i, got := range openAll(t, d) {
				if want := strings.Repeat(string(rune('a'+i)), int(d.Attachments[i].Size)); got.Content != want {
					t.Errorf("attachment %d differs", i)
				}
			}
		})
	}
	readers.Wait()
	if err := sp.Close(); err != nil {
		t.Error(err)
	}
}

// What is thrown away gives its place in the file to what follows.
func TestReplacedInTheFile(t *testing.T) {
	sp := NewSpool(t.TempDir(), nil)
	body := `{"attachments":[` + fileOf(300_000, "a") + "," + fileOf(300_000, "b") + `],"attachments":[` +
		fileOf(100_000, "c") + "," + strings.Replace(fileOf(200_000, "x"), "}", ",", 1) + fileOf(150_000, "d")[1:] +
		`]}`
	d, err := Read(strings.NewReader(body), Send, mailbox.DefaultLimits(), sp)
	if err != nil {
		t.Fatal(err)
	}
	got := openAll(t, d)
	if len(got) != 2 || got[0].Content != strings.Repeat("c", 100_000) || got[1].Content != strings.Repeat("d",
		150_000) || sp.size != 250_000 {
		t.Errorf("%d attachments, %d bytes in use", len(got), sp.size)
	}
	if err := sp.Close(); err != nil {
		t.Error(err)
	}
}

func TestSpoolFails(t *testing.T) {
	broken := NewSpool(t.TempDir(), nil)
	f, err := os.Open(os.DevNull) // cannot be written
	if err != nil {
		t.Fatal(err)
	}
	broken.file = f
	closed := NewSpool(t.TempDir(), nil)
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for name, sp := range map[string]*Spool{"no folder": NewSpool(filepath.Join(t.TempDir(), "none"), nil),
		"write": broken, "closed": closed} {
		_, err := Read(strings.NewReader(filesOf(100_000, 1)), Send, mailbox.DefaultLimits(), sp)
		var known *mailbox.Error
		if !errors.As(err, &known) || known.Kind != mailbox.DiskFull || known.Err == nil ||
			strings.Contains(known.Message, "draft-") {
			t.Errorf("%s: %v", name, err)
		}
		if err := sp.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Before the file grows the spool asks for room, once for each byte of it, and what is refused ends the reading.
func TestSpoolAsksForRoom(t *testing.T) {
	full, asked := errors.New("full"), int64(0)
	sp := NewSpool(t.TempDir(), func(n int64) error {
		if asked += n; asked > 300_000 {
			return full
		}
		return nil
	})
	defer sp.Close()
	content := strings.Repeat("QUFB", 50_000)
	list := `[{"content":"` + content + `"}]`
	if _, err := Read(strings.NewReader(`{"attachments":`+list+`,"attachments":`+list+`}`), Send,
		mailbox.DefaultLimits(), sp); err != nil {
		t.Fatal(err) // the second list takes the place of the first
	}
	if asked != 150_000 {
		t.Errorf("asked for %d bytes", asked)
	}
	long := `{"attachments":[{"content":"` + strings.Repeat(content, 3) + `"}]}`
	if _, err := Read(strings.NewReader(long), Send, mailbox.DefaultLimits(), sp); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}
