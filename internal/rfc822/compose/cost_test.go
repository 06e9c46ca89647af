package compose

import (
	"testing"

	"github.com/mailkin/mailkin/internal/costtest"
)

// No list of recipients costs much more than its bytes to read.
func TestAddressCost(t *testing.T) {
	for _, unit := range costtest.Units {
		for _, ends := range [][2]string{{"", ""}, {"a@b.c, ", " d@e.f"}, {`"a`, `" <a@b.c>`}, {"a <", ">"}} {
			s := costtest.Long(ends[0], unit, ends[1], 32<<10)
			why := costtest.Excess(len(s), func() {
				_, _ = ParseAddresses(s) // most are none
			})
			if why != "" {
				t.Errorf("%q, %q again and again, %q: %s", ends[0], unit, ends[1], why)
			}
		}
	}
}
