package view

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
)

// corpora returns the HTML documents of the sets of real mail, where there are some.
func corpora(t testing.TB) iter.Seq2[string, string] {
	root := corpustest.Dir(t)
	return func(yield func(string, string) bool) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".htm") {
				return err
			}
			doc, err := os.ReadFile(path)
			if err == nil && !yield(path, strings.ToValidUTF8(string(doc), "")) {
				return filepath.SkipAll
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
