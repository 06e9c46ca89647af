package test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// attachmentSum reads a message as it comes and returns the size and digest of its attachment.
type attachmentSum struct {
	*bufio.Writer
	pipe *io.PipeWriter
	done chan struct{}
	size int64
	sum  [32]byte
	err  error
}

func newAttachmentSum() *attachmentSum {
	r, w := io.Pipe()
	a := &attachmentSum{Writer: bufio.NewWriterSize(w, 64<<10), pipe: w, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.err = a.read(r)
		_, _ = io.Copy(io.Discard, r)
	}()
	return a
}

// Close waits until all is read.
func (a *attachmentSum) Close() error {
	err := errors.Join(a.Flush(), a.pipe.Close())
	<-a.done
	return err
}

func (a *attachmentSum) read(r io.Reader) error {
	m, err := netmail.ReadMessage(bufio.NewReaderSize(r, 64<<10))
	if err != nil {
		return err
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if err != nil {
			return err
		}
		if part.FileName() == "" {
			continue
		}
		digest := sha256.New()
		if a.size, err = io.Copy(digest, base64.NewDecoder(base64.StdEncoding, part)); err != nil {
			return err
		}
		digest.Sum(a.sum[:0])
		return nil
	}
}

// 100 MB as JSON, which is all that is allowed, go in and out through little memory.
func TestSendLarge(t *testing.T) {
	t.Parallel()
	const most = 200 // MB
	const size = 99_999_000
	came := make(chan *attachmentSum, 10)
	to := (&sink{body: func(*taken) io.WriteCloser {
		a := newAttachmentSum()
		came <- a
		return a
	}}).listen(t, "127.0.0.1")
	srv := start(t, shortStreams, "MAILKIN_OUTBOUND=smtp://"+to.addr, "MAILKIN_OUTBOUND_PER_DESTINATION=1")
	b := srv.mailbox(t, "robin")
	data := randomBytes(size, 11)
	head, tail, _ := strings.Cut(attached("random.bin", []byte("MARK")).with("to", "ann@example.com").String(),
		base64.StdEncoding.EncodeToString([]byte("MARK")))
	body := bytes.NewBuffer(make([]byte, 0, size*4/3+10_000))
	body.WriteString(head)
	body.Write(base64.StdEncoding.AppendEncode(nil, data))
	body.WriteString(tail)
	r, err := http.NewRequest(http.MethodPost, srv.http+"/v1/send", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.key)
	r.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %.300s", resp.StatusCode, said)
	}
	accepted := srv.peakMemory(t)
	var s sent
	answer{body: said}.into(t, &s)
	b.delivery(t, s.ID, "sent")
	peak := srv.peakMemory(t)
	t.Logf("peak memory %.0f MB when %d bytes were accepted, %.0f MB when they were sent", accepted, size, peak)
	if peak > most {
		t.Errorf("peak memory %.0f MB, want less than %d", peak, most)
	}
	a := <-came
	<-a.done
	if want := sha256.Sum256(data); len(to.all()) != 1 || len(came) != 0 || a.err != nil || a.size != size ||
		a.sum != want {
		t.Errorf("%d messages, the first with %d bytes, %v", len(to.all()), a.size, a.err)
	}
	if e := b.email(t, s.ID); len(e.Attachments) != 1 || e.Attachments[0].Size != size {
		t.Errorf("kept as %+v", e.Attachments)
	}
	if files := fmt.Sprint(spooled(t, srv.dir)); files != "[]" {
		t.Errorf("left behind: %s", files)
	}
}

// spooled lists what lies in the folder for mail that is being handed in.
func spooled(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(dir, "spool"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}
