package mailbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestParseLabel(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		ok             bool
	}{
		{"plain", "invoice", "invoice", true},
		{"lower-cased", "Invoice", "invoice", true},
		{"trimmed", " invoice ", "invoice", true},
		{"digits, hyphen, underscore", "2026-q1_paid", "2026-q1_paid", true},
		{"32 characters", strings.Repeat("a", 32), strings.Repeat("a", 32), true},
		{"33 characters", strings.Repeat("a", 33), "", false},
		{"empty", "", "", false},
		{"begins with a hyphen", "-a", "", false},
		{"begins with an underscore", "_a", "", false},
		{"space inside", "a b", "", false},
		{"comma", "a,b", "", false},
		{"letters of another alphabet", "счёт", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := mailbox.ParseLabel("add_labels", tt.in)
			if (err == nil) != tt.ok || got != tt.want {
				t.Errorf("got %q, %v; want %q, ok %v", got, err, tt.want, tt.ok)
			}
			if err != nil && mailbox.KindOf(err) != mailbox.Invalid {
				t.Errorf("kind %v, want Invalid", mailbox.KindOf(err))
			}
		})
	}
}

func TestAutomaticLabelsAreLabels(t *testing.T) {
	for _, l := range mailbox.AutomaticLabels() {
		if got, err := mailbox.ParseLabel("label", l); err != nil || got != l {
			t.Errorf("%q: got %q, %v", l, got, err)
		}
	}
}

func TestRelabel(t *testing.T) {
	for _, tt := range []struct {
		name                      string
		labels, add, remove, want []string
	}{
		{"nothing", nil, nil, nil, nil},
		{"add", []string{"b"}, []string{"a"}, nil, []string{"a", "b"}},
		{"add what is there", []string{"a"}, []string{"a", "a"}, nil, []string{"a"}},
		{"remove", []string{"a", "b"}, nil, []string{"a"}, []string{"b"}},
		{"remove what is not there", []string{"a"}, nil, []string{"z"}, []string{"a"}},
		{"add and remove the same: it is gone", []string{"b"}, []string{"a"}, []string{"a"}, []string{"b"}},
		{"remove the last", []string{"a"}, nil, []string{"a"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.labels)
			got := mailbox.Relabel(tt.labels, tt.add, tt.remove)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if !slices.Equal(tt.labels, before) {
				t.Errorf("the message's own labels became %v", tt.labels)
			}
		})
	}
}

func TestTags(t *testing.T) {
	labels := mailbox.Retag([]string{"code", mailbox.TagLabel("old")}, []string{"My Tag", "code", "x.y@z"})
	if want := []string{"My Tag", "code", "x.y@z"}; !slices.Equal(mailbox.Tags(labels), want) {
		t.Errorf("tags %q of %q, want %q", mailbox.Tags(labels), labels, want)
	}
	if !slices.Contains(labels, "code") {
		t.Errorf("the label is gone: %q", labels)
	}
	for _, l := range labels { // a store keeps them with spaces in between
		if strings.Contains(l, " ") {
			t.Errorf("%q has a space", l)
		}
	}
	for _, tt := range [][2]string{{" a  b ", "a b"}, {"a/b+ü", "a b"}, {"//", ""},
		{strings.Repeat("x", 99) + " yz", strings.Repeat("x", 99)}} {
		if got := mailbox.CleanTag(tt[0]); got != tt[1] {
			t.Errorf("%q is kept as %q, want %q", tt[0], got, tt[1])
		}
	}
}
