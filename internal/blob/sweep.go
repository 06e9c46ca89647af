package blob

import (
	"context"
	"fmt"
	"os"
	"time"
)

// sweep is one run of Sweep.
type sweep struct {
	dir     *Dir
	before  time.Time // what is younger stays
	keep    func(key string) (bool, error)
	removed int
}

func (d *Dir) Sweep(ctx context.Context, age time.Duration, keep func(key string) (bool, error)) (int, error) {
	s := &sweep{dir: d, before: time.Now().Add(-age), keep: keep}
	if err := s.drafts(ctx); err != nil {
		return s.removed, fmt.Errorf("sweep drafts: %w", err)
	}
	if err := s.shards(ctx); err != nil {
		return s.removed, fmt.Errorf("sweep blobs: %w", err)
	}
	return s.removed, nil
}

func (s *sweep) drafts(ctx context.Context) error {
	folder := s.dir.root + "/" + draftFolder
	return eachEntry(ctx, folder, func(e os.DirEntry) error {
		if old, err := s.old(e); !old {
			return err
		}
		return s.remove(folder + "/" + e.Name())
	})
}

// shards walks what can be a shard; other things in the folder, such as lost+found, are not ours to judge.
func (s *sweep) shards(ctx context.Context) error {
	return eachEntry(ctx, s.dir.root, func(e os.DirEntry) error {
		if len(e.Name()) != 2 || !e.IsDir() {
			return nil
		}
		return eachEntry(ctx, s.dir.root+"/"+e.Name(), func(box os.DirEntry) error {
			if !box.IsDir() || !validPart(box.Name()) || shard(box.Name()) != e.Name() {
				return nil
			}
			return s.box(ctx, box.Name())
		})
	})
}

func (s *sweep) box(ctx context.Context, box string) error {
	folder := s.dir.boxFolder(box)
	left := 0
	err := eachEntry(ctx, folder, func(e os.DirEntry) error {
		gone, err := s.object(box, e)
		if !gone {
			left++
		}
		return err
	})
	if left == 0 {
		s.dir.removeEmpty(folder)
	}
	return err
}

// object removes the object if it is a leftover. The age comes first: it is cheaper than asking keep.
func (s *sweep) object(box string, e os.DirEntry) (gone bool, err error) {
	if !validPart(e.Name()) {
		return false, nil
	}
	if old, err := s.old(e); !old {
		return false, err
	}
	kept, err := s.keep(box + "/" + e.Name())
	if err != nil || kept {
		return false, err
	}
	return true, s.remove(s.dir.boxFolder(box) + "/" + e.Name())
}

// old goes by the last write, which for an object is its Commit. What has gone meanwhile is not old.
func (s *sweep) old(e os.DirEntry) (bool, error) {
	info, err := e.Info()
	if err != nil {
		return false, ignoreMissing(err)
	}
	return info.ModTime().Before(s.before), nil
}

func (s *sweep) remove(name string) error {
	if err := ignoreMissing(s.dir.disk.remove(name)); err != nil {
		return err
	}
	s.removed++
	return nil
}
