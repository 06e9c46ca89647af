package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// maxDays is a hundred years.
const maxDays = 36_500

// days is a number of days, which may be a part of one.
type days struct{ to *float64 }

func (d days) Set(s string) (err error) {
	*d.to, err = parseDays(s)
	return err
}

func (d days) String() string { return formatDays(*d.to) }

func parseDays(s string) (float64, error) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(n >= 0 && n <= maxDays) {
		return 0, fmt.Errorf("%q is not a number of days from 0 to %d", s, maxDays)
	}
	return n, nil
}

func formatDays(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// labelDays is a number of days for each of some labels: newsletter=30,code=1.
type labelDays map[string]float64

func (v *labelDays) Set(s string) error {
	*v = nil
	for _, one := range strings.Split(s, ",") {
		if strings.TrimSpace(one) == "" {
			continue
		}
		label, n, _ := strings.Cut(one, "=")
		label, err := mailbox.ParseLabel("label", label)
		if err != nil {
			return fmt.Errorf("%q is not a label with its days, such as newsletter=30", one)
		}
		if *v == nil {
			*v = labelDays{}
		}
		if (*v)[label], err = parseDays(n); err != nil {
			return err
		}
	}
	return nil
}

func (v *labelDays) String() string {
	var list []string
	for _, label := range slices.Sorted(maps.Keys(*v)) {
		list = append(list, label+"="+formatDays((*v)[label]))
	}
	return strings.Join(list, ",")
}
