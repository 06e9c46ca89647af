package app

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// releaseProgramPages gives back the pages of the program's own file that only its start needed: two thirds of those
// that are in memory by then. A page that is used again is there in microseconds, because the system caches the file.
// Where it cannot be done, nothing is lost.
func releaseProgramPages() {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }() // only read from
	var from, to uintptr                // of the mapping that the lines are about; 0: not one to give back
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		line := lines.Text()
		if strings.HasSuffix(line, " "+self) {
			if from, to = readOnly(line); from != 0 && !strings.Contains(line, " r-xp ") {
				// Else a look at a byte of its tables brings 2 MB, where the system has the file in such pieces.
				_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_NOHUGEPAGE) // it is advice
			}
			continue
		}
		own, ok := strings.CutPrefix(line, "Anonymous:")
		if ok && from != 0 && strings.TrimSpace(own) == "0 kB" { // of what was written to there is no other copy
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED) // it is advice
		}
		if ok {
			from = 0
		}
	}
}

// residentFiles is how many bytes of files are in memory, most of them the program's own; 0: nobody knows.
func residentFiles() int64 {
	var size, resident, shared int64
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscan(string(b), &size, &resident, &shared); err != nil {
		return 0
	}
	return shared * int64(os.Getpagesize())
}

// readOnly returns the addresses of a mapping that cannot be written to.
func readOnly(line string) (from, to uintptr) {
	var mode string
	if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); err != nil || mode != "r-xp" && mode != "r--p" {
		return 0, 0
	}
	return from, to
}
