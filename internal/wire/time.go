package wire

import "time"

// Time writes itself as ISO 8601 in UTC with milliseconds; the zero time is null.
type Time time.Time

// IsZero is for fields that are left out where there is nothing to say.
func (t Time) IsZero() bool { return time.Time(t).IsZero() }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return appendTime(make([]byte, 0, len(`"2006-01-02T15:04:05.000Z"`)), time.Time(t)), nil
}

func appendTime(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	dst = append(dst, '"')
	dst = appendDigits(dst, year, 4)
	dst = append(dst, '-')
	dst = appendDigits(dst, int(month), 2)
	dst = append(dst, '-')
	dst = appendDigits(dst, day, 2)
	dst = append(dst, 'T')
	dst = appendDigits(dst, hour, 2)
	dst = append(dst, ':')
	dst = appendDigits(dst, minute, 2)
	dst = append(dst, ':')
	dst = appendDigits(dst, second, 2)
	dst = append(dst, '.')
	dst = appendDigits(dst, t.Nanosecond()/1e6, 3)
	return append(dst, 'Z', '"')
}

// appendDigits writes the last n decimal digits of v.
func appendDigits(dst []byte, v, n int) []byte {
	end := len(dst) + n
	for range n {
		dst = append(dst, '0')
	}
	for i := end - 1; v > 0 && i >= end-n; i-- {
		dst[i] += byte(v % 10)
		v /= 10
	}
	return dst
}
