package repository

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// chunkSize is that of all chunks but the last one of a file: 32 pages of the database. With larger ones a page
	// that was changed costs more, with smaller ones a repository has more files.
	chunkSize = 128 << 10
	// uploads is how many chunks are written or read at the same time.
	uploads = 8
	idSize  = sha256.Size
)

type id [idSize]byte

func (i id) name() string {
	text := hex.EncodeToString(i[:])
	return path.Join(chunkFolder, text[:2], text)
}

func parseID(text string) (i id, ok bool) {
	b, err := hex.DecodeString(text)
	return i, err == nil && copy(i[:], b) == idSize && len(b) == idSize
}

// Writer writes a new generation.
type Writer struct {
	r        *Repository
	have     map[id]bool
	previous map[string]File
	newest   Generation // without its files
	made     Generation
	written  atomic.Int64

	slots  chan struct{}
	wait   sync.WaitGroup
	failed atomic.Pointer[error]
}

// NewGeneration begins a generation. Nothing of it is seen before Finish.
func (r *Repository) NewGeneration(ctx context.Context) (*Writer, error) {
	have, newest, err := r.used(ctx)
	if err != nil {
		return nil, err
	}
	there, err := chunksAt(ctx, r.at)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(have, func(i id, _ bool) bool { return !there[i] }) // lost: it is written again
	w := &Writer{r: r, have: have, previous: map[string]File{}, slots: make(chan struct{}, uploads)}
	for _, f := range newest.Files {
		w.previous[f.Name] = f
	}
	newest.Files = nil
	w.newest = newest
	return w, nil
}

// chunksAt lists the chunks whose files are there.
func chunksAt(ctx context.Context, at place) (map[id]bool, error) {
	files, err := at.list(ctx, chunkFolder)
	there := make(map[id]bool, len(files))
	for _, name := range files {
		if i, ok := parseID(path.Base(name)); ok {
			there[i] = true
		}
	}
	return there, err
}

// First tells whether the repository has no earlier generation.
func (w *Writer) First() bool { return w.newest.Name == "" }

// Claim says whose the generation is. A repository has those of one deployment: another one's would be removed as old.
func (w *Writer) Claim(deployment string) error {
	if w.newest.Of != "" && w.newest.Of != deployment {
		return errors.New("the repository has the backups of another deployment: name another folder, or another prefix " +
			"in the bucket")
	}
	w.made.Of = deployment
	return nil
}

// AddSame takes a file over from the generation before, where it has one of this name and size: for files that never
// change.
func (w *Writer) AddSame(name string, size int64) bool {
	f, ok := w.previous[name]
	if !ok || f.Size != size {
		return false
	}
	for c := range slices.Chunk(f.Chunks, idSize) {
		if !w.have[id(c)] {
			return false
		}
	}
	w.made.Files, w.made.Bytes = append(w.made.Files, f), w.made.Bytes+f.Size
	return true
}

// Add takes a file into the generation.
func (w *Writer) Add(ctx context.Context, name string, from io.Reader) error {
	f := File{Name: name}
	for {
		chunk := make([]byte, chunkSize)
		n, err := io.ReadFull(from, chunk)
		if n > 0 {
			f.Size += int64(n)
			i := w.put(ctx, chunk[:n])
			f.Chunks = append(f.Chunks, i[:]...)
		}
		if failed := w.failed.Load(); failed != nil {
			return *failed
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			w.made.Files, w.made.Bytes = append(w.made.Files, f), w.made.Bytes+f.Size
			return ctx.Err()
		case err != nil:
			return err
		}
	}
}

// put has a chunk written that is not there yet.
func (w *Writer) put(ctx context.Context, chunk []byte) (i id) {
	hash := hmac.New(sha256.New, w.r.ids)
	hash.Write(chunk)
	hash.Sum(i[:0])
	if w.have[i] {
		return i
	}
	w.have[i] = true
	w.slots <- struct{}{}
	w.wait.Go(func() {
		defer func() { <-w.slots }()
		n, err := w.r.write(ctx, i.name(), chunk)
		if err != nil {
			w.failed.CompareAndSwap(nil, &err)
		}
		w.written.Add(n)
	})
	return i
}

