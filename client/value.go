package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Time is a time as the service writes it: ISO 8601 in UTC with milliseconds. The zero time is null: never, or not known.
type Time struct{ time.Time }

const timeForm = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes null for the zero time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.UTC().AppendFormat(nil, `"`+timeForm+`"`), nil
}

// UnmarshalJSON reads any time of RFC 3339, or null.
func (t *Time) UnmarshalJSON(b []byte) error {
	t.Time = time.Time{}
	if bytes.Equal(b, []byte(`""`)) {
		return nil
	}
	return t.Time.UnmarshalJSON(b)
}

// NullString is a string that is null in JSON where there is nothing to say.
type NullString string

// MarshalJSON writes null for the empty string.
func (s NullString) MarshalJSON() ([]byte, error) {
	if s == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(s))
}

// NullInt is a number that is null in JSON where there is none.
type NullInt int

// MarshalJSON writes null for 0.
func (n NullInt) MarshalJSON() ([]byte, error) {
	if n == 0 {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(n), 10), nil
}

// Decimal is a number to the digit, such as the price 10.50; empty and null in JSON where it is not known.
type Decimal string

// MarshalJSON writes a number, or null.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return json.Marshal(json.Number(d))
}

// UnmarshalJSON reads a number, or null.
func (d *Decimal) UnmarshalJSON(b []byte) error {
	var n *json.Number
	if err := json.Unmarshal(b, &n); err != nil {
		return fmt.Errorf("read a number: %w", err)
	}
	*d = ""
	if n != nil {
		*d = Decimal(*n)
	}
	return nil
}
