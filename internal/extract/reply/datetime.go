package reply

import "unicode/utf8"

// dateTime says whether there are a date and a time in s.
func dateTime(s string) evidence {
	var e evidence
	var last [3]number // the newest one last
	for i := 0; i < len(s) && e != hasDate|hasTime; {
		n, size := readNumber(s[i:])
		if size == 0 {
			_, size = utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		n.start, n.end = i, i+size
		i += size
		last[0], last[1], last[2] = last[1], last[2], n
		e |= dateIn(s, last) | timeIn(s, last[1], n)
	}
	return e
}

// number is a run of digits of one script.
type number struct{ value, digits, start, end int }

// readNumber reads the digits s begins with.
func readNumber(s string) (n number, size int) {
	for size < len(s) {
		d, w := digit(s[size:])
		if w == 0 {
			break
		}
		size += w
		n.digits++
		if n.digits <= 6 {
			n.value = n.value*10 + d
		}
	}
	return n, size
}

// zeros are the digits of other scripts: Arabic, Persian, Devanagari, Bengali, Thai, Burmese, Khmer, wide.
var zeros = [...]rune{0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x1040, 0x17e0, 0xff10}

// digit reads a digit of any script.
func digit(s string) (value, size int) {
	if c := s[0]; c < utf8.RuneSelf {
		if c >= '0' && c <= '9' {
			return int(c - '0'), 1
		}
		return 0, 0
	}
	r, n := utf8.DecodeRuneInString(s)
	for _, zero := range zeros {
		if r >= zero && r <= zero+9 {
			return int(r - zero), n
		}
	}
	return 0, 0
}

// dateIn says whether the newest number is a year (also a Buddhist or Persian one), or the third one of a date.
func dateIn(s string, n [3]number) evidence {
	y := n[2]
	if y.digits == 4 && (y.value >= 1970 && y.value < 2100 || y.value >= 2500 && y.value < 2650 ||
		y.value >= 1350 && y.value < 1450) {
		return hasDate
	}
	if y.digits == 2 && n[0].digits > 0 && n[0].digits <= 2 && n[1].digits <= 2 && parted(s, n[0], n[1]) && parted(s,
		n[1], y) {
		return hasDate
	}
	return 0
}

// parted says that two numbers stand together as in a date.
func parted(s string, a, b number) bool {
	gap := s[a.end:b.start]
	switch gap {
	case "/", ".", "-", ". ":
		return true
	}
	return false
}

// timeIn says whether two numbers are hours and minutes.
func timeIn(s string, h, m number) evidence {
	if h.digits == 0 || h.digits > 2 || m.digits != 2 || h.value > 24 || m.value > 59 {
		return 0
	}
	switch s[h.end:m.start] {
	case ":", "h", " h ", "：", "시 ", "时", "點", "点", "時":
		return hasTime
	case ".": // not within a date, nor within another number
		before := h.start > 0 && (s[h.start-1] == '.' || s[h.start-1] == ',')
		after := m.end+1 < len(s) && s[m.end] == '.' && s[m.end+1] >= '0' && s[m.end+1] <= '9'
		if !before && !after {
			return hasTime
		}
	}
	return 0
}
