package index_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// filesWith lists the files of a folder that have a word.
func filesWith(t *testing.T, dir, word string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(b), []byte(word)) {
			list = append(list, filepath.Base(path))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return list
}

// What was deleted, or whose time is over, is in no file within the hour (API 3): neither in the store's nor in the
// index's, and not in their logs.
func TestDeletedIsInNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	k := newService(t, withIndexIn(t, dir))
	robin, doomed, short := k.permanent("robin"), k.permanent("doomed"), k.provisional("agent-1")
	words := []string{"planted0xylophone", "planted1xylophone", "planted2xylophone"}
	var ids []mailbox.ID
	for i, b := range []box{robin, doomed, short} {
		mail := plainMail("x@y.test", "about "+words[i], words[i]+strings.Repeat(" and some more", 300))
		ids = append(ids, k.receive(mail, b.Address)[0].ID)
		k.receive(plainMail("x@y.test", "kept", "something else"), robin.Address)
	}
	k.index()
	everywhere := func(word string) []string {
		return append(filesWith(t, filepath.Dir(k.Path), word), filesWith(t, dir, word)...)
	}
	for _, word := range words {
		if list := everywhere(word); len(list) < 2 {
			t.Fatalf("%s is in %v alone, so that nothing is shown", word, list)
		}
	}
	k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), robin.change(), ids[0]))
	_, err := k.svc.DeleteMailbox(t.Context(), doomed.in(mailbox.DeleteMailbox))
	k.works("DeleteMailbox", err)
	k.Clock.Advance(short.ExpiresAt.Sub(k.Clock.Now()))
	k.works("Expire", k.svc.Expire(t.Context()))
	k.Clock.Advance(45 * time.Minute)
	k.index()
	for _, word := range words {
		for deadline := time.Now().Add(time.Minute); len(everywhere(word)) > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s is still in %v", word, everywhere(word))
			}
			k.index()
		}
	}
	if got := robin.find("something"); len(got) != 3 {
		t.Errorf("%d are left", len(got))
	}
}

// Where mail comes all the time, and the index has no quiet moment, it is the same: what was deleted is out of its
// files within the hour.
func TestDeletedIsInNoFileOfABusyIndex(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	k := newService(t, withIndexIn(t, dir))
	robin, doomed := k.permanent("robin"), k.permanent("doomed")
	words := []string{"planted0xylophone", "planted1xylophone"}
	x := k.svc.Index().NewIndexer()
	var ids []mailbox.ID
	for i, b := range []box{robin, doomed} {
		mail := plainMail("x@y.test", "about "+words[i], words[i]+strings.Repeat(" and some more", 300))
		ids = append(ids, k.receive(mail, b.Address)[0].ID)
	}
	busy := func(minutes int) (left []string) {
		for range minutes {
			k.Clock.Advance(time.Minute)
			k.receive(plainMail("x@y.test", "kept", "something else"), robin.Address)
			k.works("BusyRound", x.BusyRound(t.Context()))
		}
		return append(filesWith(t, dir, words[0]), filesWith(t, dir, words[1])...)
	}
	if left := busy(1); len(left) < 2 {
		t.Fatalf("the words are in %v alone, so that nothing is shown", left)
	}
	k.works("DeleteMessage", k.svc.DeleteMessage(t.Context(), robin.change(), ids[0]))
	_, err := k.svc.DeleteMailbox(t.Context(), doomed.in(mailbox.DeleteMailbox))
	k.works("DeleteMailbox", err)
	if left := busy(59); len(left) > 0 {
		t.Errorf("words are left in %v", left)
	}
}
