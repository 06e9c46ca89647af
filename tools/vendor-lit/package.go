package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// npmPackage is an unpacked package: its files by their path inside it.
type npmPackage struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	License string `json:"license"`
	files   map[string][]byte
}

// largest is more than any file of a package has.
const largest = 1 << 20

// readPackages reads every package in a folder, by name.
func readPackages(folder string) (map[string]npmPackage, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	if err != nil {
		return nil, err
	}
	packages := map[string]npmPackage{}
	for _, path := range paths {
		p, err := readPackage(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		if p.License != "BSD-3-Clause" {
			return nil, fmt.Errorf("%s: its licence is %q", p.Name, p.License)
		}
		packages[p.Name] = p
	}
	return packages, nil
}

func readPackage(path string) (npmPackage, error) {
	p := npmPackage{files: map[string][]byte{}}
	f, err := os.Open(path)
	if err != nil {
		return p, err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return p, err
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return p, err
		}
		b, err := io.ReadAll(io.LimitReader(r, largest))
		if err != nil {
			return p, err
		}
		p.files[strings.TrimPrefix(h.Name, "package/")] = b
	}
	return p, json.Unmarshal(p.files["package.json"], &p)
}

// entries are the modules that a package is imported by without a path.
var entries = map[string]string{
	"lit": "index.js", "lit-html": "lit-html.js", "lit-element": "index.js",
	"@lit/reactive-element": "reactive-element.js",
}

// split takes the name of a module apart: the package, and the file in it.
func split(module string) (name, file string) {
	parts := strings.SplitN(module, "/", 2)
	if strings.HasPrefix(module, "@") {
		parts = strings.SplitN(module, "/", 3)
		parts = append([]string{parts[0] + "/" + parts[1]}, parts[2:]...)
	}
	if len(parts) == 1 {
		return parts[0], entries[parts[0]]
	}
	return parts[0], parts[1]
}
