package blob

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"
)

// sweep is one run of Sweep.
type sweep struct {
	dir     *Dir
	before  time.Time // what is younger stays
	kept    Kept
	removed int
}

func (d *Dir) Sweep(ctx context.Context, age time.Duration, kept Kept) (int, error) {
	s := &sweep{dir: d, before: time.Now().Add(-age), kept: kept}
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
	others := 0 // that are not ours, or too young
	var keys []string
	err := eachEntry(ctx, folder, func(e os.DirEntry) error {
		old, err := s.old(e)
		if !old || !validPart(e.Name()) {
			others++
			return err
		}
		if keys = append(keys, box+"/"+e.Name()); len(keys) < askMost {
			return nil
		}
		kept, err := s.leftovers(keys)
		keys, others = nil, others+kept
		return err
	})
	if err != nil {
		return err
	}
	kept, err := s.leftovers(keys)
	if kept+others == 0 {
		s.dir.removeEmpty(folder)
	}
	return err
}

// leftovers removes objects that nobody names, and says how many are kept.
func (s *sweep) leftovers(keys []string) (kept int, err error) {
	left, err := s.kept.leftovers(keys)
	if err != nil {
		return len(keys), err
	}
	for _, key := range left {
		box, id, err := splitKey(key)
		if err == nil {
			err = s.remove(s.dir.boxFolder(box) + "/" + id)
		}
		if err != nil {
			return len(keys), err
		}
	}
	return len(keys) - len(left), nil
}

// askMost is how many keys are asked about at a time.
const askMost = 1000

// leftovers returns the keys that are not to be kept.
func (kept Kept) leftovers(keys []string) ([]string, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	used, err := kept(keys)
	if err != nil {
		return nil, err
	}
	named := make(map[string]bool, len(used))
	for _, key := range used {
		named[key] = true
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return named[key] }), nil
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
