package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// platforms are those that a release has binaries for. Each links some modules that the others do not.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"}

// module is one that is linked, with the folders of its packages that are.
type module struct {
	path, dir string
	packages  map[string]bool
}

// linked lists the modules of a platform's binary into the given ones.
func linked(platform string, into map[string]*module) error {
	system, processor, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Module", "./cmd/mailkin")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("list packages of %s: %w", platform, err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Dir string
				Main      bool
			}
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		m := into[p.Module.Path]
		if m == nil {
			m = &module{p.Module.Path, p.Module.Dir, map[string]bool{}}
			into[m.path] = m
		}
		m.packages[p.Dir] = true
	}
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense|copyright)([-._].*)?$`)

// texts are the licences of a module: those in its own folder and in the folders of packages that are linked, by name.
func (m *module) texts() (map[string]string, error) {
	folders := map[string]bool{m.dir: true}
	for dir := range m.packages {
		for ; strings.HasPrefix(dir, m.dir); dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	found := map[string]string{}
	for dir := range folders {
		files, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if !f.Type().IsRegular() || !licenceFile.MatchString(f.Name()) || strings.HasSuffix(f.Name(), ".go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				return nil, err
			}
			name, _ := filepath.Rel(m.dir, filepath.Join(dir, f.Name()))
			found[filepath.ToSlash(name)] = tidy(text)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no licence in %s", m.path, m.dir)
	}
	return found, nil
}

// tidy leaves the differences out that nobody sees.
func tidy(text []byte) string {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}

// ownTexts are those of what is not a module: the program, what NOTICE names, and Go with its library.
func ownTexts() (list [][2]string, err error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for GOROOT: %w", err)
	}
	for _, own := range [][2]string{
		{"Mailkin, LICENSE", root + "/LICENSE"},
		{"Mailkin, NOTICE", root + "/NOTICE"},
		{"Lit, LICENSE", root + "/internal/console/web/vendor/lit.LICENSE.txt"},
		{"Go, LICENSE", strings.TrimSpace(string(goroot)) + "/LICENSE"},
		{"Go, PATENTS", strings.TrimSpace(string(goroot)) + "/PATENTS"},
	} {
		text, err := os.ReadFile(own[1])
		if err != nil {
			return nil, err
		}
		list = append(list, [2]string{own[0], tidy(text)})
	}
	return list, nil
}

// writeLicences writes every text once, below the names of all that it is for.
func writeLicences(file string) error {
	modules := map[string]*module{}
	for _, platform := range platforms {
		if err := linked(platform, modules); err != nil {
			return err
		}
	}
	list, err := ownTexts()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		texts, err := modules[path].texts()
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			list = append(list, [2]string{path + ", " + name, texts[name]})
		}
	}
	var b bytes.Buffer
	for i, entry := range list {
		if slices.ContainsFunc(list[:i], func(e [2]string) bool { return e[1] == entry[1] }) {
			continue
		}
		for _, other := range list[i:] {
			if other[1] == entry[1] {
				fmt.Fprintf(&b, "== %s\n", other[0])
			}
		}
		fmt.Fprintf(&b, "\n%s\n", entry[1])
	}
	return pack(file, b.Bytes())
}

// pack writes a compressed file without a time in it.
func pack(file string, text []byte) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), fs.FileMode(0o644))
}
