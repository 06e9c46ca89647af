package httpapi

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// fields are the members of a JSON body, each still as it was sent. Unknown ones are ignored; a known one of the
// wrong type is refused by name. A member that is null counts as not given, unless a handler says otherwise.
type fields map[string]json.RawMessage

// readFields reads a JSON body, which must be one object and nothing after it.
func (a *API) readFields(c *call) error {
	buf := a.buffer()
	defer a.release(buf)
	if err := c.read(buf); err != nil {
		return err
	}
	raw := bytes.TrimLeft(buf.Bytes(), " \t\r\n")
	if len(raw) == 0 && c.at.body == optionalObject {
		return nil
	}
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &c.fields) != nil {
		return badBody("The body is not a JSON object.")
	}
	return nil
}

// null tells whether a member is given as null.
func (f fields) null(name string) bool { return string(f[name]) == "null" }

// text is a string, nil if it is not given.
func (f fields) text(name string) (*string, error) {
	var value *string
	if err := f.read(name, &value, "a string"); err != nil || value == nil {
		return nil, err
	}
	return value, checkText(name, *value)
}

// word is a string that is empty if it is not given.
func (f fields) word(name string) (string, error) {
	value, err := f.text(name)
	if value == nil {
		return "", err
	}
	return *value, err
}

// wordNamed is word for answerTo.
func (f fields) wordNamed(name string) func() (string, error) {
	return func() (string, error) { return f.word(name) }
}

// flag is true or false, nil if it is not given.
func (f fields) flag(name string) (*bool, error) {
	var value *bool
	err := f.read(name, &value, "true or false")
	return value, err
}

// choice is true or false, or null for what the deployment says; nil if it is not given.
func (f fields) choice(name string) (*mailbox.Switch, error) {
	value, err := f.flag(name)
	if err != nil || f[name] == nil {
		return nil, err
	}
	chosen := mailbox.SwitchDefault
	if value != nil {
		chosen = map[bool]mailbox.Switch{true: mailbox.SwitchOn, false: mailbox.SwitchOff}[*value]
	}
	return &chosen, nil
}

// number is a whole number, nil if it is not given.
func (f fields) number(name string) (*int, error) {
	var value *int
	err := f.read(name, &value, "a whole number")
	return value, err
}

// moment is a time, zero if it is not given.
func (f fields) moment(name string) (time.Time, error) {
	value, err := f.text(name)
	if err != nil || value == nil {
		return time.Time{}, err
	}
	t, ok := parseTime(*value)
	if !ok {
		return time.Time{}, wrongType(name, "a time like 2026-01-31T12:00:00Z")
	}
	return t, nil
}

// texts is a list of strings, nil if it is not given.
func (f fields) texts(name string) ([]string, error) {
	var list []*string
	if err := f.read(name, &list, "a list of strings"); err != nil {
		return nil, err
	}
	values := make([]string, len(list))
	for i, value := range list {
		if value == nil {
			return nil, wrongType(name, "a list of strings")
		}
		if err := checkText(name, *value); err != nil {
			return nil, err
		}
		values[i] = *value
	}
	return values, nil
}

// ids is the list of ids that the member ids has.
func (f fields) ids() ([]mailbox.ID, error) {
	names, err := f.texts("ids")
	if err != nil || len(names) == 0 {
		return nil, err
	}
	ids := make([]mailbox.ID, len(names))
	for i, name := range names {
		var ok bool
		if ids[i], ok = mailbox.ParseID(name); !ok {
			return nil, mailbox.InvalidField("ids", "%q is not an id.", mailbox.Clip(name, 60))
		}
	}
	return ids, nil
}

func (f fields) read(name string, into any, want string) error {
	if raw := f[name]; raw != nil && json.Unmarshal(raw, into) != nil {
		return wrongType(name, want)
	}
	return nil
}

func wrongType(name, want string) error {
	return mailbox.InvalidField(name, "The field %q must be %s.", name, want)
}
