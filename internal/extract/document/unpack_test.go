package document

import (
	"strings"
	"testing"
	"time"
)

// Readings that share an allowance unpack no more than that together.
func TestSharedAllowance(t *testing.T) {
	left := int64(3 << 20)
	lim := DefaultLimits()
	lim.Unpack = &left
	bomb := "<a>" + strings.Repeat("<b/>", 400_000) + "</a>"
	var got []Status
	for range 4 {
		got = append(got, Read(t.Context(), Part{ContentType: "text/xml"}, strings.NewReader(bomb), lim).Status)
	}
	want := []Status{Done, TooLarge, TooLarge, TooLarge} // 1.6 MB each
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("statuses %v, want %v", got, want)
			break
		}
	}
}

// With a clock of its own a reading ends by that, however little time of day has passed.
func TestClockOfItsOwn(t *testing.T) {
	lim := DefaultLimits()
	lim.Time = time.Minute
	doc := "<a>" + strings.Repeat("<b/>", 100_000) + "end</a>"
	n := time.Duration(0)
	lim.Clock = func() time.Duration { n += time.Second; return n }
	if got := Read(t.Context(), Part{ContentType: "text/xml"}, strings.NewReader(doc), lim); got.Status == Done {
		t.Errorf("after its time: %+v", got)
	}
}
