package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "mailkin", "config.toml")
	if got, err := loadProfile(path); err != nil || got != (profile{}) {
		t.Fatalf("one that is not there: %+v, %v", got, err)
	}
	want := profile{URL: "http://127.0.0.1:8025", APIKey: "mk_x", Mailbox: "a@b", ExpiresAt: time.Date(2026, 1, 2, 3, 4,
		5, 0, time.UTC)}
	for range 2 { // the second time in place of the first
		if err := saveProfile(path, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := loadProfile(path)
	if err != nil || !got.ExpiresAt.Equal(want.ExpiresAt) || got.URL != want.URL || got.APIKey != want.APIKey ||
		got.Mailbox != want.Mailbox {
		t.Errorf("got %+v, %v", got, err)
	}
	for p, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", p, info.Mode(), err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestProfileThatIsNone(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"broken": "api_key = \"mk_secret", "large": strings.Repeat("#",
		profileLimit+1), "kind": "api_key = 3"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadProfile(path); err == nil || strings.Contains(err.Error(), "mk_secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := loadProfile(dir); err == nil {
		t.Error("a folder is a profile")
	}
}

// The key of a profile goes to the service of that profile and to no other.
func TestPlace(t *testing.T) {
	home := t.TempDir()
	if err := saveProfile(filepath.Join(home, ".config", "mailkin", "config.toml"),
		profile{URL: "https://mail.example/", APIKey: "mk_kept"}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, flag string
		environ    []string
		url, key   string
	}{
		{"the profile", "", nil, "https://mail.example/", "mk_kept"},
		{"the same by flag", "https://MAIL.example/v1", nil, "https://MAIL.example/v1", "mk_kept"},
		{"another by flag", "https://other.example", nil, "https://other.example", ""},
		{"plain where it was not", "http://mail.example", nil, "http://mail.example", ""},
		{"another by variable", "", []string{"MAILKIN_URL=https://other.example"}, "https://other.example", ""},
		{"the flag wins", "https://mail.example", []string{"MAILKIN_URL=https://other.example"}, "https://mail.example",
			"mk_kept"},
		{"a key by variable", "https://other.example", []string{"MAILKIN_API_KEY=mk_set"}, "https://other.example",
			"mk_set"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{environ: append([]string{"HOME=" + home}, tt.environ...)}
			at, err := p.place(tt.flag, "")
			if err != nil || at.url != tt.url || at.key != tt.key {
				t.Errorf("got %s with %q, %v", at.url, at.key, err)
			}
		})
	}
	at, err := (&program{}).place("", "")
	if err != nil || at.url != defaultURL || at.key != "" {
		t.Errorf("without a home: %+v, %v", at, err)
	}
}

func TestProfileThatOthersMayRead(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "mailkin", "config.toml")
	if err := saveProfile(path, profile{APIKey: "mk_secret"}); err != nil {
		t.Fatal(err)
	}
	for mode, lines := range map[os.FileMode]int{0o600: 0, 0o400: 0, 0o644: 1, 0o620: 1} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		p := &program{environ: []string{"XDG_CONFIG_HOME=" + home}, stderr: &said}
		if _, err := p.place("", ""); err != nil || strings.Count(said.String(), "\n") != lines ||
			lines > 0 && !strings.Contains(said.String(), path) {
			t.Errorf("%v: %q, %v", mode, said.String(), err)
		}
	}
}
