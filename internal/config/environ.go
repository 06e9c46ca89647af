package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

const (
	prefix     = "MAILKIN_"
	fileSuffix = "_FILE"
)

// notOurs are variables with our prefix that are no settings of the server: the clients', the tests', and those that
// Kubernetes puts into every container where a service is called mailkin.
//
// QUIRK: MAILKIN_SERVICE_HOST, MAILKIN_PORT_2525_TCP_ADDR and such come from Kubernetes service links.
func notOurs(name string) bool {
	switch name {
	case "MAILKIN_URL", "MAILKIN_API_KEY", "MAILKIN_BINARY", "MAILKIN_CORPORA", "MAILKIN_PORT":
		return true
	}
	for _, p := range []string{"MAILKIN_TEST_", "MAILKIN_SERVICE_", "MAILKIN_PORT_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func fromEnviron(environ []string, rows []row) (origins, error) {
	vars := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		vars[name] = value
	}
	given := origins{}
	known := map[string]bool{}
	for _, r := range rows {
		known[r.Variable] = true
		if text, ok := vars[r.alias]; ok && r.alias != "" {
			given[r.Key] = origin{text, "variable " + r.alias}
		}
		if text, ok := vars[r.Variable]; ok {
			given[r.Key] = origin{text, "variable " + r.Variable}
		}
		if r.Secret {
			known[r.Variable+fileSuffix] = true
			if err := fromSecretFile(given, r, vars); err != nil {
				return nil, err
			}
		}
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range vars {
			if strings.HasPrefix(name, prefix) && !known[name] && !notOurs(name) && !yield(name) {
				return
			}
		}
	})
	if len(names) > 0 {
		return nil, unknown("variable", names[0], suggestVariable(names[0], rows))
	}
	return given, nil
}

// fromSecretFile takes a secret from the file that its second variable names, which is how container platforms hand
// secrets over.
func fromSecretFile(given origins, r row, vars map[string]string) error {
	name := r.Variable + fileSuffix
	path := vars[name]
	if path == "" {
		return nil
	}
	if vars[r.Variable] != "" {
		return wrong(r.Key, "variable "+name, fmt.Errorf("%s is set too; set one of the two", r.Variable))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return wrong(r.Key, "variable "+name, fmt.Errorf("the file cannot be read: %w", err))
	}
	given[r.Key] = origin{strings.TrimRight(string(data), "\r\n"), "variable " + name}
	return nil
}
