package app

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// Pages of the program are given back, and come again when they are needed.
func TestShed(t *testing.T) {
	before := programPages(t)
	releaseProgramPages()
	if after := programPages(t); after >= before {
		t.Errorf("%d KB of the program before, %d KB after", before, after)
	}
}

func programPages(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "RssFile:" {
			n, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Skip("the system does not say")
	return 0
}

func TestReadOnlyMappings(t *testing.T) {
	for line, want := range map[string]uintptr{
		"00400000-01561000 r-xp 00000000 fe:00 1 /x": 0x400000,
		"01561000-02816000 r--p 01161000 fe:00 1 /x": 0x1561000,
		"02816000-0315c000 rw-p 02416000 fe:00 1 /x": 0,
		"7f00-8000 r-xs 0 0:0 1 /x":                  0,
		"/x":                                         0,
	} {
		if from, _ := readOnly(line); from != want {
			t.Errorf("%s: %x, want %x", line, from, want)
		}
	}
}
