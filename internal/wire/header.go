package wire

import (
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// headers joins fields that come more than once by a newline, under the name as it was first spelt.
func headers(list []mailbox.Field) api.Headers {
	place, values := make(map[string]int, len(list)), make([][]string, 0, len(list))
	out := make(api.Headers, 0, len(list))
	for _, f := range list {
		key := strings.ToLower(f.Name)
		i, seen := place[key]
		if !seen {
			i = len(out)
			place[key] = i
			out, values = append(out, api.Header{Name: f.Name}), append(values, nil)
		}
		values[i] = append(values[i], f.Value)
	}
	for i := range out {
		out[i].Value = strings.Join(values[i], "\n")
	}
	return out
}
