package config

import (
	"fmt"
	"io"
)

// Help prints every setting: its variable, its flag, its default and what it does.
func Help(w io.Writer) error {
	p := printer{w: w}
	p.f("Settings come from flags, variables and a TOML file (--config), the first of them that has one winning.\n")
	group := ""
	for _, s := range Settings() {
		if s.Group != group {
			group = s.Group
			p.f("\n%s\n", group)
		}
		p.f("  %s\n      %s\n", s.names(), s.Help)
		if s.Default != "" {
			p.f("      Default: %s\n", s.Default)
		}
		if s.Live {
			p.f("      Reloaded on SIGHUP.\n")
		}
	}
	return p.err
}

func (s Setting) names() string {
	if s.Flag == "" {
		return s.Variable + ", or " + s.Variable + fileSuffix + " with the path of a file that holds it"
	}
	return s.Variable + ", --" + s.Flag
}

// printer keeps the first error, so that a page of lines needs one check.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
