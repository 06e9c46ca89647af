package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// errKey is the short key, as it stands in a call that logs.
var errKey = regexp.MustCompile(`"err"\s*,`)

// The log has errors under one key, so that one search finds all of them.
func TestLogKeys(t *testing.T) {
	for _, dir := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			src, err := os.ReadFile(path)
			if errKey.Match(src) {
				t.Errorf(`%s logs an error under "err": the key is "error"`, strings.TrimPrefix(path, "../../"))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
