package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

// How texts of the program name settings.
var (
	namedSetting  = regexp.MustCompile(`\b[Ss]ettings? ([a-z][a-z0-9_]*[a-z0-9])(?:,? (?:and|or) ([a-z][a-z0-9_]*_[a-z0-9_]*))?`)
	namedToSet    = regexp.MustCompile(`\b[Ss]et ([a-z]+_[a-z_]+[a-z])\b`)
	namedVariable = regexp.MustCompile(`\bMAILKIN_[A-Z][A-Z0-9_]*[A-Z0-9]\b`)
)

// commandVariables are what is read, or left alone, besides the settings.
var commandVariables = []string{"MAILKIN_URL", "MAILKIN_API_KEY", "MAILKIN_PROFILE", "MAILKIN_BINARY",
	"MAILKIN_CORPORA", "MAILKIN_PORT"}

// plainWords follow the word "setting" in sentences that name none.
var plainWords = []string{"by", "is", "its", "it", "of", "the", "that", "a", "an", "and", "are", "in", "as", "to",
	"file", "asks", "give", "has", "have", "here", "may", "say", "says", "with", "come", "or", "up"}

// Every setting that a text of the program names is one.
func TestNamedSettingsExist(t *testing.T) {
	keys, variables := map[string]bool{}, map[string]bool{}
	for _, s := range config.Settings() {
		keys[s.Key], variables[s.Variable], variables[s.Variable+"_FILE"] = true, true, true
	}
	for _, v := range commandVariables {
		variables[v] = true
	}
	count := 0
	eachText(t, func(at, text string) {
		for _, m := range append(namedSetting.FindAllStringSubmatch(text, -1), namedToSet.FindAllStringSubmatch(text,
			-1)...) {
			for _, name := range m[1:] {
				if count++; name != "" && !keys[name] && !slices.Contains(plainWords, name) {
					t.Errorf("%s: there is no setting %s: %q", at, name, text)
				}
			}
		}
		for _, name := range namedVariable.FindAllString(text, -1) {
			if count++; !variables[name] {
				t.Errorf("%s: there is no variable %s: %q", at, name, text)
			}
		}
	})
	if count < 50 {
		t.Errorf("only %d names were found: the patterns fit no more", count)
	}
}

// eachText visits every string of the program, without its tests.
func eachText(t *testing.T, visit func(at, text string)) {
	t.Helper()
	files := token.NewFileSet()
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "test/") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil {
						visit(files.Position(lit.Pos()).String(), text)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
