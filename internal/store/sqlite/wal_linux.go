package sqlite

import (
	"errors"
	"syscall"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// gathered is what was written to a write-ahead log and is not yet in the file: one run of bytes.
//
// Nobody can miss it. A commit publishes its pages to the readers after its sync (the store runs with
// synchronous=FULL), and a sync, or anything else that looks at the file through this connection, writes what was
// gathered first.
type gathered struct {
	at   int64
	data []byte

	unsynced int64 // where the first byte is that was written since the last sync; -1: there is none
}

// gatherMost bounds the memory: a larger commit is written in pieces.
const gatherMost = 1 << 20

// pending is what was gathered for a file. Only the connection that owns the file uses it.
func pending(file uintptr) *gathered {
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	return vfs.logs[file]
}

func logWrite(_ *libc.TLS, file, buf uintptr, n int32, offset int64) int32 {
	g := pending(file)
	if len(g.data) > 0 && offset != g.at+int64(len(g.data)) || len(g.data) > gatherMost {
		if rc := g.flush(file); rc != lib.SQLITE_OK {
			return rc
		}
	}
	if len(g.data) == 0 {
		g.at = offset
	}
	g.data = append(g.data, unsafe.Slice(at[byte](buf), n)...)
	return lib.SQLITE_OK
}

// flush writes what was gathered. After an error it is gone: the transaction that it belongs to fails. What comes
// before unsynced was synced with its commit; the writer alone gets here, so nobody else writes after it.
func (g *gathered) flush(file uintptr) int32 {
	f := at[lib.TunixFile](file)
	data, offset := g.data, g.at
	g.data = g.data[:0]
	if len(data) > 0 && (g.unsynced < 0 || offset < g.unsynced) {
		g.unsynced = offset
	}
	for len(data) > 0 {
		n, err := syscall.Pwrite(int(f.Fh), data, offset)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			f.FlastErrno = errno(err)
			if errors.Is(err, syscall.ENOSPC) {
				// what was written of the transaction takes no room from others
				_ = syscall.Ftruncate(int(f.Fh), g.unsynced)
				return lib.SQLITE_FULL
			}
			return lib.SQLITE_IOERR_WRITE
		}
		data, offset = data[n:], offset+int64(n)
	}
	return lib.SQLITE_OK
}

func logSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	g := pending(file)
	rc := g.flush(file)
	if rc == lib.SQLITE_OK {
		rc = vfsSync(tls, file, flags)
	}
	if rc != lib.SQLITE_OK {
		g.void(file)
	}
	g.unsynced = -1
	return rc
}

// void spoils the head of what was written and could not be synced: its transaction fails, and a start after a crash
// must not find it whole and take it for committed. Should this fail too, there is nothing left to try.
func (g *gathered) void(file uintptr) {
	if g.unsynced < 0 {
		return
	}
	var nothing [32]byte // as long as the longer of the two kinds of head
	_, _ = syscall.Pwrite(int(at[lib.TunixFile](file).Fh), nothing[:], g.unsynced)
}

func logRead(tls *libc.TLS, file, buf uintptr, n int32, offset int64) int32 {
	if rc := pending(file).flush(file); rc != lib.SQLITE_OK {
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](original(file).FxRead)(tls, file, buf, n,
		offset)
}

func logTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	if rc := pending(file).flush(file); rc != lib.SQLITE_OK {
		return rc
	}
	return function[func(*libc.TLS, uintptr, int64) int32](original(file).FxTruncate)(tls, file, size)
}

func logSize(tls *libc.TLS, file, size uintptr) int32 {
	if rc := pending(file).flush(file); rc != lib.SQLITE_OK {
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr) int32](original(file).FxFileSize)(tls, file, size)
}

// logClose drops what a failed transaction left: nothing that was committed is unwritten.
func logClose(tls *libc.TLS, file uintptr) int32 {
	theirs := original(file)
	vfs.mu.Lock()
	delete(vfs.logs, file)
	vfs.mu.Unlock()
	return function[func(*libc.TLS, uintptr) int32](theirs.FxClose)(tls, file)
}
