package sqlite

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// vfsName is SQLite's own way to the disk with one change: files are synced with fdatasync.
//
// SQLite as modernc builds it calls fsync, which also writes the time of the last change: one more journal commit of the
// file system for every commit of ours, half as slow again. fdatasync writes all that is needed to read the data back,
// the size included.
const vfsName = "mailkin"

// vfsQuery chooses it.
const vfsQuery = "vfs=" + vfsName

// vfs is what our methods need of SQLite's own. It is filled once, before the first file is opened through it.
var vfs struct {
	base uintptr // *sqlite3_vfs

	mu      sync.Mutex
	methods map[uintptr]uintptr // *sqlite3_io_methods: SQLite's own → ours
	syncs   map[uintptr]uintptr // ours → SQLite's own xSync
}

// registerVFS makes the way known to SQLite.
var registerVFS = sync.OnceValue(func() error {
	tls := libc.NewTLS() // kept: what it allocates is SQLite's from here on
	if rc := lib.Xsqlite3_initialize(tls); rc != lib.SQLITE_OK {
		return fmt.Errorf("initialize SQLite: code %d", rc)
	}
	vfs.base = lib.Xsqlite3_vfs_find(tls, 0)
	name, err := libc.CString(vfsName)
	if err != nil {
		return err
	}
	size := unsafe.Sizeof(lib.Tsqlite3_vfs{})
	own := libc.Xmalloc(tls, libc.Tsize_t(size))
	if own == 0 || vfs.base == 0 {
		return errors.New("register with SQLite: out of memory")
	}
	v := at[lib.Tsqlite3_vfs](own)
	*v = *at[lib.Tsqlite3_vfs](vfs.base)
	v.FpNext, v.FzName, v.FxOpen = 0, name, pointer(vfsOpen)
	vfs.methods, vfs.syncs = make(map[uintptr]uintptr), make(map[uintptr]uintptr)
	if rc := lib.Xsqlite3_vfs_register(tls, own, 0); rc != lib.SQLITE_OK {
		return fmt.Errorf("register with SQLite: code %d", rc)
	}
	return nil
})

// vfsOpen opens a file as SQLite does, and gives it our methods.
func vfsOpen(tls *libc.TLS, _, path, file uintptr, flags int32, outFlags uintptr) int32 {
	open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](at[lib.Tsqlite3_vfs](vfs.base).FxOpen)
	rc := open(tls, vfs.base, path, file, flags, outFlags)
	f := at[lib.TunixFile](file)
	if rc != lib.SQLITE_OK || f.FpMethod == 0 {
		return rc
	}
	own := ourMethods(tls, f.FpMethod)
	if own == 0 {
		return lib.SQLITE_NOMEM
	}
	f.FpMethod = own
	return rc
}

// ourMethods is a copy of a table of file methods with another xSync. There are a few such tables in all.
func ourMethods(tls *libc.TLS, theirs uintptr) uintptr {
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	if own, ok := vfs.methods[theirs]; ok {
		return own
	}
	own := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_io_methods{})))
	if own == 0 {
		return 0
	}
	m := at[lib.Tsqlite3_io_methods](own)
	*m = *at[lib.Tsqlite3_io_methods](theirs)
	vfs.methods[theirs], vfs.syncs[own] = own, m.FxSync
	m.FxSync = pointer(vfsSync)
	return own
}

// vfsSync makes a file's data durable. The first time, when its folder must be synced as well, SQLite does it.
func vfsSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	f := at[lib.TunixFile](file)
	if int32(f.FctrlFlags)&lib.UNIXFILE_DIRSYNC != 0 {
		vfs.mu.Lock()
		theirs := vfs.syncs[f.FpMethod]
		vfs.mu.Unlock()
		return function[func(*libc.TLS, uintptr, int32) int32](theirs)(tls, file, flags)
	}
	for {
		err := syscall.Fdatasync(int(f.Fh))
		if err == nil {
			return lib.SQLITE_OK
		}
		if errno, ok := err.(syscall.Errno); ok && errno != syscall.EINTR {
			f.FlastErrno = int32(errno)
			return lib.SQLITE_IOERR_FSYNC
		}
	}
}

// at gives the C structure at an address of SQLite's heap, which is not Go's.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer gives a Go function as SQLite holds it, and function the other way round.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }
