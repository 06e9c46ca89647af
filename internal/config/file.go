package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// fromFile reads a settings file: TOML without tables, one key per setting. A list may be an array or a string with
// commas; sizes and durations are strings, or numbers where no unit is needed.
func fromFile(path, data string, rows []row) (origins, error) {
	var doc map[string]any
	if _, err := toml.Decode(data, &doc); err != nil {
		return nil, wrong(configKey, "file "+path, err)
	}
	keys := map[string]bool{}
	for _, r := range rows {
		keys[r.Key] = true
	}
	given := origins{}
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		from := key + " in " + path
		if key == configKey {
			return nil, wrong(key, from, errors.New("a settings file cannot name another"))
		}
		if !keys[key] {
			return nil, unknown("key", from, suggestKey(key, rows))
		}
		text, err := tomlText(doc[key])
		if err != nil {
			return nil, wrong(key, from, err)
		}
		given[key] = origin{text, from}
	}
	return given, nil
}

// tomlText returns a TOML value as the text that a variable would have.
func tomlText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int64, float64, bool:
		return fmt.Sprint(v), nil
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			s, ok := item.(string)
			if !ok {
				return "", errors.New("a list may hold only strings")
			}
			items[i] = s
		}
		return strings.Join(items, ","), nil
	}
	return "", errors.New("write a string, a number, true or false, or a list of strings")
}
