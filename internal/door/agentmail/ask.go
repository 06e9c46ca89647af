package agentmail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

const (
	pageRows = 20
	pageMost = 100
)

// page reads which part of a list is wanted. More than the most is the most.
func page(c *door.Call) (service.Page, error) {
	p := service.Page{Limit: pageRows}
	if token := c.URL.Query().Get("page_token"); token != "" {
		var ok bool
		if p.Cursor, ok = unseal(c, token); !ok {
			return p, errToken
		}
	}
	text := c.URL.Query().Get("limit")
	if text == "" {
		return p, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return p, invalid("limit", "limit is a whole number above 0.")
	}
	p.Limit = min(n, pageMost)
	return p, nil
}

var errToken = invalid("page_token", "This page_token is not one of this list, with these filters; begin it again.")

// A page token is a cursor, and the list that it is of: the same route, inbox and filters. It is no secret: with
// another one a caller finds nothing that the key does not open.

// seal makes the page token of a cursor; none of none.
func seal(c *door.Call, cursor string) string {
	if cursor == "" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(append(listSum(c), cursor...))
}

// unseal is the cursor of a page token of this list.
func unseal(c *door.Call, token string) (string, bool) {
	b, err := base64.RawURLEncoding.DecodeString(token)
	sum := listSum(c)
	if err != nil || !bytes.HasPrefix(b, sum) {
		return "", false
	}
	return string(b[len(sum):]), true
}

func listSum(c *door.Call) []byte {
	filters := c.URL.Query()
	filters.Del("page_token")
	filters.Del("limit")
	sum := sha256.Sum256([]byte(c.Route.Path + "\n" + strings.ToLower(c.Value("inbox")) + "\n" +
		c.Value("direction") + "\n" + c.Value("type") + "\n" + filters.Encode()))
	return sum[:8]
}

// onePage cuts a list that is at hand whole. A token is the name of the last row of the page before.
func onePage[T any](c *door.Call, rows []T, name func(T) string) ([]T, paged, error) {
	p, err := page(c)
	if err != nil {
		return nil, paged{}, err
	}
	if p.Cursor != "" {
		last := slices.IndexFunc(rows, func(r T) bool { return name(r) == p.Cursor })
		if last < 0 {
			return nil, paged{}, errToken
		}
		rows = rows[last+1:]
	}
	out := paged{Count: min(len(rows), p.Limit), Limit: p.Limit}
	if len(rows) > p.Limit {
		rows, out.Next = rows[:p.Limit], seal(c, name(rows[p.Limit-1]))
	}
	return append([]T{}, rows...), out, nil
}

// flag reads a truth.
func flag(c *door.Call, name string) (bool, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return false, nil
	}
	v, err := strconv.ParseBool(strings.ToLower(text))
	if err != nil {
		return false, invalid(name, "%s is true or false.", name)
	}
	return v, nil
}

// moment reads a time, zero if it is not given.
func moment(c *door.Call, name string) (time.Time, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, strings.ReplaceAll(text, " ", "+"))
	if err != nil {
		return time.Time{}, invalid(name, "%s is a time like 2026-01-31T12:00:00Z.", name)
	}
	return t, nil
}

// list reads a list: one JSON text, or the name once for each value.
func list(c *door.Call, name string) ([]string, error) {
	var all []string
	for _, text := range c.URL.Query()[name] {
		if !strings.HasPrefix(text, "[") {
			all = append(all, text)
			continue
		}
		var some []string
		if json.Unmarshal([]byte(text), &some) != nil {
			return nil, invalid(name, "%s is a list of strings.", name)
		}
		all = append(all, some...)
	}
	return all, nil
}

// instant is a time as JSON has it; null is none.
type instant struct{ time.Time }

// UnmarshalJSON says of what is no time that it is of the wrong type.
func (t *instant) UnmarshalJSON(b []byte) error {
	if t.Time.UnmarshalJSON(b) != nil {
		return &json.UnmarshalTypeError{Value: "other than a time like 2026-01-31T12:00:00Z",
			Type: reflect.TypeFor[instant]()}
	}
	return nil
}

// words is a string or a list of strings.
type words []string

// UnmarshalJSON takes both.
func (w *words) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		if *w = nil; one != "" {
			*w = words{one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(w))
}
