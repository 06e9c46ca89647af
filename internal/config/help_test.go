package config_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/config"
)

var update = flag.Bool("update", false, "rewrite docs/settings.md")

const manual = "../../docs/settings.md"

// The manual page is made from the table, and checked so that it cannot fall behind it.
func TestManual(t *testing.T) {
	got := markdown()
	if *update {
		if err := os.WriteFile(manual, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("docs/settings.md is behind the settings table: run go test ./internal/config -run TestManual -update")
	}
}

func markdown() string {
	var b strings.Builder
	b.WriteString(`# Settings

This page is generated from the table in internal/config; ` + "`mailkin config help`" + ` prints the same.

Each setting is a flag, a variable and a key in an optional TOML file (` + "`--config`, `MAILKIN_CONFIG`" + `). A flag wins
over a variable, a variable over the file, the file over the default. ` + "`mailkin config`" + ` shows the values in force
and where each came from. Secrets have no flag; a second variable with ` + "`_FILE`" + ` at its end names a file to read
the secret from. Sizes are bytes, or carry KB, MB, GB (thousands) or KiB, MiB, GiB; lengths of time are written as
` + "`30s`, `5m`, `1h30m`" + `.

Where the column reload says yes, a change in the file counts after SIGHUP (` + "`systemctl reload mailkin`" + `); the log names
other settings that have changed, which need a restart.
`)
	group := ""
	for _, s := range config.Settings() {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n## %s\n\n| variable | flag | key | default | reload | meaning |\n|---|---|---|---|---|---|\n", group)
		}
		reload := ""
		if s.Live {
			reload = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s | %s |\n", s.Variable, code("--", s.Flag), s.Key,
			code("", s.Default), reload, s.Help)
	}
	return b.String()
}

func code(before, s string) string {
	if s == "" {
		return ""
	}
	return "`" + before + s + "`"
}

func TestHelpNamesEverySetting(t *testing.T) {
	var b bytes.Buffer
	if err := config.Help(&b); err != nil {
		t.Fatal(err)
	}
	for _, s := range config.Settings() {
		for _, part := range []string{s.Variable, s.Flag, s.Default, s.Help} {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s: help does not say %q", s.Key, part)
			}
		}
		if !strings.HasSuffix(s.Help, ".") {
			t.Errorf("%s: help is not a sentence: %q", s.Key, s.Help)
		}
	}
}
