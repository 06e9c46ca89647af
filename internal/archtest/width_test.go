package archtest

import (
	"bufio"
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is how many columns a line may have, with four for a tab.
const widest = 120

// Lines end at 120 columns, in code and in docs. A raw string, a table, a drawing and a block of output stay as
// they are, and so does what is served to others as it is.
func TestLineWidth(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "public" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		free := map[string]func([]byte) map[int]bool{".go": rawStrings, ".md": tables}[filepath.Ext(path)]
		if d.IsDir() || free == nil {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		reportWide(t, path, src, free(src))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func reportWide(t *testing.T, path string, src []byte, free map[int]bool) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		width := utf8.RuneCount(lines.Bytes()) + 3*bytes.Count(lines.Bytes(), []byte("\t"))
		if width > widest && !free[n] {
			t.Errorf("%s:%d has %d columns", strings.TrimPrefix(path, "../../"), n, width)
		}
	}
	if err := lines.Err(); err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

// rawStrings are the lines of Go that have a raw string, a string that is too long for any line, or a drawing.
func rawStrings(src []byte) map[int]bool {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	free := make(map[int]bool)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return free
		}
		if tok == token.COMMENT && strings.HasPrefix(lit, "//\t") {
			free[file.Line(pos)] = true
		}
		if tok != token.STRING || lit[0] != '`' && utf8.RuneCountInString(lit) < widest/2 {
			continue
		}
		first := file.Line(pos)
		for n := range strings.Count(lit, "\n") + 1 {
			free[first+n] = true
		}
	}
}

// tables are the lines of Markdown that belong to a table or a block, or that a link makes long.
func tables(src []byte) map[int]bool {
	free := make(map[int]bool)
	block := false
	for n, line := range strings.Split(string(src), "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence {
			block = !block
		}
		free[n+1] = block || fence || strings.HasPrefix(line, "|") || !strings.Contains(strings.TrimLeft(line, " -"),
			" ")
	}
	return free
}
