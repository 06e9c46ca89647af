package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Time is a time as the service writes it: ISO 8601 in UTC with milliseconds. The zero time is null: never, or not
// known.
type Time struct{ time.Time }

// MarshalJSON writes null for the zero time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
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
	return Marshal(string(s))
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

// Headers are the header fields of a message in its order. In JSON they are an object from name to value.
type Headers []Header

// Header is a header field. The values of fields that come more than once are joined by a newline, under the name as it
// was first spelt.
type Header struct{ Name, Value string }

// Get returns the value of a field, by its name in any spelling; empty: there is none.
func (h Headers) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// MarshalJSON writes the object in the order of the fields.
func (h Headers) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for i, f := range h {
		if i > 0 {
			b.WriteByte(',')
		}
		err := enc.Encode(f.Name)
		b.WriteByte(':')
		if err = errors.Join(err, enc.Encode(f.Value)); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the object, or null.
func (h *Headers) UnmarshalJSON(b []byte) error {
	*h = nil
	dec := json.NewDecoder(bytes.NewReader(b))
	open, err := dec.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('{') {
		return fmt.Errorf("read headers: %v is not an object", open)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		f := Header{Name: name.(string)} // the name of a member always is
		if err := dec.Decode(&f.Value); err != nil {
			return fmt.Errorf("read headers: %w", err)
		}
		*h = append(*h, f)
	}
	return nil
}

// Marshal returns a value as the service writes it: as json.Marshal does, without the escapes for HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
