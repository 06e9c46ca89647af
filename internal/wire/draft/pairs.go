package draft

import (
	"fmt"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// headers reads the object of further header fields.
func (r *reader) headers() error {
	const want = "an object of strings"
	r.draft.Headers = nil
	if none, err := r.null(); none || err != nil {
		return err
	}
	if _, err := r.next("headers", "{", want); err != nil {
		return err
	}
	list, err := r.pairs(bounds{"headers", want, headerEntries, headerBytes})
	r.draft.Headers = list
	return err
}

// bounds are of an object of strings.
type bounds struct {
	field, want   string
	entries, most int // most: bytes of names and values
}

// pairs reads an object of strings that is next, in its order.
func (r *reader) pairs(b bounds) ([]mailbox.Field, error) {
	var list []mailbox.Field
	room := b.most
	err := r.object(int64(b.most), func(raw []byte) error {
		if len(raw) > b.most {
			return tooLong(b.field, b.most)
		}
		name, err := text(b.field, raw)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(list, func(f mailbox.Field) bool { return f.Name == name }); i >= 0 {
			room += len(name) + len(list[i].Value)
			list = slices.Delete(list, i, i+1) // the last counts
		}
		if none, err := r.null(); none || err != nil {
			return err
		}
		if _, err := r.next(b.field, `"`, b.want); err != nil {
			return err
		}
		if len(list) == b.entries {
			return tooMany(b.field, b.entries)
		}
		if room < len(name) {
			return tooLong(b.field, b.most)
		}
		room -= len(name)
		value, err := r.share(b.field, b.most, &room)
		list = append(list, mailbox.Field{Name: name, Value: value})
		return err
	})
	return list, err
}

// tags reads a list of names or of objects with name and value, or an object of values by name.
func (r *reader) tags() error {
	const want = "a list of strings or of objects with name and value, or an object of strings"
	r.draft.Tags = nil
	if none, err := r.null(); none || err != nil {
		return err
	}
	c, err := r.next("tags", "[{", want)
	if err != nil {
		return err
	}
	if c == '{' {
		list, err := r.pairs(bounds{"tags", want, tagEntries, tagBytes})
		for _, f := range list {
			r.draft.Tags = append(r.draft.Tags, tag(f.Name, f.Value))
		}
		return err
	}
	room := tagBytes
	return r.array(func(i int) error {
		if i == tagEntries {
			return tooMany("tags", tagEntries)
		}
		value, err := r.tag(fmt.Sprintf("tags[%d]", i), &room)
		r.draft.Tags = append(r.draft.Tags, value)
		return err
	})
}

// tag reads one of a list of tags.
func (r *reader) tag(field string, room *int) (string, error) {
	c, err := r.next(field, `"{`, "a string, or an object with name and value")
	if err != nil {
		return "", err
	}
	if c == '"' {
		return r.share("tags", tagBytes, room)
	}
	var name, value string
	err = r.object(nameBytes, func(member []byte) error {
		switch string(member) {
		case "name":
			return r.word(field+".name", tagBytes, &name)
		case "value":
			return r.word(field+".value", tagBytes, &value)
		}
		return r.skip(skipDepth)
	})
	switch {
	case err != nil:
		return "", err
	case name == "":
		return "", invalid(field+".name", "The field %q is missing.", field+".name")
	case len(name)+len(value) > *room:
		return "", tooLong("tags", tagBytes)
	}
	*room -= len(name) + len(value)
	return tag(name, value), nil
}

func tag(name, value string) string {
	if value == "" {
		return name
	}
	return name + "=" + value
}
