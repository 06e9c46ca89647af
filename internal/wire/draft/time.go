package draft

import (
	"strings"
	"time"
)

// ParseTime reads any time of RFC 3339, also in the parameters of a request.
func ParseTime(s string) (time.Time, bool) {
	b := []byte(strings.ToUpper(s)) // RFC 3339 5.6: t and z may be small
	if len(b) < len("2006-01-02T15:04:05Z") || b[13] != ':' || b[19] == ',' {
		return time.Time{}, false // time.Time takes an hour of one digit and a decimal comma
	}
	leap := string(b[17:19]) == "60"
	if leap {
		copy(b[17:], "59")
	}
	var t time.Time
	if err := t.UnmarshalText(b); err != nil {
		return time.Time{}, false
	}
	if leap {
		t = t.Add(time.Second)
	}
	return t.UTC(), true
}
