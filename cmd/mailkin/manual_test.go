package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mailkin/mailkin/internal/config"
)

var update = flag.Bool("update", false, "write the generated part of docs/cli.md")

const (
	manual       = "../../docs/cli.md"
	manualMarker = "<!-- From here on this page is made from the program: go test ./cmd/mailkin -run TestManual " +
		"-update -->\n"
)

// The manual has every command and flag as the help has it, and the exit statuses of the program.
func TestManual(t *testing.T) {
	page, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	intro, made, ok := strings.Cut(string(page), manualMarker)
	if !ok {
		t.Fatal("the manual has no place for what is made from the program")
	}
	want := manualOf((&program{}).root())
	if *update {
		if err := os.WriteFile(manual, []byte(intro+manualMarker+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if made != want {
		t.Error("docs/cli.md is not what the program says; go test ./cmd/mailkin -run TestManual -update")
	}
}

func manualOf(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("\n## Exit statuses\n\n| | |\n|---|---|\n")
	for _, e := range exitCodes {
		fmt.Fprintf(&b, "| %d | %s |\n", e.status, e.meaning)
	}
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID {
				describe(&b, c, 3)
			}
		}
	}
	b.WriteString("\n## Others\n")
	for _, c := range root.Commands() {
		if c.GroupID == "" && c.Runnable() {
			describe(&b, c, 3)
		}
	}
	return b.String()
}

// describe writes a command, and those below it.
func describe(b *strings.Builder, c *cobra.Command, level int) {
	fmt.Fprintf(b, "\n%s %s\n\n```\n%s\n```\n\n", strings.Repeat("#", level), c.CommandPath(),
		strings.TrimSuffix(c.UseLine(), " [flags]"))
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	if c.Name() == "search" {
		text, _, _ = strings.Cut(text, " It takes words,")
		text += "\n\nThe query language is that of [the interface](api.md#searching); `mailkin search --help` has " +
			"the table.\n\n" +
			c.Long[strings.Index(c.Long, `Put "--"`):]
	}
	b.WriteString(text + "\n")
	if len(c.Aliases) > 0 {
		fmt.Fprintf(b, "\nAlso called `%s`.\n", strings.Join(c.Aliases, "`, `"))
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
	}
	describeFlags(b, c)
	for _, sub := range c.Commands() {
		describe(b, sub, level+1)
	}
}

func describeFlags(b *strings.Builder, c *cobra.Command) {
	settings := map[string]bool{}
	for _, s := range config.Settings() {
		settings[s.Flag] = true
	}
	rows, isServer := "", false
	shared := map[string]bool{"json": true, "jq": true, "mailbox": true, "url": true, "profile": true}
	isRemote := c.Flags().Lookup("mailbox") != nil && c.Flags().Lookup("data-dir") == nil
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Name == "help" || f.Name == "version" && f.Value.Type() == "bool": // of the program
		case c.Flags().Lookup("data-dir") != nil && settings[f.Name]:
			isServer = true
		case isRemote && shared[f.Name]:
		default:
			name := "`--" + f.Name + "`"
			if f.Shorthand != "" {
				name = "`-" + f.Shorthand + "`, " + name
			}
			rows += fmt.Sprintf("| %s | %s |\n", name, strings.ReplaceAll(f.Usage, "|", `\|`))
		}
	})
	if rows != "" {
		b.WriteString("\n| | |\n|---|---|\n" + rows)
	}
	if isServer && !strings.Contains(c.Long, "flag for each setting") {
		b.WriteString("\nIt has a flag for each [setting](settings.md).\n")
	}
	if isRemote {
		b.WriteString("\nAlso `--json`, `--jq`, `--mailbox`, `--url` and `--profile`.\n")
	}
}

// The query language has one table in two places.
func TestQueryLanguage(t *testing.T) {
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(page), "\n## Searching\n")
	part, _, _ = strings.Cut(part, "\n## ")
	var rows [][2]string
	for text := range strings.Lines(part) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(text), "|"), "|")
		if strings.HasPrefix(text, "| `") && len(cells) == 2 {
			plain := func(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "`", "") }
			rows = append(rows, [2]string{plain(cells[0]), plain(cells[1])})
		}
	}
	if len(rows) != len(queryLanguage) {
		t.Fatalf("docs/api.md has %d rows, the help %d", len(rows), len(queryLanguage))
	}
	for i, want := range rows {
		if queryLanguage[i] != want {
			t.Errorf("row %d:\n  help %q\n  docs %q", i, queryLanguage[i], want)
		}
	}
}
