package draft

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

var errWrong = errors.New("wrong")

// members is an object as encoding/json takes it apart.
type members map[string]json.RawMessage

// oracle reads a body with encoding/json. It knows no bounds.
func oracle(body []byte, kind Kind) (result, error) {
	var m members
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' || json.Unmarshal(body, &m) != nil {
		return result{}, errWrong
	}
	if reply, has := m["replyTo"]; has {
		m["reply_to"] = reply
	}
	d := mailbox.Draft{Body: sha256.Sum256(body)}
	d.HasText, d.HasHTML = m.given("text"), m.given("html")
	errs := []error{
		m.word("from", &d.From), m.word("subject", &d.Subject), m.word("text", &d.Text), m.word("html", &d.HTML),
		m.list("to", &d.To), m.list("cc", &d.Cc), m.list("bcc", &d.Bcc), m.list("reply_to", &d.ReplyTo),
		m.headers(&d.Headers), m.tags(&d.Tags), m.moment("send_at", &d.SendAt), m.flag("dry_run", &d.DryRun),
	}
	switch kind {
	case Send:
		errs = append(errs, m.word("in_reply_to", &d.InReplyTo))
	case Reply:
		errs = append(errs, m.flag("all", &d.All), m.flag("force", &d.Force))
		fallthrough
	case Forward:
		errs = append(errs, m.word("email_id", &d.EmailID))
	}
	files, err := m.attachments()
	return result{Draft: d, Files: files}, errors.Join(append(errs, err)...)
}

func (m members) given(name string) bool { return m[name] != nil && string(m[name]) != "null" }

func (m members) read(name string, into any) error {
	if !m.given(name) {
		return nil
	}
	return json.Unmarshal(m[name], into)
}

func (m members) word(name string, into *string) error {
	if err := m.read(name, into); err != nil || strings.Contains(*into, "\x00") {
		return errWrong
	}
	return nil
}

func (m members) flag(name string, into *bool) error { return m.read(name, into) }

func (m members) moment(name string, into *time.Time) error {
	var s string
	if err := m.word(name, &s); err != nil || !m.given(name) {
		return err
	}
	t, ok := ParseTime(s)
	if !ok {
		return errWrong
	}
	*into = t
	return nil
}

func (m members) list(name string, into *[]string) error {
	var one string
	if m.given(name) && m.word(name, &one) == nil {
		*into = []string{one}
		return nil
	}
	var list []json.RawMessage
	err := m.read(name, &list)
	for _, raw := range list {
		value, bad := text1(raw)
		err = errors.Join(err, bad)
		*into = append(*into, value)
	}
	return err
}

// text1 is a string that must be one.
func text1(raw json.RawMessage) (string, error) {
	m := members{"x": raw}
	if !m.given("x") {
		return "", errWrong
	}
	var s string
	err := m.word("x", &s)
	return s, err
}

func (m members) pairs(name string) ([]mailbox.Field, error) {
	var values members
	err := m.read(name, &values)
	var list []mailbox.Field
	for _, key := range slices.Sorted(maps.Keys(values)) {
		var value string
		err = errors.Join(err, values.word(key, &value))
		if strings.Contains(key, "\x00") {
			err = errWrong
		}
		if values.given(key) {
			list = append(list, mailbox.Field{Name: key, Value: value})
		}
	}
	return list, err
}

func (m members) headers(into *[]mailbox.Field) error {
	list, err := m.pairs("headers")
	*into = list
	return err
}

func (m members) tags(into *[]string) error {
	if pairs, err := m.pairs("tags"); err == nil {
		for _, p := range pairs {
			*into = append(*into, tag(p.Name, p.Value))
		}
		return nil
	}
	var list []json.RawMessage
	err := m.read("tags", &list)
	for _, raw := range list {
		value, bad := text1(raw)
		var pair members
		if bad != nil && raw[0] == '{' && json.Unmarshal(raw, &pair) == nil {
			var name, of string
			bad = errors.Join(pair.word("name", &name), pair.word("value", &of))
			if value = tag(name, of); name == "" {
				bad = errWrong
			}
		}
		err = errors.Join(err, bad)
		*into = append(*into, value)
	}
	return err
}

func (m members) attachments() ([]opened, error) {
	var list []json.RawMessage
	err := m.read("attachments", &list)
	var files []opened
	for _, raw := range list {
		var a members
		if json.Unmarshal(raw, &a) != nil || !a.given("content") {
			return nil, errWrong
		}
		if kind, has := a["contentType"]; has {
			a["content_type"] = kind
		}
		var f opened
		var content string
		err = errors.Join(err, a.word("filename", &f.Filename), a.word("content_type", &f.ContentType),
			a.word("content_id", &f.ContentID), a.word("content", &content))
		data, bad := decodeAny(content)
		err = errors.Join(err, bad)
		f.Content = string(data)
		files = append(files, f)
	}
	return files, err
}

func decodeAny(s string) ([]byte, error) {
	s = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "-", "+", "_", "/").Replace(s)
	if strings.Contains(s, "=") {
		return base64.StdEncoding.DecodeString(s)
	}
	return base64.RawStdEncoding.DecodeString(s)
}

// ambiguous tells whether an object in a valid body has two members for the same thing.
func ambiguous(body []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	found := false
	var value func()
	value = func() {
		token, err := dec.Token()
		open, _ := token.(json.Delim)
		if err != nil || open != '{' && open != '[' {
			return
		}
		seen := map[string]bool{}
		for dec.More() {
			if open == '{' {
				name, _ := dec.Token()
				key := strings.ToLower(strings.ReplaceAll(name.(string), "_", ""))
				found = found || seen[key]
				seen[key] = true
			}
			value()
		}
		_, _ = dec.Token() // the bracket; the body is valid
	}
	value()
	return found
}
