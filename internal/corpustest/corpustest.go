// Package corpustest finds the sets of real mail that tests measure with. They are not part of the project.
package corpustest

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder of a set: below MAILKIN_CORPORA, or below shared/corpora beside the checkout. It skips the
// test where there is none.
func Dir(t testing.TB, set ...string) string {
	t.Helper()
	root := os.Getenv("MAILKIN_CORPORA")
	for up := ".."; root == "" && len(up) < 40; up = filepath.Join(up, "..") {
		if dir := filepath.Join(up, "shared", "corpora"); isDir(dir) {
			root = dir
		}
	}
	dir := filepath.Join(append([]string{root}, set...)...)
	if root == "" || !isDir(dir) {
		t.Skip("the corpora of real mail are not here: set MAILKIN_CORPORA to their folder to run this test")
	}
	return dir
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}
