package config

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Source is everything that settings can come from.
type Source struct {
	Flags   map[string]string // those that were given, by name without the dashes
	Environ []string          // as os.Environ returns it
	// in place of the table's for a command of another purpose, by key; they count where nothing else is given
	Defaults map[string]string
	// variables of other programs that some of Defaults come from, by key
	Foreign map[string]string
}

// Value is a setting with its value in force.
type Value struct {
	Setting
	Text string // a secret's is not shown
	raw  string // as it was given; it may be secret
	From string // "default", "flag --http-addr", "variable MAILKIN_HTTP_ADDR", "http_addr in mailkin.toml"
}

// Load returns the configuration, or the first thing that is wrong with it.
func Load(src Source) (Config, error) {
	c, _, err := Explain(src)
	return c, err
}

// Explain is Load that also tells where each value came from.
func Explain(src Source) (Config, []Value, error) {
	var c Config
	rows := table(&c)
	given, err := collect(src, rows)
	if err != nil {
		return Config{}, nil, err
	}
	for key, variable := range src.Foreign {
		if _, ok := given[key]; !ok {
			given[key] = origin{text: src.Defaults[key], from: "variable " + variable}
		}
	}
	for _, r := range rows {
		o, ok := given[r.Key]
		if !ok {
			o = origin{text: r.Default, from: "default"}
			if text, ok := src.Defaults[r.Key]; ok {
				o.text = text
			}
		}
		if err := r.value.Set(o.text); err != nil {
			return Config{}, nil, wrong(r.Key, o.from, err)
		}
	}
	if key, err := c.complete(); err != nil {
		return Config{}, nil, wrong(key, given.from(key), err)
	}
	list := values(rows, given)
	for i, r := range rows {
		list[i].raw = r.Default
		if o, ok := given[r.Key]; ok {
			list[i].raw = o.text
		}
	}
	return c, list, nil
}

// Changed lists the settings that have another value than before. Both are of Explain.
func Changed(before, now []Value) (changed []Value) {
	for i, v := range now {
		if v.raw != before[i].raw {
			changed = append(changed, v)
		}
	}
	return changed
}

// LogFormatOf returns the form that the log is to have, also where other settings are wrong.
func LogFormatOf(src Source) string {
	var c Config
	rows := table(&c)
	r := rows[slices.IndexFunc(rows, func(r row) bool { return r.Key == "log_format" })]
	format, ok := src.Flags[r.Flag]
	for _, entry := range src.Environ {
		if value, is := strings.CutPrefix(entry, r.Variable+"="); is && !ok {
			format = value
		}
	}
	if given, err := collect(src, rows); err == nil && given[r.Key].text != "" {
		format = given[r.Key].text
	}
	if r.value.Set(format) != nil {
		return LogText
	}
	return c.LogFormat
}

// origin is a value as it was given, and where.
type origin struct{ text, from string }

// origins are the values given, by key.
type origins map[string]origin

func (o origins) from(key string) string {
	if g, ok := o[key]; ok {
		return g.from
	}
	return "default"
}

// collect takes the values from all sources, the weakest first.
func collect(src Source, rows []row) (origins, error) {
	env, err := fromEnviron(src.Environ, rows)
	if err != nil {
		return nil, err
	}
	flags, err := fromFlags(src.Flags, rows)
	if err != nil {
		return nil, err
	}
	given := origins{}
	if path := cmp.Or(flags[configKey].text, env[configKey].text); path != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			from := cmp.Or(flags[configKey].from, env[configKey].from)
			return nil, wrong(configKey, from, fmt.Errorf("the file cannot be read: %w", err))
		}
		if given, err = fromFile(path, string(data), rows); err != nil {
			return nil, err
		}
	}
	for _, stronger := range []origins{env, flags} {
		for key, o := range stronger {
			given[key] = o
		}
	}
	return given, nil
}

func fromFlags(flags map[string]string, rows []row) (origins, error) {
	given := origins{}
	for _, r := range rows {
		if text, ok := flags[r.Flag]; ok && r.Flag != "" {
			given[r.Key] = origin{text, "flag --" + r.Flag}
		}
	}
	for name := range flags {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.Flag == name && name != "" }) {
			return nil, unknown("flag", "--"+name, SuggestFlag(name))
		}
	}
	return given, nil
}

// values lists the settings in force; a secret's value does not show what it is.
func values(rows []row, given origins) []Value {
	out := make([]Value, len(rows))
	for i, r := range rows {
		v := Value{Setting: r.Setting, Text: r.value.String(), From: given.from(r.Key)}
		switch {
		case v.Text != "" || !r.Secret:
		case r.made:
			v.Text = "(kept in the data folder)"
		default:
			v.Text = "(not set)"
		}
		out[i] = v
	}
	return out
}

// wrong is the one line of a setting that cannot be used.
func wrong(key, from string, err error) error {
	return fmt.Errorf("setting %s (%s): %w", key, from, oneLine(err))
}

// oneLine keeps a cause that brings line breaks along, such as the TOML parser's, from breaking the promise of one
// line.
func oneLine(err error) error {
	if !strings.ContainsAny(err.Error(), "\r\n") {
		return err
	}
	return fmt.Errorf("%s", strings.Join(strings.Fields(err.Error()), " "))
}
