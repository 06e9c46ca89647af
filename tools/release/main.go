// Command release makes what a release has beside the binaries, from the binaries and the module cache.
//
//	go run -C tools ./release licences                 # cmd/mailkin/licenses.txt.gz, after a change of go.mod
//	go run -C tools ./release sbom BINARY > FILE       # what is in that binary, as CycloneDX
//
// Both are the same for the same input, whenever and wherever they are made.
package main

import (
	"fmt"
	"os"
)

// root is the repository, as "go run -C tools" sees it.
const root = ".."

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "licences":
		return writeLicences(root + "/cmd/mailkin/licenses.txt.gz")
	case len(args) == 2 && args[0] == "sbom":
		return writeSBOM(os.Stdout, args[1])
	}
	return fmt.Errorf("say licences, or sbom BINARY")
}
