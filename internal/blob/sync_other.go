//go:build !linux

package blob

import "os"

func syncData(f *os.File) error { return f.Sync() }
