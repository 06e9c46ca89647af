package datadir_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/datadir"
)

// Files in a folder that nobody else can enter are safe, whatever their modes.
func TestExposed(t *testing.T) {
	for _, tt := range []struct {
		name     string
		dir      os.FileMode
		database os.FileMode
		want     []string
	}{
		{"closed", 0o700, 0o600, nil},
		{"a database in a closed folder", 0o700, 0o644, nil},
		{"an open folder", 0o755, 0o600, []string{"data (0755)"}},
		{"both", 0o750, 0o640, []string{"data (0750)", "mailkin.db (0640)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			file := filepath.Join("data", datadir.Database)
			for _, err := range []error{os.Mkdir("data", 0o700), os.WriteFile(file, nil, 0o600),
				os.Chmod(file, tt.database), os.Chmod("data", tt.dir)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if got, err := datadir.Exposed("data"); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%v, %v; want %v", got, err, tt.want)
			}
		})
	}
}
