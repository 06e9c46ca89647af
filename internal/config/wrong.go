package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// SettingError is a value that is found to be wrong only when it is used. Another start with it ends in the same way,
// unlike one that fails because something outside does not answer.
type SettingError struct {
	Key string
	Err error
}

func (e *SettingError) Error() string { return "setting " + e.Key + ": " + e.Err.Error() }

func (e *SettingError) Unwrap() error { return e.Err }

// CheckDataDir finds out whether the data folder is a file, or would be inside of one. Whoever is about to use the
// folder asks for it. One that is not there yet is right: the first start makes it.
func (c Config) CheckDataDir() error {
	info, err := os.Stat(c.DataDir)
	file := c.DataDir
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		for file = filepath.Dir(file); ; file = filepath.Dir(file) {
			if _, err := os.Stat(file); !errors.Is(err, syscall.ENOTDIR) {
				break
			}
		}
	case err != nil || info.IsDir():
		return nil // what else is wrong is told by what uses it
	}
	return &SettingError{Key: "data_dir", Err: fmt.Errorf("%s is a file: name a folder, or move the file away", file)}
}
