// Command vendor-lit makes internal/console/web/vendor/lit.js, the part of the library Lit that the console's pages
// use, as one ES module that a browser loads as it is.
//
// It reads the npm packages lit, lit-html, lit-element and @lit/reactive-element as npm packs them, follows the imports
// of the modules that are wanted, and writes each module as a function of its own, one after the other. The same
// packages give the same bytes. From this folder's parent:
//
//	DIR=$(mktemp -d) && (cd "$DIR" && npm pack lit@3.3.3 lit-html@3.3.3 lit-element@4.2.2 @lit/reactive-element@2.1.2)
//	go run ./vendor-lit -packages "$DIR" -out ../internal/console/web/vendor
//
// The licence of the packages is written next to the module.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// wanted is what the pages import, by the module that has it.
var wanted = []struct {
	module string
	names  []string
}{
	{"lit", []string{"LitElement", "html", "nothing", "svg"}},
	{"lit/directives/live.js", []string{"live"}},
	{"lit/directives/repeat.js", []string{"repeat"}},
}

func main() {
	folder := flag.String("packages", ".", "folder with the packages, as npm pack leaves them there (*.tgz)")
	out := flag.String("out", ".", "folder to write lit.js and its licence to")
	flag.Parse()
	if err := run(*folder, *out); err != nil {
		fmt.Fprintln(os.Stderr, "vendor-lit:", err)
		os.Exit(1)
	}
}

func run(folder, out string) error {
	packages, err := readPackages(folder)
	if err != nil {
		return fmt.Errorf("read the packages: %w", err)
	}
	code, err := bundle(packages)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	licence := packages["lit"].files["LICENSE"]
	if len(licence) == 0 {
		return fmt.Errorf("the package lit has no LICENSE")
	}
	if err := os.WriteFile(filepath.Join(out, "lit.js"), []byte(code), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "lit.LICENSE.txt"), licence, 0o644)
}
