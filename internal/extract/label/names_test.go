package label

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// asked are names that the rules ask for, and some that they do not. All are ASCII.
var asked = slices.Concat(campaignFields.list, applicationFields.list, serviceFields.list,
	[]string{"List-Id", "List-Post", "List-Unsubscribe", "Precedence",
		"Auto-Submitted", "X-Autoreply", "Delivered-To", "In-Reply-To", "References", "Feedback-ID", "Content-Type",
		"Content-Class",
		"X-Auto-Response-Suppress", "X-Failed-Recipients", "Subject", "", "X"})

// A field is found in Fields as it is by asking for it.
func TestFieldsAndHeaderAgree(t *testing.T) {
	for i, name := range asked {
		for _, written := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			fields := []mailbox.Field{{Name: "From", Value: jo}, {Name: written, Value: " first "},
				{Name: name, Value: "second"}, {Name: asked[(i+7)%len(asked)], Value: "x"}}
			sameFields(t, fields)
		}
	}
	sameFields(t, nil)
	sameFields(t, []mailbox.Field{{Name: "x-\u212amail-Account", Value: "a sign for kelvin"}})
}

func sameFields(t *testing.T, fields []mailbox.Field) {
	t.Helper()
	detail := mailbox.Detail{Headers: fields}
	quick, plain := newView(Mail{Fields: fields}), newView(Mail{Header: detail.Header})
	for _, name := range asked {
		if got, want := quick.field(name), plain.field(name); got != want {
			t.Errorf("%q of %q: got %q, want %q", name, fields, got, want)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add("List-ID", "precedence", "bulk")
	f.Add("x-\u212amail-account", "", "\x00")
	f.Fuzz(func(t *testing.T, a, b, value string) {
		fields := []mailbox.Field{{Name: a, Value: value}, {Name: b, Value: "x"}}
		sameFields(t, fields)
		quick := Of(Mail{From: jo, EnvelopeFrom: jo, Subject: value, Fields: fields})
		plain := Of(Mail{From: jo, EnvelopeFrom: jo, Subject: value, Header: mailbox.Detail{Headers: fields}.Header})
		if !slices.Equal(quick, plain) {
			t.Errorf("with %q: got %q, want %q", fields, quick, plain)
		}
	})
}

// BenchmarkFields is a mail that goes through all rules, with the header of most.
func BenchmarkFields(b *testing.B) {
	m := Mail{From: jo, EnvelopeFrom: jo, Subject: "Lunch on Friday?", Types: []string{"text/plain"},
		Text: strings.Repeat("We could meet at the old place by the river, if it does not rain. ", 40)}
	for name := range strings.FieldsSeq("Received Received Return-Path DKIM-Signature From To Subject Date " +
		"Message-ID MIME-Version Content-Type X-Mailer") {
		m.Fields = append(m.Fields, mailbox.Field{Name: name, Value: "x"})
	}
	asking := m
	asking.Fields, asking.Header = nil, mailbox.Detail{Headers: m.Fields}.Header
	for name, m := range map[string]Mail{"fields": m, "header": asking} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Of(m)
			}
		})
	}
}
