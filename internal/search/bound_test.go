package search

import (
	"testing"
	"time"
)

func TestBounds(t *testing.T) {
	for _, c := range []struct{ query, bounds, meant string }{
		{"", "", ""},
		{"late parcel", "", "late parcel"},
		{"late parcel from:anna", "from:anna*", "late parcel"},
		{"subject:parcel", "subject:parcel*", "parcel"},
		{`"late parcel" refund`, `"late parcel"`, "late parcel refund"},
		{"parcel -refund", "-refund", "parcel"},
		{"parcel -(refund OR from:anna)", "-(refund OR from:anna)", "parcel"},
		{"parcel OR from:anna", "", "parcel"},
		{"from:anna OR from:ben parcel", "from:anna OR from:ben", "parcel"},
		{"parcel has:code is:unseen", "has:code is:unseen", "parcel"},
		{"filename:invoice", "filename:invoice*", ""},
	} {
		t.Run(c.query, func(t *testing.T) {
			q := Parse(c.query, time.Unix(0, 0))
			bounds, none := q.Bounds()
			if bounds.String() != c.bounds || none != (c.bounds == "") || q.Meant() != c.meant {
				t.Errorf("bounds %q (none: %v), meant %q; want %q, %q", bounds, none, q.Meant(), c.bounds, c.meant)
			}
		})
	}
}

// What matches a query is within its bounds.
func TestBoundsAreLooser(t *testing.T) {
	for _, query := range []string{"walrus", `"the walrus" tide`, "walrus -tide", "subject:walrus OR tide",
		"from:ann (subject:walrus OR to:ben)", "-(from:ann tide)"} {
		q := Parse(query, time.Unix(0, 0))
		bounds, _ := q.Bounds()
		whole, loose := NewMatcher(q), NewMatcher(bounds)
		for _, d := range []Mail{
			{Subject: "The walrus", Body: "Low tide."}, {Subject: "Tide", Body: "walrus"}, {Subject: "the walrus"},
			{Body: "tide"},
		} {
			doc := Doc{Tokens: d.Tokens(nil)}
			_, in := whole.Match(&doc)
			if _, within := loose.Match(&doc); in && !within {
				t.Errorf("%q matches %+v, and its bounds %q do not", query, d, bounds)
			}
		}
	}
}
