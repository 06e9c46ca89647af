package httpapi

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	drafts "github.com/mailkin/mailkin/internal/wire/draft"
)

// params are the parameters of a request. Where one is given more than once, the first counts, and an empty one
// counts as not given. Unknown ones are ignored.
type params url.Values

func parseParams(query string) (params, error) {
	if query == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return params(values), mailbox.Errorf(mailbox.Invalid, "invalid_query", "The parameters of the address are "+
			"not well encoded.")
	}
	return params(values), nil
}

func (p params) first(name string) string { return url.Values(p).Get(name) }

// text is a parameter as it is.
func (p params) text(name string) (string, error) {
	value := p.first(name)
	return value, checkText(name, value)
}

// named is a parameter, and where its text goes.
type named struct {
	name string
	into *string
}

// texts reads several texts.
func (p params) texts(list ...named) (err error) {
	for _, n := range list {
		if *n.into, err = p.text(n.name); err != nil {
			return err
		}
	}
	return nil
}

// words is what somebody searches for. Whatever it is, it is searched for: what no mail can hold counts as a space.
func (p params) words(name string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(p.first(name), " "), "\x00", " ")
}

// checkText refuses what no name, address or search can hold, and no store either.
func checkText(field, value string) error {
	if !utf8.ValidString(value) || strings.IndexByte(value, 0) >= 0 {
		return mailbox.InvalidField(field, "The value of %q is not UTF-8 text.", field)
	}
	return nil
}

// mailbox is the mailbox that the request names, with the parameter mailbox or its alias to.
func (p params) mailbox() (string, error) {
	named := ""
	for _, name := range []string{"mailbox", "to"} {
		for _, value := range p[name] {
			switch value = strings.TrimSpace(value); {
			case checkText(name, value) != nil:
				return "", checkText(name, value)
			case named == "":
				named = value
			case value != "" && !strings.EqualFold(value, named):
				return "", mailbox.InvalidField(name, "The parameters name two different mailboxes; name one.")
			}
		}
	}
	return named, nil
}

// flag is a yes or no, nil if it is not given.
func (p params) flag(name string) (*bool, error) {
	var value bool
	switch p.first(name) {
	case "":
		return nil, nil
	case "true", "1":
		value = true
	case "false", "0":
	default:
		return nil, mailbox.InvalidField(name, "The value of %q is true or false.", name)
	}
	return &value, nil
}

// set is a yes or no that is no if it is not given.
func (p params) set(name string) (bool, error) {
	flag, err := p.flag(name)
	return flag != nil && *flag, err
}

// moment is a time, zero if it is not given. One that is given never is: many languages have the year 1 as their
// earliest time.
func (p params) moment(name string) (time.Time, error) {
	value := p.first(name)
	if value == "" {
		return time.Time{}, nil
	}
	t, ok := parseTime(value)
	if !ok {
		return time.Time{}, mailbox.InvalidField(name, "The value of %q is a time like 2026-01-31T12:00:00Z.", name)
	}
	if t.IsZero() {
		t = t.Add(1)
	}
	return t, nil
}

// parseTime reads any time of RFC 3339.
func parseTime(s string) (time.Time, bool) {
	if n := len(s); n > 6 && s[n-6] == ' ' {
		// QUIRK: a plus that was not escaped in a query; most HTTP clients when used without care
		s = s[:n-6] + "+" + s[n-5:]
	}
	return drafts.ParseTime(s)
}

// Limits of a list (API 1).
const (
	defaultLimit = 20
	maxLimit     = 100
)

// page is which part of a list is asked for.
func (p params) page() (service.Page, error) {
	limit, err := p.limit()
	if err != nil {
		return service.Page{}, err
	}
	cursor, err := p.text("cursor")
	if err != nil {
		return service.Page{}, err
	}
	page := service.Page{Limit: limit, Cursor: cursor}
	offset := p.first("offset")
	if offset == "" {
		return page, nil
	}
	if page.Offset, err = strconv.Atoi(offset); err != nil || page.Offset < 0 {
		return service.Page{}, mailbox.InvalidField("offset", "The offset is a number from 0.")
	}
	if cursor != "" {
		return service.Page{}, mailbox.InvalidField("cursor", "A list goes on from an offset or from a cursor, not "+
			"from both.")
	}
	return page, nil
}

func (p params) limit() (int, error) {
	value := p.first("limit")
	if value == "" {
		return defaultLimit, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil && !errors.Is(err, strconv.ErrRange) || n < 1 {
		return 0, mailbox.InvalidField("limit", "The limit is a number from 1; more than %d is taken as %d.", maxLimit,
			maxLimit)
	}
	return min(n, maxLimit), nil
}

// spans is how many days or hours are asked for: 0 if it is not said.
func (p params) spans(name string) (int, error) {
	value := p.first(name)
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, mailbox.InvalidField(name, "%s is a number from 1.", name)
	}
	return n, nil
}

// id is the thing that the parameter id names. What is not one of our ids is not there, like any other that is not.
func (p params) id(noun string) (mailbox.ID, error) {
	value := p.first("id")
	if value == "" {
		return mailbox.ID{}, mailbox.InvalidField("id", "The parameter id is missing.")
	}
	if err := checkText("id", value); err != nil {
		return mailbox.ID{}, err
	}
	return parseID(noun, value)
}

func parseID(noun, value string) (mailbox.ID, error) {
	id, ok := mailbox.ParseID(value)
	if !ok {
		return mailbox.ID{}, mailbox.Errorf(mailbox.NotFound, "not_found", "%s not found", noun)
	}
	return id, nil
}
