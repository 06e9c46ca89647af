package wire

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Headers writes itself as an object from name to value, in the message's order. Fields that come more than once are
// joined by a newline under the name as it was first spelt.
type Headers []mailbox.Field

// MarshalJSON implements json.Marshaler.
func (h Headers) MarshalJSON() ([]byte, error) {
	names, values := h.joined()
	dst := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, name)
		dst = append(dst, ':')
		for j, v := range values[i] {
			if j == 0 {
				dst = append(dst, '"')
			} else {
				dst = append(dst, '\\', 'n')
			}
			dst = appendEscaped(dst, v)
		}
		dst = append(dst, '"')
	}
	return append(dst, '}'), nil
}

func (h Headers) joined() (names []string, values [][]string) {
	place := make(map[string]int, len(h))
	for _, f := range h {
		key := strings.ToLower(f.Name)
		i, seen := place[key]
		if !seen {
			i = len(names)
			place[key] = i
			names, values = append(names, f.Name), append(values, nil)
		}
		values[i] = append(values[i], f.Value)
	}
	return names, values
}
