package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/client"
)

// byteBar shows on a terminal how far a transfer has come. Elsewhere it shows nothing.
type byteBar struct {
	to    screen
	what  string
	total int64 // 0 or less: not known
	done  int64
	last  time.Time
	began time.Time
	mu    sync.Mutex // the goroutine that reads a file can finish after the bar has ended
}

const (
	barDelay = 500 * time.Millisecond // what is faster needs no bar
	barPause = 100 * time.Millisecond
)

func (s *session) newBar(what string) *byteBar {
	return &byteBar{to: s.err, what: what, began: time.Now()}
}

func (b *byteBar) add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += n
	if !b.to.isTerminal() || time.Since(b.began) < barDelay || time.Since(b.last) < barPause {
		return
	}
	b.last = time.Now()
	text := fmt.Sprintf("%s %s", b.what, bytesText(b.done))
	if b.total > 0 {
		const width = 30
		full := int(width * min(b.done, b.total) / b.total)
		text = fmt.Sprintf("%s [%s%s] %s of %s", b.what, strings.Repeat("#", full), strings.Repeat(".", width-full),
			bytesText(b.done), bytesText(b.total))
	}
	fmt.Fprintf(b.to.w, "\r%s\x1b[K", text)
}

// restart says how much there is of what is sent again.
func (b *byteBar) restart(done int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = done
}

// end takes the bar away.
func (b *byteBar) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.last.IsZero() {
		fmt.Fprint(b.to.w, "\r\x1b[K")
		b.last = time.Time{}
	}
}

// barFile is a file that moves a bar while it is read.
type barFile struct {
	*os.File
	bar *byteBar
}

func (f *barFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.bar.add(int64(n))
	return n, err
}

// WriteTo keeps io.Copy from going round Read.
func (f *barFile) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{f}) }

// Seek moves the bar back, too: the file is read again.
func (f *barFile) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		f.bar.restart(offset)
	}
	return f.File.Seek(offset, whence)
}

// copyFile writes a download to its end, with a bar.
func (s *session) copyFile(w io.Writer, d *client.Download) error {
	bar := s.newBar("receiving")
	bar.total = d.Length
	defer bar.end()
	buf := make([]byte, 64<<10)
	for {
		n, err := d.Read(buf)
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil {
				return failure{fmt.Errorf("write: %w", werr)}
			}
			bar.add(int64(n))
		}
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return fmt.Errorf("the download broke off: %w", err)
		}
	}
}
