package costtest

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// counter counts the instructions of this thread from now on.
func counter() (stop func() float64) {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv}
	attr.Size = uint32(unsafe.Sizeof(attr))
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil { // it is not allowed, or there is no such counter
		return timer()
	}
	return func() float64 {
		var n [8]byte
		_, err := unix.Read(fd, n[:])
		_ = unix.Close(fd) // it was only read from
		if err != nil {
			return 0
		}
		return float64(binary.NativeEndian.Uint64(n[:]))
	}
}

// timer estimates instructions from the time that this thread runs.
func timer() (stop func() float64) {
	var from, to unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &from) // every Linux has it
	return func() float64 {
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &to)
		return float64(to.Nano()-from.Nano()) * perNanosecond
	}
}
