package test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
)

// peakMemory is the most memory that the server has had, in MB.
func (s *server) peakMemory(t testing.TB) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Skipf("the server's memory cannot be seen here: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return kb * 1024 / 1e6
}

// unstuffed sends a message that needs no dots, without copying it.
func unstuffed(s *session, message []byte) (reply, error) {
	r, err := s.ask("DATA")
	if err != nil || r.code != 354 {
		return r, err
	}
	if err := s.write(message); err != nil {
		return reply{}, err
	}
	return s.ask(".")
}

// A message near the limit goes in and out through little memory, and one beyond it leaves nothing behind.
func TestLarge(t *testing.T) {
	t.Parallel()
	const most = 200 // MB, whatever is going through
	srv := start(t)
	b := srv.mailbox(t, "large")
	message := largeMail("large", 95_000_000, 7)
	c := open(t, srv.smtp)
	r, err := c.send(envelope{from: "a@example.org", params: fmt.Sprintf(" SIZE=%d", len(message)),
		to: []string{b.address}}, message, unstuffed)
	if err != nil || r.code != 250 {
		t.Fatalf("got %v %v", r, err)
	}
	taken := srv.peakMemory(t)

	e := b.only(t)
	want := randomBytes(95_000_000, 7)
	a := e.Attachments[0]
	if sum := sha256.Sum256(want); a.SHA256 != hex.EncodeToString(sum[:]) || a.Size != int64(len(want)) {
		t.Errorf("the attachment is %d bytes with digest %s", a.Size, a.SHA256)
	}
	compareDownload(t, b, "/attachment?id="+a.ID, "", http.StatusOK, want)
	compareDownload(t, b, "/attachment?id="+a.ID, "bytes=47000000-47999999", http.StatusPartialContent,
		want[47_000_000:48_000_000])
	compareDownload(t, b, "/attachment?id="+a.ID, "bytes=-5", http.StatusPartialContent, want[len(want)-5:])
	compareDownload(t, b, "/email/raw?id="+e.ID, "", http.StatusOK, message)
	given := srv.peakMemory(t)
	t.Logf("peak memory: %.0f MB after taking %d bytes, %.0f MB after giving them out", taken, len(message), given)
	if given > most {
		t.Errorf("peak memory %.0f MB, want less than %d", given, most)
	}
	message, want = nil, nil
	beyond(t, b)
	if peak := srv.peakMemory(t); peak > most {
		t.Errorf("peak memory %.0f MB after refusing, want less than %d", peak, most)
	}
}

// beyond sends what is too large to a mailbox that has one message.
func beyond(t *testing.T, b box) {
	t.Helper()
	before := b.stats(t)
	for name, size := range map[string]int{"decoded": 101_000_000, "on the wire": 103_000_000} {
		message := largeMail("beyond", size, 8)
		for way, by := range map[string]sender{"DATA": unstuffed, "BDAT": inChunks(16_000_000)} {
			c := open(t, b.srv.smtp)
			r, err := c.send(envelope{from: "a@example.org", to: []string{b.address}}, message, by)
			if err != nil || r.code != 552 {
				t.Errorf("%s by %s: got %v %v, want 552", name, way, r, err)
			}
		}
	}
	if after := b.stats(t); after != before {
		t.Errorf("stats %+v, before %+v", after, before)
	}
	if files := blobFiles(t, b.srv); len(files) != 1 {
		t.Errorf("the blob folder has %v", files)
	}
}

// compareDownload reads a body while it comes.
func compareDownload(t *testing.T, b box, path, ranged string, status int, want []byte) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, b.srv.http+b.prefix+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.key)
	if ranged != "" {
		r.Header.Set("Range", ranged)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	digest := sha256.New()
	n, err := io.Copy(digest, resp.Body)
	sum := sha256.Sum256(want)
	if err != nil || resp.StatusCode != status || n != int64(len(want)) || !bytes.Equal(digest.Sum(nil), sum[:]) {
		t.Errorf("%s %s: status %d, %d bytes of %d, %v", path, ranged, resp.StatusCode, n, len(want), err)
	}
}