// Finish makes the generation durable, and with that seen, if the repository still has all that it needs.
func (w *Writer) Finish(ctx context.Context, manifest []byte, messages int64) (Generation, error) {
	w.wait.Wait()
	if failed := w.failed.Load(); failed != nil {
		return Generation{}, *failed
	}
	g := w.made
	g.Made = time.Now().UTC()
	g.Name, g.Manifest, g.Messages, g.New = g.Made.Format(nameForm), manifest, messages, w.written.Load()
	err := w.finish(ctx, g)
	if errors.Is(err, fs.ErrNotExist) {
		err = w.r.gone()
	}
	return g, err
}

func (w *Writer) finish(ctx context.Context, g Generation) error {
	b, err := json.Marshal(g)
	if err != nil {
		return err
	}
	if err := errors.Join(w.r.at.sync(), w.checkChunks(ctx)); err != nil {
		return err
	}
	list := path.Join(generationsFolder, g.Name)
	if _, err := w.r.write(ctx, list, b); err != nil {
		return err
	}
	if err := w.r.at.sync(); err != nil {
		return err
	}
	at, err := w.r.reopen(ctx)
	if err != nil {
		return err
	}
	_, err = at.get(ctx, list)
	return errors.Join(err, at.close())
}

// checkChunks makes sure that all that the generation needs is in the repository, and the repository where it was.
func (w *Writer) checkChunks(ctx context.Context) error {
	at, err := w.r.reopen(ctx)
	if err != nil {
		return err
	}
	there, err := chunksAt(ctx, at)
	for _, f := range w.made.Files {
		for c := range slices.Chunk(f.Chunks, idSize) {
			if err == nil && !there[id(c)] {
				err = fs.ErrNotExist
			}
		}
	}
	return errors.Join(err, at.close())
}

// Abandon waits for what is being written. The chunks stay until Prune: nobody sees them.
func (w *Writer) Abandon() { w.wait.Wait() }

// Open returns the bytes of a file of a generation. The caller closes it.
func (r *Repository) Open(ctx context.Context, f File) io.ReadCloser {
	ctx, stop := context.WithCancel(ctx)
	read := &reader{ctx: ctx, stop: stop, left: f.Size, next: make(chan chan piece, uploads)}
	read.wait.Go(func() { read.ahead(r, f) })
	return read
}

// reader reads a file chunk by chunk, some of them ahead.
type reader struct {
	ctx  context.Context
	stop context.CancelFunc
	next chan chan piece
	now  []byte
	left int64
	wait sync.WaitGroup
}

type piece struct {
	data []byte
	err  error
}

func (r *reader) ahead(from *Repository, f File) {
	defer close(r.next)
	for at := 0; at+idSize <= len(f.Chunks); at += idSize {
		i, to := id(f.Chunks[at:at+idSize]), make(chan piece, 1)
		select {
		case r.next <- to:
		case <-r.ctx.Done():
			return
		}
		r.wait.Go(func() {
			data, err := from.chunk(r.ctx, i)
			to <- piece{data, err}
		})
	}
}

// chunk reads a chunk, and checks that it is the one that its name says.
func (r *Repository) chunk(ctx context.Context, i id) ([]byte, error) {
	data, err := r.read(ctx, i.name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is not there; the next backup writes it again, if the data still has it", ErrDamaged,
			i.name())
	}
	if errors.Is(err, ErrDamaged) {
		return nil, fmt.Errorf("%w; remove that file, and the next backup writes it again, if the data still has it", err)
	}
	if err != nil {
		return nil, err
	}
	hash := hmac.New(sha256.New, r.ids)
	hash.Write(data)
	if !hmac.Equal(hash.Sum(nil), i[:]) {
		return nil, fmt.Errorf("%w: %s", ErrDamaged, i.name())
	}
	return data, nil
}

func (r *reader) Read(p []byte) (int, error) {
	for len(r.now) == 0 {
		to, more := <-r.next
		if !more {
			if err := r.ctx.Err(); err != nil {
				return 0, err
			}
			if r.left != 0 {
				return 0, fmt.Errorf("%w: a file has %d bytes too few", ErrDamaged, r.left)
			}
			return 0, io.EOF
		}
		got := <-to
		if got.err != nil {
			return 0, got.err
		}
		r.now, r.left = got.data, r.left-int64(len(got.data))
	}
	n := copy(p, r.now)
	r.now = r.now[n:]
	return n, nil
}

func (r *reader) Close() error {
	r.stop()
	r.wait.Wait()
	return nil
}
