package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

// linkTries bounds the race against deletions that remove the folder each time it was made.
const linkTries = 16

// folders puts files into folders that may not exist yet, and makes that durable.
//
// Fresh counts, for each folder, the commits that made it and have not yet synced its parent. The count goes up before
// the folder is made and down after the parent is synced, so a caller that has put a file into a folder and then finds
// it not fresh may rely on the folder itself being durable. A commit that fails never takes its count back: later
// commits into that folder then sync the parent too, which costs time but never mail.
type folders struct {
	root string
	disk disk

	mu    sync.Mutex
	fresh map[string]int
}

// link gives the draft one more name and returns the folders it had to make for that.
func (f *folders) link(draft, name string) (made []string, err error) {
	for range linkTries {
		err = f.disk.link(draft, name)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		more, err := f.make(path.Dir(name))
		made = append(made, more...)
		if err != nil {
			return made, err
		}
	}
	return made, err
}

// make makes the folder, and its parents below the root if they are missing, and returns what it has counted as fresh.
func (f *folders) make(folder string) (made []string, err error) {
	f.count(folder, 1)
	made = []string{folder}
	for range linkTries {
		err = f.disk.mkdir(folder)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return made, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || path.Dir(folder) == f.root {
			break
		}
		more, err := f.make(path.Dir(folder))
		made = append(made, more...)
		if err != nil {
			return made, err
		}
	}
	return made, fmt.Errorf("make folder: %w", err)
}

// sync makes the entries of the files durable, and those of fresh folders above them.
func (f *folders) sync(names []string) error {
	done := map[string]bool{}
	for _, name := range names {
		folder := path.Dir(name)
		for !done[folder] {
			done[folder] = true
			// A folder that has gone took the object with it: the mailbox was deleted after the commit had put it
			// there, which is no failure of the commit.
			if err := ignoreMissing(f.disk.syncFolder(folder)); err != nil {
				return fmt.Errorf("sync folder: %w", err)
			}
			if !f.isFresh(folder) {
				break
			}
			folder = path.Dir(folder)
		}
	}
	return nil
}

// settle takes back the counts of folders whose parents are synced.
func (f *folders) settle(made []string) {
	for _, folder := range made {
		f.count(folder, -1)
	}
}

func (f *folders) isFresh(folder string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fresh[folder] > 0
}

func (f *folders) count(folder string, by int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fresh[folder] += by; f.fresh[folder] == 0 {
		delete(f.fresh, folder)
	}
}
