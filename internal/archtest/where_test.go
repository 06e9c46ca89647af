package archtest

import (
	"go/ast"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every file and function that docs/where.md names is there, and its package is in the tree of docs/ARCHITECTURE.md.
func TestWhere(t *testing.T) {
	root := os.DirFS("../..")
	tree, err := fs.ReadFile(root, "docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string][]string{}
	if err := walk(root, func(f file) { declared[f.name] = declarations(f.syntax) }); err != nil {
		t.Fatal(err)
	}
	rows := whereRows(t, root)
	if len(rows) < 10 {
		t.Errorf("%d rows", len(rows))
	}
	for _, names := range rows {
		place := names[0]
		if !strings.Contains(string(tree), path.Base(path.Dir(place))+"/") {
			t.Errorf("the tree does not have the package of %s", place)
		}
		for _, name := range names[1:] {
			if !slices.Contains(declared[place], name) {
				t.Errorf("%s has no %s", place, name)
			}
		}
	}
}

// whereRows returns what is quoted in each row of the table: a file, then functions.
func whereRows(t *testing.T, root fs.FS) (rows [][]string) {
	t.Helper()
	doc, err := fs.ReadFile(root, "docs/where.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(string(doc)) {
		var names []string
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			names = append(names, m[1])
		}
		if strings.HasPrefix(line, "| ") && len(names) > 0 {
			rows = append(rows, names)
		}
	}
	return rows
}

// declarations are the functions and methods of a file.
func declarations(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}
