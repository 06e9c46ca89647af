package test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// distinctMail is a message of many words, few of which others have: its index takes more room than itself.
func distinctMail(r *rand.Rand, n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: a@example.org\r\nSubject: number %d\r\nMessage-ID: <wordy-%d@example.org>\r\n\r\n", n, n)
	for i := range 375 {
		fmt.Fprintf(&b, "w%x", r.Uint64N(1<<24))
		b.WriteString([]string{" ", " ", " ", "\r\n"}[i%4])
	}
	return b.Bytes()
}

// freeBytes is how much room a disk has.
func freeBytes(t *testing.T, path string) int64 {
	t.Helper()
	free, err := freeOn(path)
	if err != nil {
		t.Fatal(err)
	}
	return free
}

func freeOn(path string) (int64, error) {
	var st syscall.Statfs_t
	err := syscall.Statfs(path, &st)
	return int64(st.Bavail) * st.Bsize, err
}

// Background work stops before mail does: when mail is put off for want of disk, nothing else takes what is left,
// reading and deleting go on, and what is deleted makes room for mail again.
func TestBackgroundLeavesDiskForDeletions(t *testing.T) {
	t.Parallel()
	embedded(t)
	const bound = 5 << 20
	srv, disk := onSmallDisk(t, 50, fmt.Sprintf("MAILKIN_MIN_FREE_DISK=%d", bound))
	boxes := make([]box, 6)
	for i := range boxes {
		boxes[i] = srv.mailbox(t, fmt.Sprint("wordy-", i))
	}
	r := rand.New(rand.NewPCG(22, 2))
	c := open(t, srv.smtp)
	full := false
	for n := 0; !full; n++ {
		a, err := c.send(envelope{from: "a@example.org", to: []string{boxes[n%len(boxes)].address}}, distinctMail(r, n),
			byDATA)
		full = err == nil && a.code == 452
		if err != nil || !full && a.code != 250 || n > 100_000 {
			t.Fatalf("message %d: %v %v", n, a, err)
		}
	}
	// Whatever is going on in the background has time to take what is left; and mail is deleted meanwhile.
	least, deleted := freeBytes(t, srv.dir), 0
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		least = min(least, freeBytes(t, srv.dir))
		b := boxes[deleted%2]
		list := b.ask(t, "GET", "/inbox?limit=1", "")
		if list.status != http.StatusOK {
			t.Fatalf("read: %d %s", list.status, list.body)
		}
		id := found(idMember, string(list.body))
		if id == "" {
			break
		}
		if a := b.ask(t, "DELETE", "/email?id="+id, ""); a.status != http.StatusOK {
			t.Fatalf("delete: %d %s, with %d bytes free", a.status, a.body, freeBytes(t, srv.dir))
		}
		deleted++
	}
	t.Logf("%d deleted, at least %d bytes were free", deleted, least)
	if least < bound/2 {
		t.Errorf("only %d bytes were free, where mail stops at %d", least, bound)
	}
	for _, b := range boxes[:4] {
		srv.do(t, request{method: "DELETE", path: "/v1/mailbox", key: b.key}, http.StatusOK, nil)
	}
	eventually(t, func() error {
		a, err := c.send(envelope{from: "a@example.org", to: []string{boxes[5].address}}, distinctMail(r, 1), byDATA)
		if err == nil && a.code != 250 {
			err = fmt.Errorf("mail with room again: %v, %d bytes free", a, freeBytes(t, srv.dir))
		}
		return err
	})
	// A start with next to nothing free: reading and deleting work, and strangers get nothing.
	disk.fill(t, 256<<10)
	srv.restart(t)
	disk.fill(t, 256<<10) // what the index gave back
	eventually(t, func() error {
		a := srv.ask(t, request{method: "POST", path: "/v1/bootstrap"})
		if a.status == http.StatusServiceUnavailable && strings.Contains(string(a.body), "disk_full") {
			return nil
		}
		return fmt.Errorf("a temporary mailbox while mail is put off: %d %s", a.status, a.body)
	})
	id := found(idMember, string(boxes[5].ask(t, "GET", "/inbox?limit=1", "").body))
	for _, call := range []string{"GET /email?mark_seen=true&id=", "DELETE /email?id="} {
		method, path, _ := strings.Cut(call, " ")
		if a := boxes[5].ask(t, method, path+id, ""); a.status != http.StatusOK {
			t.Errorf("%s on a full disk: %d %s", call, a.status, a.body)
		}
	}
	if log := srv.stderr.String(); strings.Count(log, "level=ERROR") > 1 {
		t.Errorf("logged more than once:\n%.3000s", log)
	}
}
