//go:build !linux

package sqlite

import (
	"errors"
	"os"
)

func keepRoom(_ *os.File, _, _ int64) error { return errors.ErrUnsupported }
