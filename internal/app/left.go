package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// missingDatabase is what is wrong with a data folder that has files of an earlier run and no database; nil: nothing.
// An empty database in its place would have large messages and keys deleted as those of no mailbox.
func missingDatabase(cfg config.Config) *service.Problem {
	size := func(name string) int64 {
		info, err := os.Stat(filepath.Join(cfg.DataDir, name))
		if err != nil {
			return 0 // a folder that cannot be read is told by what opens it
		}
		return info.Size()
	}
	if cfg.Database.URL != "" || size(datadir.Database) > 0 {
		return nil
	}
	if backup.Interrupted(cfg.DataDir) {
		return &service.Problem{Check: "data folder", Severe: true, Found: "a restore into " + cfg.DataDir +
			" was interrupted", Next: "Run \"mailkin restore\" again, or empty the folder."}
	}
	var left []string
	for _, name := range []string{datadir.Index, datadir.Database + "-wal", datadir.Keys, datadir.RootKey} {
		if size(name) > 0 {
			left = append(left, name)
		}
	}
	_ = filepath.WalkDir(filepath.Join(cfg.DataDir, datadir.Blobs), func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			left, err = append(left, datadir.Blobs), fs.SkipAll
		}
		return err
	})
	if len(left) == 0 {
		return nil
	}
	return &service.Problem{Check: "data folder", Severe: true,
		Found: fmt.Sprintf("%s is not in %s, and of an earlier run there is: %s", datadir.Database, cfg.DataDir,
			strings.Join(left, ", ")),
		Next: "Put it back, or restore a backup into an empty folder. To start without any mail, move what is left away."}
}

// damagedDatabase is what is wrong with the database where an error says that it is damaged; nil: it does not.
func damagedDatabase(cfg config.Config, err error) *service.Problem {
	if !sqlite.Damaged(err) {
		return nil
	}
	return &service.Problem{Check: "database", Severe: true, Found: filepath.Join(cfg.DataDir, datadir.Database) +
		" is damaged", Next: "Keep a copy of the folder. Then restore the newest backup into an empty folder: " +
		"\"mailkin restore\"."}
}

// refusal refuses a start because of a problem with what is stored, as the setting that says where that is: a start
// that is tried again finds the same.
func refusal(cfg config.Config, p *service.Problem) error {
	if p == nil {
		return nil
	}
	key := "data_dir"
	if cfg.Database.URL != "" {
		key = "database_url"
	}
	return &config.SettingError{Key: key, Err: errors.New(p.Found + ". " + p.Next)}
}
