//go:build !unix

package main

import (
	"io"
	"os"
)

// terminalWidth is how many columns a terminal has, as far as that is known; false: it is none.
func terminalWidth(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	info, err := f.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}
