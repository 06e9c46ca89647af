package draft

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"
)

// next tells with which of the given bytes the value begins that is next: a field of another type is refused.
func (r *reader) next(field, begins, want string) (byte, error) {
	c, err := r.token()
	switch {
	case err != nil:
		return 0, err
	case strings.IndexByte(begins, c) >= 0:
		return c, nil
	case strings.IndexByte(`"{[tfn-0123456789`, c) >= 0:
		return 0, wrongType(field, want)
	}
	return 0, notObject()
}

// word reads a short string.
func (r *reader) word(field string, limit int, into *string) error {
	*into = ""
	if none, err := r.null(); none || err != nil {
		return err
	}
	if _, err := r.next(field, `"`, "a string"); err != nil {
		return err
	}
	value, err := r.share(field, limit, &limit)
	*into = value
	return err
}

// share reads a string that is next and takes its bytes from the room that is left of most bytes.
func (r *reader) share(field string, most int, room *int) (string, error) {
	raw, err := r.str(int64(*room))
	if err != nil {
		return "", err
	}
	if len(raw) > *room {
		return "", tooLong(field, most)
	}
	value, err := text(field, raw)
	if len(value) > *room {
		return "", tooLong(field, most)
	}
	*room -= len(value)
	return value, err
}

// text makes text of the bytes of a string. What is not UTF-8 is replaced byte by byte, as encoding/json does. A NUL is
// refused, as in every field of the interface: no header, text or store can hold one.
func text(field string, raw []byte) (string, error) {
	switch {
	case bytes.IndexByte(raw, 0) >= 0:
		return "", invalid(field, "The value of %q is not UTF-8 text.", field)
	case utf8.Valid(raw):
		return string(raw), nil
	}
	return strings.Map(func(c rune) rune { return c }, string(raw)), nil
}

// body reads text or html.
func (r *reader) body(field string, limit int64, into *string, has *bool) error {
	*into, *has = "", false
	if none, err := r.null(); none || err != nil {
		return err
	}
	if _, err := r.next(field, `"`, "a string"); err != nil {
		return err
	}
	raw, err := r.str(limit)
	switch {
	case err != nil:
		return err
	case int64(len(raw)) > limit:
		return tooLarge(field, field+"_too_large", limit)
	}
	value, err := text(field, raw)
	switch {
	case err != nil:
		return err
	case int64(len(value)) > limit:
		return tooLarge(field, field+"_too_large", limit)
	}
	*into, *has = value, true
	if most := r.lim.MessageBytes; r.size() > most {
		return messageTooLarge(most)
	}
	return nil
}

// flag reads true or false.
func (r *reader) flag(field string, into *bool) error {
	*into = false
	if none, err := r.null(); none || err != nil {
		return err
	}
	c, err := r.next(field, "tf", "true or false")
	if err != nil {
		return err
	}
	if c == 'f' {
		return r.literal("false")
	}
	*into = true
	return r.literal("true")
}

// moment reads a time.
func (r *reader) moment(field string, into *time.Time) error {
	*into = time.Time{}
	if none, err := r.null(); none || err != nil {
		return err
	}
	var value string
	if err := r.word(field, timeBytes, &value); err != nil {
		return err
	}
	t, ok := ParseTime(value)
	if !ok {
		return invalid(field, "The value of %q is a time like 2026-01-31T12:00:00Z.", field)
	}
	*into = t
	return nil
}

// list reads addresses: one string, or a list of strings.
func (r *reader) list(field string, into *[]string) error {
	const want = "a string or a list of strings"
	*into = nil
	if none, err := r.null(); none || err != nil {
		return err
	}
	c, err := r.next(field, `"[`, want)
	if err != nil {
		return err
	}
	room := listBytes
	add := func(i int) error {
		if i == listEntries {
			return tooMany(field, listEntries)
		}
		if _, err := r.next(field, `"`, want); err != nil {
			return err
		}
		value, err := r.share(field, listBytes, &room)
		*into = append(*into, value)
		return err
	}
	if c == '"' {
		return add(0)
	}
	return r.array(add)
}
