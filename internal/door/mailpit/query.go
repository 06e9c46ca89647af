package mailpit

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/service"
)

// parts are the terms that look for a part of something.
var parts = map[string]catalogue.Field{
	"to": catalogue.To, "from": catalogue.From, "cc": catalogue.Cc, "bcc": catalogue.Bcc,
	"reply-to": catalogue.ReplyTo, "addressed": catalogue.Addressed, "subject": catalogue.Subject,
	"message-id": catalogue.MessageID, "tag": catalogue.Tag,
}

// states are the terms that are one word.
var states = map[string]service.CapturedTerm{
	"is:read": {Field: catalogue.Seen}, "is:unread": {Field: catalogue.Seen, Not: true},
	"is:tagged": {Field: catalogue.Tagged}, "has:inline": {Field: catalogue.Inline},
	"has:inlines": {Field: catalogue.Inline}, "has:attachment": {Field: catalogue.Attachments},
	"has:attachments": {Field: catalogue.Attachments},
}

// parseQuery reads Mailpit's language of search. What it does not understand it looks for as text, as Mailpit does;
// dates are in a zone.
func parseQuery(s string, zone *time.Location) (q service.CapturedQuery) {
	for _, word := range splitQuery(s) {
		not := len(word) > 1 && (word[0] == '-' || word[0] == '!')
		if not {
			word = word[1:]
		}
		t, ok := parseTerm(word, zone)
		if !ok {
			continue
		}
		t.Not = t.Not != not
		q.Terms = append(q.Terms, t)
	}
	return q
}

// parseTerm reads one term; false: it says nothing.
func parseTerm(word string, zone *time.Location) (t service.CapturedTerm, ok bool) {
	if t, ok = states[strings.ToLower(word)]; ok {
		return t, true
	}
	name, value, _ := strings.Cut(word, ":")
	name = strings.ToLower(name)
	if field, known := parts[name]; known {
		folded := catalogue.Fold(value)
		return service.CapturedTerm{Field: field, Value: folded}, folded != ""
	}
	switch name {
	case "after", "before":
		field := catalogue.After
		if name == "before" {
			field = catalogue.Before
		}
		at, ok := parseTime(value, zone)
		return service.CapturedTerm{Field: field, At: at}, ok
	case "larger", "smaller":
		if size := parseSize(value); size > 0 {
			field := catalogue.Larger
			if name == "smaller" {
				field = catalogue.Smaller
			}
			return service.CapturedTerm{Field: field, Size: size}, true
		}
	}
	folded := catalogue.Fold(word)
	return service.CapturedTerm{Field: catalogue.Text, Value: folded}, folded != ""
}

// splitQuery splits at spaces that are not between quotes, and leaves the quotes out.
func splitQuery(s string) (words []string) {
	quoted := false
	fields := strings.FieldsFunc(s, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
	for _, f := range fields {
		if f = strings.TrimSpace(strings.ReplaceAll(f, `"`, "")); f != "" {
			words = append(words, f)
		}
	}
	return words
}

var sizeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{1,12}(?:\.\d{1,6})?) ?([a-z]{0,2})$`)
})

// parseSize reads a number of bytes, as 2kb or 1.5M; 0: it is none.
func parseSize(s string) int64 {
	m := sizeForm().FindStringSubmatch(strings.ToLower(strings.TrimSpace(s)))
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseFloat(m[1], 64) // the form says that it is one
	switch m[2] {
	case "":
		return int64(n)
	case "k", "kb":
		return int64(n * (1 << 10))
	case "m", "mb":
		return int64(n * (1 << 20))
	}
	return 0
}

var timeForms = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04", "2006-01-02", "2006/01/02 15:04:05",
	"2006/01/02 15:04", "2006/01/02", "01/02/2006 15:04:05", "01/02/2006 15:04", "01/02/2006", "1/2/2006", "20060102",
	"2006-01", "2 Jan 2006 15:04:05", "2 Jan 2006", "Jan 2, 2006", "Jan 2 2006", "January 2, 2006", "2 January 2006",
	time.RFC1123Z, time.RFC1123}

// parseTime reads a date in one of many forms, or a number of seconds or milliseconds since 1970.
func parseTime(s string, zone *time.Location) (time.Time, bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && len(s) >= 10 {
		if len(s) >= 13 {
			return time.UnixMilli(n), true
		}
		return time.Unix(n, 0), true
	}
	for _, form := range timeForms {
		if t, err := time.ParseInLocation(form, s, zone); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// zoneOf is the zone of time that a request asks for, else that of the server.
func zoneOf(r *http.Request) *time.Location {
	if name := r.URL.Query().Get("tz"); name != "" && len(name) <= 64 {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return time.Local
}

// page is which part of a list a request asks for.
type page struct {
	start, limit int
	until        time.Time // zero: any
}

// pageOf reads it; what is wrong counts as not said.
func pageOf(r *http.Request) page {
	p := page{limit: 50}
	values := r.URL.Query()
	if n, err := strconv.Atoi(values.Get("start")); err == nil && n > 0 {
		p.start = n
	}
	if n, err := strconv.Atoi(values.Get("limit")); err == nil && n >= 0 {
		p.limit = n
	}
	if s := values.Get("before"); s != "" {
		p.until, _ = parseTime(s, time.Local)
	}
	return p
}
