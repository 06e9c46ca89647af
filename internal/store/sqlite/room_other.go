//go:build !linux

package sqlite

import (
	"errors"
	"os"
)

func keepRoom(*os.File, int64) error { return errors.ErrUnsupported }
