//go:build !linux

package datadir

import "golang.org/x/sys/unix"

// SyncTree makes everything durable that was written.
func SyncTree(string) error { return unix.Sync() }
