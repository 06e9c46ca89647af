//go:build !linux

package postgres

import "syscall"

// giveUp leaves it to the system when it gives up.
func giveUp(string, string, syscall.RawConn) error { return nil }
