package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// profile is what a command knows of a service from one run to the next: its address, and a mailbox there with its key.
type profile struct {
	URL       string    `toml:"url"`
	APIKey    string    `toml:"api_key"`
	Mailbox   string    `toml:"mailbox"`
	ExpiresAt time.Time `toml:"expires_at,omitempty"` // of a temporary mailbox; zero: never
}

const (
	defaultProfile = "config"
	profileLimit   = 64 << 10 // bytes of a file that is one
)

// profilePath is the file of a profile: config.toml, or another of the same folder, in $XDG_CONFIG_HOME/mailkin or
// ~/.config/mailkin.
func (p *program) profilePath(name string) (string, error) {
	if name == "" {
		name = defaultProfile
	}
	if len(name) > 64 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return "", fmt.Errorf("--profile: %q is not a name: use letters, digits, - and _", name)
	}
	folder := p.variable("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		home := p.variable("HOME")
		if home == "" {
			home = p.variable("USERPROFILE")
		}
		if !filepath.IsAbs(home) {
			return "", errors.New("there is no home folder to keep a profile in: set HOME or XDG_CONFIG_HOME")
		}
		folder = filepath.Join(home, ".config")
	}
	path := filepath.Join(folder, "mailkin", name+".toml")
	p.warnIfOpen(path)
	return path, nil
}

// warnIfOpen says so where others than its owner may read a profile: somebody else wrote it, or copied it.
func (p *program) warnIfOpen(path string) {
	info, err := os.Stat(path)
	// which has other rights than these
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return
	}
	p.screen(p.stderr).say("mailkin: others may read the key in %s: run \"chmod 600\" on it", path)
}

// variable is a variable of the environment; empty: it is not set.
func (p *program) variable(name string) string {
	value := ""
	for _, entry := range p.environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v // the last one counts
		}
	}
	return value
}

// loadProfile reads a profile. One that is not there is empty.
func loadProfile(path string) (profile, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return profile{}, nil
	case err != nil:
		return profile{}, fmt.Errorf("read the profile: %w", err)
	case !info.Mode().IsRegular() || info.Size() > profileLimit:
		return profile{}, fmt.Errorf("%s is not a profile: it is no file, or a large one", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return profile{}, fmt.Errorf("read the profile: %w", err)
	}
	var out profile
	if err := toml.Unmarshal(data, &out); err != nil {
		return profile{}, fmt.Errorf("%s is not a profile: %w; fix it, or delete it and run \"mailkin bootstrap\"",
			path, errors.New(firstLine(err.Error())))
	}
	return out, nil
}

// firstLine is what an error says, without what it quotes: a profile holds a key.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// saveProfile writes a profile so that nobody but its owner reads it, and so that there is never half of one.
func saveProfile(path string, to profile) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("keep the profile: %w", err)
	}
	var text bytes.Buffer
	text.WriteString("# Written by mailkin. The key in it is a password.\n")
	if err := toml.NewEncoder(&text).Encode(to); err != nil {
		return fmt.Errorf("keep the profile: %w", err)
	}
	return replaceFile(path, text.Bytes())
}

// replaceFile puts a file of mode 0600 in the place of another, or of none, in one step.
func replaceFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(f.Name()))
	}
	return nil
}
