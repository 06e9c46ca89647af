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

// vfsName is SQLite's own way to the disk with two changes.
//
// Files are synced with fdatasync. SQLite as modernc builds it calls fsync, which also writes the time of the last
// change: one more journal commit of the file system for every commit of ours, half as slow again. fdatasync writes all
// that is needed to read the data back, the size included.
//
// The write-ahead log is written once per commit. SQLite writes each page of it with two calls; here they are gathered
// until the sync (wal_linux.go).
const vfsName = "mailkin"

// vfsQuery chooses it.
const vfsQuery = "vfs=" + vfsName

// vfs is what our methods need of SQLite's own. It is filled once, before the first file is opened through it.
var vfs struct {
	base uintptr // *sqlite3_vfs

	mu     sync.Mutex
	tables map[table]uintptr                   // *sqlite3_io_methods of ours
	theirs map[uintptr]lib.Tsqlite3_io_methods // what each of them was made from
	logs   map[uintptr]*gathered               // by *sqlite3_file
}

// table names one of our method tables: which of SQLite's it was made from, and for what kind of file.
type table struct {
	from uintptr
	log  bool
}

// slabs has each connection take the first megabyte of its pages at once. One by one a page of 4 KB and its header take
// 8 KB, because memory is given out in powers of two. It is too late where SQLite is in use already, and that does no
// harm.
func slabs(tls *libc.TLS) {
	args := libc.NewVaList(uintptr(0), int32(0), int32(-1000))
	if args == 0 {
		return
	}
	defer libc.Xfree(tls, args)
	lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_PAGECACHE, args)
}

// registerVFS makes the way known to SQLite.
var registerVFS = sync.OnceValue(func() error {
	tls := libc.NewTLS() // kept: what it allocates is SQLite's from here on
	slabs(tls)
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
	vfs.tables = make(map[table]uintptr)
	vfs.theirs = make(map[uintptr]lib.Tsqlite3_io_methods)
	vfs.logs = make(map[uintptr]*gathered)
	if rc := lib.Xsqlite3_vfs_register(tls, own, 0); rc != lib.SQLITE_OK {
		return fmt.Errorf("register with SQLite: code %d", rc)
	}
	return nil
})

// vfsOpen opens a file as SQLite does, and gives it our methods.
func vfsOpen(tls *libc.TLS, _, path, file uintptr, flags int32, outFlags uintptr) int32 {
	open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](
		at[lib.Tsqlite3_vfs](vfs.base).FxOpen)
	rc := open(tls, vfs.base, path, file, flags, outFlags)
	f := at[lib.TunixFile](file)
	if rc != lib.SQLITE_OK || f.FpMethod == 0 {
		return rc
	}
	isLog := flags&lib.SQLITE_OPEN_WAL != 0
	own := ourMethods(tls, table{f.FpMethod, isLog})
	if own == 0 {
		return lib.SQLITE_NOMEM
	}
	f.FpMethod = own
	if isLog {
		vfs.mu.Lock()
		vfs.logs[file] = &gathered{unsynced: -1}
		vfs.mu.Unlock()
	}
	return rc
}

// ourMethods is a copy of a table of file methods with ours in it. There are a few such tables in all.
func ourMethods(tls *libc.TLS, t table) uintptr {
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	if own, ok := vfs.tables[t]; ok {
		return own
	}
	own := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_io_methods{})))
	if own == 0 {
		return 0
	}
	m := at[lib.Tsqlite3_io_methods](own)
	*m = *at[lib.Tsqlite3_io_methods](t.from)
	vfs.tables[t], vfs.theirs[own] = own, *m
	m.FxSync = pointer(vfsSync)
	if t.log {
		m.FxSync, m.FxWrite, m.FxRead = pointer(logSync), pointer(logWrite), pointer(logRead)
		m.FxTruncate, m.FxFileSize, m.FxClose = pointer(logTruncate), pointer(logSize), pointer(logClose)
	}
	return own
}

// original returns SQLite's own methods of a file.
func original(file uintptr) lib.Tsqlite3_io_methods {
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	return vfs.theirs[at[lib.TunixFile](file).FpMethod]
}

// vfsSync makes a file's data durable. The first time, when its folder must be synced as well, SQLite does it.
func vfsSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	f := at[lib.TunixFile](file)
	if int32(f.FctrlFlags)&lib.UNIXFILE_DIRSYNC != 0 {
		return function[func(*libc.TLS, uintptr, int32) int32](original(file).FxSync)(tls, file, flags)
	}
	for {
		err := syscall.Fdatasync(int(f.Fh))
		if err == nil {
			return lib.SQLITE_OK
		}
		if err != syscall.EINTR {
			f.FlastErrno = errno(err)
			return lib.SQLITE_IOERR_FSYNC
		}
	}
}

// errno is an error's number as SQLite keeps it.
func errno(err error) int32 {
	var n syscall.Errno
	_ = errors.As(err, &n)
	return int32(n)
}

// at returns the C structure at an address of SQLite's heap, which is not Go's.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer returns a Go function as SQLite holds it, and function the other way round.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }
