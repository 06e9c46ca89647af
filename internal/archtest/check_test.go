package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// check walks a module and returns a line for everything in its non-test files that breaks a rule.
func check(module fs.FS) (found []string, err error) {
	return found, walk(module, func(f file) {
		found = slices.Concat(found, f.imports(), f.uses(), f.tags(),
			f.inits())
	})
}

// arrow is that one package of the module imports another.
type arrow struct{ from, to string }

// arrows lists those of a module's non-test files.
func arrows(root fs.FS) (list []arrow, err error) {
	return list, walk(root, func(f file) {
		for _, target := range f.importNames() {
			if to, ours := strings.CutPrefix(target, module); ours {
				list = append(list, arrow{path.Dir(f.name), to})
			}
		}
	})
}

// walk parses every non-test file of a module.
func walk(module fs.FS, visit func(file)) error {
	return fs.WalkDir(module, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skip(module, name)
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := fs.ReadFile(module, name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		visit(file{name: name, syntax: parsed})
		return nil
	})
}

// skip leaves out what is not part of the module.
func skip(module fs.FS, dir string) error {
	base := path.Base(dir)
	if dir != "." && (strings.HasPrefix(base, ".") || base == "testdata") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(module, path.Join(dir, "go.mod")); err == nil && dir != "." {
		return fs.SkipDir // a module of its own, such as tools
	}
	return nil
}

// file is one source file.
type file struct {
	name   string // path inside the module
	syntax *ast.File
}

func (f file) breaks(what, why string) string { return fmt.Sprintf("%s %s: %s", f.name, what, why) }

// imports checks the arrows.
func (f file) imports() []string {
	l, known := layerOf(path.Dir(f.name))
	if !known {
		return []string{f.breaks("is in a package that no layer of rules_test.go has", "say there what it may import "+
			"and why")}
	}
	var found []string
	for _, spec := range f.syntax.Imports {
		target, _ := strconv.Unquote(spec.Path.Value)
		ours, isOurs := strings.CutPrefix(target, module)
		first, _, _ := strings.Cut(target, "/")
		switch {
		case isOurs && !allows(l.may, ours):
			found = append(found, f.breaks("imports "+ours, l.why))
		case !isOurs && l.stdOnly && strings.Contains(first, "."):
			found = append(found, f.breaks("imports "+target, l.why))
		}
	}
	return found
}

func layerOf(dir string) (layer, bool) {
	for _, l := range layers {
		if allows(l.packages, dir) {
			return l, true
		}
	}
	return layer{}, false
}

func allows(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, isTree := strings.CutSuffix(p, "...")
		return p == pkg || isTree && strings.HasPrefix(pkg, prefix)
	})
}

// uses checks the restrictions.
func (f file) uses() []string {
	names := f.importNames()
	var found []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok {
			used := names[x.Name] + "." + sel.Sel.Name
			for _, r := range restrictions {
				if slices.Contains(r.uses, used) && !r.allowsFile(f.name) {
					found = append(found, f.breaks("uses "+used, r.why))
				}
			}
		}
		return true
	})
	return found
}

// importNames returns the import path behind each package name of the file.
func (f file) importNames() map[string]string {
	names := map[string]string{}
	for _, spec := range f.syntax.Imports {
		target, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(target)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = target
	}
	return names
}

func (r restriction) allowsFile(name string) bool {
	return slices.ContainsFunc(r.in, func(place string) bool {
		return name == place || strings.HasSuffix(place, "/") && strings.HasPrefix(name, place)
	})
}

// tags checks that JSON is made in one place.
func (f file) tags() []string {
	if jsonTags.allowsFile(f.name) {
		return nil
	}
	var found []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil && strings.Contains(field.Tag.Value, `json:"`) {
			found = append(found, f.breaks("has the JSON tag "+field.Tag.Value, jsonTags.why))
		}
		return true
	})
	return found
}

func (f file) inits() []string {
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			return []string{f.breaks("has an init function", noInit)}
		}
	}
	return nil
}
