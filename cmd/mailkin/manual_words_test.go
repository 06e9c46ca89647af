package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

// pagesToRead are those of the manual, and those that the program serves.
func pagesToRead(t *testing.T) map[string]string {
	t.Helper()
	paths := []string{"../../README.md", "../../CONTRIBUTING.md", "../../internal/httpapi/public/skill.md"}
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) < 8 {
		t.Fatalf("%d pages, %v", len(docs), err)
	}
	pages := map[string]string{}
	for _, path := range append(paths, docs...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[strings.TrimPrefix(path, "../../")] = string(text)
	}
	return pages
}

// aSpan is a command of ours in the middle of a sentence.
var aSpan = regexp.MustCompile("`[^`\n]*\\b(mailkin [a-z][^`\n)]*)[^`\n]*`")

// A command that a sentence of the manual names is one, with its flags. Those in blocks are run by the tests in test.
func TestManualNamesCommands(t *testing.T) {
	named := 0
	for page, text := range pagesToRead(t) {
		for _, m := range aSpan.FindAllStringSubmatch(text, -1) {
			line := strings.TrimPrefix(m[1], "mailkin ")
			if strings.Contains(line, "--help") || strings.Contains(m[0], "$ mailkin") {
				continue
			}
			named++
			t.Run(page, func(t *testing.T) { wantCommand(t, line) })
		}
	}
	if named < 10 {
		t.Errorf("the manual names %d commands", named)
	}
}

// A variable that the manual names is a setting, or one of the few that are none.
func TestManualNamesSettings(t *testing.T) {
	known := []string{urlVariable, keyVariable}
	for _, s := range config.Settings() {
		known = append(known, s.Variable, s.Variable+"_FILE")
	}
	for page, text := range pagesToRead(t) {
		for _, name := range regexp.MustCompile(`\bMAILKIN_[A-Z0-9_]*[A-Z0-9]\b`).FindAllString(text, -1) {
			// Those of tests are read by tests alone.
			if !slices.Contains(known, name) && !strings.HasPrefix(name, "MAILKIN_TEST_") && name != "MAILKIN_CORPORA" {
				t.Errorf("%s: there is no setting %s", page, name)
			}
		}
	}
}

// odd is English that is not plain, each with what to write instead.
var odd = map[string]string{
	"gotten from": "obtained from", "anew": "again, or rebuilt", "how it does": "its health", "mended": "fixed",
	"mend it": "fix it", "that the mailbox brought": "the mailbox's own", "for who has": "for those who have",
	"betwixt": "between", "whilst": "while",
}

// The manual is written in plain English.
func TestManualPlainEnglish(t *testing.T) {
	for page, text := range pagesToRead(t) {
		plain := " " + strings.Join(strings.Fields(strings.ToLower(text)), " ") + " "
		for phrase, better := range odd {
			if regexp.MustCompile(`\b` + phrase + `\b`).MatchString(plain) {
				t.Errorf("%s: %q: write %q", page, phrase, better)
			}
		}
	}
}
