package blob

import (
	"context"
	"errors"
	"fmt"
)

var errDraftEnded = errors.New("blob draft has ended")

// packing is what drafts of every kind do: they pack, and have one end.
type packing struct {
	pack    packer
	err     error  // why it has ended
	discard func() // removes what was kept of the draft itself
}

func (w *packing) Size() int64 { return w.pack.size }

func (w *packing) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.pack.Write(b)
	if err != nil {
		w.end(err)
	}
	return n, err
}

func (w *packing) Abort() { w.end(errDraftEnded) }

func (w *packing) end(why error) {
	if w.err != nil {
		return
	}
	w.err = why
	w.pack.release()
	w.discard()
}

// check tells why a draft cannot be committed.
func (w *packing) check(ctx context.Context, keys []string) error {
	switch {
	case w.err != nil:
		return w.err
	case ctx.Err() != nil:
		return ctx.Err()
	case len(keys) == 0:
		return errors.New("commit blob: no key")
	}
	return nil
}

// addKeys encrypts the key of a sealed draft for those who may read it.
func (w *packing) addKeys(ctx context.Context, s Sealer, keys []string) (err error) {
	if w.pack.seal != nil {
		w.pack.keys, err = w.pack.seal.sealKeys(ctx, s, keys)
	}
	return err
}

// draft is a Draft of a Dir. The file is made when the first frame is full or at Commit: what is aborted before that
// never touches the disk.
type draft struct {
	packing
	dir  *Dir
	file draftFile // nil before there is one and after it was removed
	name string    // of the file
}

func newDraft(d *Dir) *draft {
	w := &draft{dir: d}
	w.pack.emit, w.discard = w.write, w.drop
	return w
}

// write takes packed bytes.
func (w *draft) write(b []byte) error {
	if w.file == nil {
		name := w.dir.draftName()
		f, err := w.dir.disk.create(name)
		if err != nil {
			return fmt.Errorf("create draft: %w", err)
		}
		w.name, w.file = name, f
	}
	if _, err := w.file.Write(b); err != nil {
		return fmt.Errorf("write draft: %w", err)
	}
	return nil
}

// drop removes the draft's own file; the keys it was linked to are not affected. A failure is for Sweep to repair.
func (w *draft) drop() {
	if w.file == nil {
		return
	}
	_ = w.file.Close()
	_ = w.dir.disk.remove(w.name)
	w.file = nil
}

func (w *draft) Commit(ctx context.Context, keys ...string) error {
	defer w.Abort()
	if err := w.check(ctx, keys); err != nil {
		return err
	}
	names, err := w.dir.paths(keys)
	if err != nil {
		return err
	}
	if err := w.addKeys(ctx, w.dir.Seals, keys); err != nil {
		return err
	}
	if err := w.seal(); err != nil {
		return err
	}
	return w.publish(names)
}

// seal writes the rest and makes the bytes durable.
func (w *draft) seal() error {
	if err := w.pack.flush(true); err != nil {
		return err
	}
	if err := w.file.syncData(); err != nil {
		return fmt.Errorf("sync draft: %w", err)
	}
	return nil
}

// publish gives the bytes their names, durably, or takes back those it gave. The draft's own name goes before the
// folders are synced, so that a crash after Commit does not bring it back.
func (w *draft) publish(names []string) error {
	made, err := w.link(names)
	if err != nil {
		return err
	}
	w.discard()
	if err := w.dir.folders.sync(names); err != nil {
		return errors.Join(err, w.dir.unlink(names))
	}
	w.dir.folders.settle(made)
	return nil
}

// link returns the draft all of the names or none, and returns the folders made for them.
func (w *draft) link(names []string) (made []string, err error) {
	for i, name := range names {
		more, err := w.dir.folders.link(w.name, name)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("link blob: %w", err), w.dir.unlink(names[:i]))
		}
		made = append(made, more...)
	}
	return made, nil
}
