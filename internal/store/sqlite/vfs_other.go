//go:build !linux

package sqlite

// vfsQuery leaves the way to the disk to SQLite.
const vfsQuery = ""

func registerVFS() error { return nil }
