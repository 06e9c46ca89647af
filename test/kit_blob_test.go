package test

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"testing"
)

// blobFiles lists the files of large messages, drafts included: path by name. A message's file has its id as a name.
func blobFiles(t testing.TB, srv *server) map[string]string {
	t.Helper()
	files := map[string]string{}
	if srv.bucket != nil {
		for _, key := range srv.bucket.Files(t) {
			files[path.Base(key)] = key
		}
		delete(files, "deployment") // says whose the bucket is
		return files
	}
	root := filepath.Join(srv.dir, "blobs")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case path != root && errors.Is(err, fs.ErrNotExist): // an empty folder that the server has just removed
			return nil
		case err == nil && !d.IsDir():
			files[d.Name()] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
