package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Generation is one backup among those of a repository.
type Generation struct {
	Name     string
	Made     time.Time
	Of       string // the deployment, by a digest; empty: it was not known
	Manifest []byte // what the backup says of itself
	Messages int64
	Bytes    int64 // of all files
	New      int64 // of what was written for it: chunks that no earlier generation had
	Files    []File
}

// File is a file of a generation.
type File struct {
	Name   string
	Size   int64
	Chunks []byte // ids, one after the other
}

// nameForm makes names that sort by time and are names of files everywhere.
const nameForm = "2006-01-02T15-04-05.000Z"

// Generations lists the names of those that are complete, the oldest first.
func (r *Repository) Generations(ctx context.Context) (names []string, err error) {
	files, err := r.at.list(ctx, generationsFolder)
	for _, name := range files {
		name = path.Base(name)
		if _, err := time.Parse(nameForm, name); err == nil { // what a run that was killed has left has another
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Generation reads one; with an empty name the newest.
func (r *Repository) Generation(ctx context.Context, name string) (g Generation, err error) {
	if name == "" {
		names, err := r.Generations(ctx)
		if err != nil {
			return g, err
		}
		if len(names) == 0 {
			return g, errors.New("the repository has no generation")
		}
		name = names[len(names)-1]
	}
	if !fs.ValidPath(name) || strings.Contains(name, "/") {
		return g, fmt.Errorf("%q is no name of a generation", name)
	}
	b, err := r.read(ctx, path.Join(generationsFolder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return g, fmt.Errorf("there is no generation %s: \"mailkin backup list\" shows those there are", name)
	}
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if errors.Is(err, ErrDamaged) {
		return g, fmt.Errorf("the list of generation %s is damaged, and the generation with it: remove the file "+
			"generations/%[1]s of the repository; the other generations do not need it", name)
	}
	if err != nil {
		return g, fmt.Errorf("read generation %s: %w", name, err)
	}
	return g, nil
}

// Prune removes all but the newest generations, and the chunks that none of these names. It says how many of both.
func (r *Repository) Prune(ctx context.Context, keep int) (generations, chunks int, err error) {
	names, err := r.Generations(ctx)
	if err != nil {
		return 0, 0, err
	}
	old := names[:max(0, len(names)-keep)]
	for _, name := range old {
		if err := r.at.remove(ctx, path.Join(generationsFolder, name)); err != nil {
			return generations, 0, err
		}
		generations++
	}
	if err := r.at.sync(); err != nil { // before a chunk goes that one of them names
		return generations, 0, err
	}
	used, _, err := r.used(ctx)
	if err != nil {
		return generations, 0, err
	}
	files, err := r.at.list(ctx, chunkFolder)
	if err != nil {
		return generations, 0, err
	}
	files = slices.DeleteFunc(files, func(name string) bool {
		id, ok := parseID(path.Base(name))
		return ok && used[id]
	})
	return generations, len(files), r.at.remove(ctx, files...)
}

// used collects the chunks that generations name, and returns the newest generation.
func (r *Repository) used(ctx context.Context) (ids map[id]bool, newest Generation, err error) {
	names, err := r.Generations(ctx)
	ids = map[id]bool{}
	for _, name := range names {
		if err != nil {
			break
		}
		if newest, err = r.Generation(ctx, name); err != nil {
			break
		}
		for _, f := range newest.Files {
			for c := range slices.Chunk(f.Chunks, idSize) {
				ids[id(c)] = true
			}
		}
	}
	return ids, newest, err
}
