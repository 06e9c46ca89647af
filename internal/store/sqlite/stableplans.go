package sqlite

import (
	"fmt"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// stablePlans has SQLite plan a statement once for each connection that is opened from then on. By itself it looks at
// the values of parameters, in joins and limits, and plans again whenever they change: 30 microseconds for each, which
// made up a tenth of the work for an incoming message. Its library opens connections without a way to set this, so that
// it is set by what SQLite calls for every connection.
var stablePlans = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	set := struct { // as SQLite's code, translated into Go, has pointers to functions
		call func(tls *libc.TLS, conn, message, routines uintptr) int32
	}{func(tls *libc.TLS, conn, _, _ uintptr) int32 {
		on := libc.NewVaList(int32(1), uintptr(0))
		defer libc.Xfree(tls, on)
		return lib.Xsqlite3_db_config(tls, conn, lib.SQLITE_DBCONFIG_ENABLE_QPSG, on)
	}}
	if code := lib.Xsqlite3_auto_extension(tls, *(*uintptr)(unsafe.Pointer(&set))); code != lib.SQLITE_OK {
		return fmt.Errorf("set up SQLite's planner: code %d", code)
	}
	return nil
})
