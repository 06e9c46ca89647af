package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are the endings of a size, the longer before those they end with. KB is 1,000 bytes, as in SPEC 8 (API 7); who
// means 1,024 writes KiB.
var units = []struct {
	name  string
	bytes int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"B", 1},
}

// size is a number of bytes above zero.
type size int64

func (v *size) Set(s string) error {
	n, err := parseSize(s)
	if err == nil && n == 0 {
		err = errors.New("it is 0: a size must be at least 1 byte")
	}
	*v = size(n)
	return err
}

func (v *size) String() string { return formatSize(int64(*v)) }

// sizeOrNone is a size that may be 0, for none.
type sizeOrNone int64

func (v *sizeOrNone) Set(s string) error {
	n, err := parseSize(s)
	*v = sizeOrNone(n)
	return err
}

func (v *sizeOrNone) String() string { return formatSize(int64(*v)) }

func parseSize(s string) (int64, error) {
	digits, unit := strings.TrimSpace(s), int64(1)
	for _, u := range units {
		if n := len(digits) - len(u.name); n > 0 && strings.EqualFold(digits[n:], u.name) {
			digits, unit = strings.TrimSpace(digits[:n]), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q is not a size: use a whole number of bytes, or one with KB, MB, GB, KiB, MiB or "+
			"GiB, such as 500KB", s)
	}
	return n * unit, nil
}

// formatSize writes a size with the largest decimal unit that divides it.
func formatSize(n int64) string {
	for i := len(units) - 2; i >= 0; i-- {
		if u := units[i]; u.bytes%1000 == 0 && n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// freeSpace is a size, a percentage, or both.
type freeSpace FreeSpace

func (f *freeSpace) Set(s string) error {
	var out freeSpace
	for item := range strings.SplitSeq(s, ",") {
		item = strings.TrimSpace(item)
		number, isPercent := strings.CutSuffix(item, "%")
		if !isPercent {
			n, err := parseSize(item)
			if err != nil || out.Bytes != 0 {
				return fmt.Errorf("%q is not free space: use a size, a percentage, or both, such as 1GB,5%%", s)
			}
			out.Bytes = uint64(n)
			continue
		}
		p, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(p >= 0 && p < 100) || out.Percent != 0 {
			return fmt.Errorf("%q is not free space: a percentage is at least 0 and below 100, such as 5%%", s)
		}
		out.Percent = p
	}
	*f = out
	return nil
}

func (f *freeSpace) String() string {
	percent := strconv.FormatFloat(f.Percent, 'f', -1, 64) + "%"
	switch {
	case f.Percent == 0:
		return formatSize(int64(f.Bytes))
	case f.Bytes == 0:
		return percent
	}
	return formatSize(int64(f.Bytes)) + "," + percent
}
