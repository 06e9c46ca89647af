package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// aLine is a line of a script that runs a command of ours: to succeed, or to fail.
var aLine = regexp.MustCompile(`(?m)^(!|status (\d+))? ?(?:run|exec mailkin|mailkin|eventually '[^']*')(?: (.*))?$`)

// Every command has a script in which it does what it is for, and one in which it fails.
func TestEveryCommandHasScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	root := (&program{}).root()
	done, failed := map[string]bool{}, map[string]bool{}
	for _, file := range scripts {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range aLine.FindAllStringSubmatch(string(text), -1) {
			cmd, _, err := root.Find(strings.Fields(m[3]))
			switch {
			case err != nil:
			case m[1] == "" || m[2] == "0":
				done[cmd.CommandPath()] = true
			default:
				failed[cmd.CommandPath()] = true
			}
		}
	}
	eachCommand(root, func(c *cobra.Command) {
		path := c.CommandPath()
		// it needs PostgreSQL, which the tests in test have
		if elsewhere := path == "mailkin move"; !done[path] && !elsewhere {
			t.Errorf("no script has %s do what it is for", path)
		}
		if !failed[path] {
			t.Errorf("no script has %s fail", path)
		}
	})
}

// eachCommand visits what can be run.
func eachCommand(c *cobra.Command, visit func(*cobra.Command)) {
	if c.Runnable() && c.CommandPath() != "mailkin help" {
		visit(c)
	}
	for _, sub := range c.Commands() {
		eachCommand(sub, visit)
	}
}
