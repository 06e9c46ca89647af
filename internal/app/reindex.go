package app

import (
	"errors"
	"path/filepath"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// DropIndex throws the index of words of a deployment away that is not running. The next start rebuilds it from the
// messages.
func DropIndex(cfg config.Config) (err error) {
	lock, err := sqlite.Lock(filepath.Join(cfg.DataDir, datadir.Database))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return sqlite.RemoveIndex(filepath.Join(cfg.DataDir, datadir.Index))
}
