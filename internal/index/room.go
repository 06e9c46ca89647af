package index

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/store"
)

const (
	// indexRoom is what indexing a message takes of the disk at least: its words, in the log and in the file.
	indexRoom = 64 << 10
	// wordRoom is how often the bytes of a message of rare words are written.
	wordRoom = 6
	// wordsMost is how much of a message is words, of those that have large attachments.
	wordsMost = 1 << 20
	// mergeRoom is how often the bytes of segments are written when they are merged: in the log and in the file.
	mergeRoom = 2
)

// affordable returns those of the messages that there is room to index now, and how much they take. Half of what could
// be taken is left to mail that comes meanwhile.
func (ix *Index) affordable(ctx context.Context, work []store.IndexWork) (_ []store.IndexWork, need int64, err error) {
	if len(work) == 0 {
		return nil, 0, nil
	}
	room := ix.opt.Disk.Spare() / 2
	work = work[:min(int64(len(work)), room/indexRoom)]
	if most := int64(len(work)) * (indexRoom + wordRoom*wordsMost); room >= most {
		return work, most, nil
	}
	for i, w := range work {
		size, err := ix.sizeOf(ctx, w)
		if err != nil {
			return nil, 0, err
		}
		one := indexRoom + wordRoom*min(size, wordsMost)
		if need+one > room {
			return work[:i], need, nil
		}
		need += one
	}
	return work, need, nil
}

// sizeOf returns the size of a message that is to be indexed; 0 where it was deleted meanwhile.
func (ix *Index) sizeOf(ctx context.Context, w store.IndexWork) (size int64, err error) {
	err = ix.opt.Store.Ask(ctx, func(r store.Reader) error {
		rows, err := r.MessagesAt(ctx, w.Mailbox, w.Seq)
		for _, m := range rows {
			size = m.Size
		}
		return err
	})
	return size, err
}

// errNoRoom is why work on the index waits. It is logged where the room is looked at.
var errNoRoom = errors.New("too little free disk for background work")

// roomToMerge holds the room to write a given number of bytes of segments again, or refuses where there is none.
func (ix *Index) roomToMerge(bytes int64) (release func(), err error) {
	if bytes*mergeRoom >= ix.opt.Disk.Spare()/2 {
		return nil, errNoRoom
	}
	return ix.opt.Disk.Hold(bytes * mergeRoom), nil
}
