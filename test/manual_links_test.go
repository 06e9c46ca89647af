package test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	aMeasurement = regexp.MustCompile("go test [^`\n#;]*")
	aPackage     = regexp.MustCompile(`\./(\S+)`)
	aPattern     = regexp.MustCompile(`-(run|bench) +'?([\w|^$-]+)`)
)

// What a command of "go test" in the manual names is there.
func TestManualMeasurements(t *testing.T) {
	named := 0
	for page, text := range manualPages(t) {
		for _, command := range aMeasurement.FindAllString(text, -1) {
			folder := found(aPackage, command)
			if folder == "" || strings.Contains(folder, "...") {
				continue
			}
			for _, m := range aPattern.FindAllStringSubmatch(command, -1) {
				kind := map[string]string{"run": "Test", "bench": "Benchmark"}[m[1]]
				for part := range strings.SplitSeq(m[2], "|") {
					if part = strings.TrimPrefix(strings.Trim(part, "^$-"), kind); part == "" {
						continue // none, on purpose
					}
					named++
					if !inTests(t, "../"+folder, `(?m)^func `+kind+`\w*`+part) {
						t.Errorf("%s: ./%s has no %s%s", page, folder, kind, part)
					}
				}
			}
		}
	}
	if named < 5 {
		t.Errorf("the manual names %d", named)
	}
}

// The manual's contents lead to every page of it, and nowhere else.
func TestManualContents(t *testing.T) {
	contents, err := os.ReadFile("../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{"README.md": true}
	for _, m := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(string(contents), -1) {
		linked[m[1]] = true
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) < 8 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		if !linked[filepath.Base(page)] {
			t.Errorf("docs/README.md does not lead to %s", filepath.Base(page))
		}
	}
}

// A link of the manual leads to a page that is there, and to a heading on it.
func TestManualLinks(t *testing.T) {
	t.Parallel()
	pages := manualPages(t)
	for page, text := range pages {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]+))?\)`).FindAllStringSubmatch(
			code.ReplaceAllString(text, ""), -1) {
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(filepath.Join("..", target)); err != nil {
				t.Errorf("%s leads to %s: %v", page, m[1], err)
			}
			if m[2] != "" && !slices.Contains(anchors(pages[target]), m[2]) {
				t.Errorf("%s leads to %s#%s, and there is no such heading", page, m[1], m[2])
			}
		}
	}
}

// A file of the repository that the manual names is there.
func TestManualFiles(t *testing.T) {
	for page, text := range manualPages(t) {
		for _, name := range regexp.MustCompile(`\b(?:deploy|test|internal|cmd)/[\w./*-]*[\w*]`).FindAllString(text,
			-1) {
			found, err := filepath.Glob("../" + name)
			// which tell of what was
			if err != nil || len(found) == 0 && name != "deploy/.env" && !strings.Contains(page, "decisions") {
				t.Errorf("%s names %s, which is not there (%v)", page, name, err)
			}
		}
	}
}

// anchors are the names of the headings of a page, as they are in links.
func anchors(page string) (list []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(code.ReplaceAllString(page, ""), -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, strings.ReplaceAll(name, " ", "-"))
	}
	return list
}
