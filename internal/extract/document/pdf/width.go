package pdf

import "strings"

// widths of codes, in the size of the font. Widths only decide where words part, so that a table that is missing is
// replaced by one of a common font.
type widths struct {
	table   map[uint32]float32
	ranges  []widthRange
	unknown float64
	typical *[95]int16 // of the printable characters of ASCII, in thousandths
}

type widthRange struct {
	lo, hi uint32
	width  float32
}

// Bounds of widths.
const (
	maxWidths  = 1 << 16
	widthBytes = 24
)

func (w *widths) of(code uint32) float64 {
	if v, ok := w.table[code]; ok {
		return float64(v)
	}
	for _, r := range w.ranges {
		if code >= r.lo && code <= r.hi {
			return float64(r.width)
		}
	}
	if w.typical != nil && code >= ' ' && code < 0x7f {
		return float64(w.typical[code-' ']) / 1000
	}
	return w.unknown
}

// simpleWidths are given for the codes from the first to the last.
func (f *file) simpleWidths(d dict) widths {
	w := widths{unknown: 0.5}
	scale := 0.001
	if f.name(d["Subtype"]) == "Type3" {
		if m, ok := f.numbers(d["FontMatrix"], 6); ok && m[0] != 0 {
			scale = m[0]
		}
	}
	list := f.array(d["Widths"])
	firstCode := max(0, integer(f.resolve(d["FirstChar"])))
	if list == nil {
		w.typical, w.unknown = typicalWidths(string(f.name(d["BaseFont"])))
		return w
	}
	if m, ok := f.resolve(f.dict(d["FontDescriptor"])["MissingWidth"]).(float64); ok && m > 0 {
		w.unknown = m * scale
	}
	w.table = map[uint32]float32{}
	for i, o := range list[:min(len(list), 256)] {
		if v, ok := f.resolve(o).(float64); ok {
			w.table[uint32(firstCode+i)] = float32(v * scale)
		}
	}
	return w
}

// compositeWidths are given by glyph (ISO 32000 9.7.4.3): "c [w w w]" from c on, or "c d w" from c to d.
func (f *file) compositeWidths(d dict) widths {
	w := widths{unknown: 1, table: map[uint32]float32{}}
	if v, ok := f.resolve(d["DW"]).(float64); ok {
		w.unknown = v / 1000
	}
	list := f.array(d["W"])
	for i := 0; i+1 < len(list) && len(w.table) < maxWidths && f.bud.Step(); {
		lo := uint32(max(0, integer(f.resolve(list[i]))))
		second := f.resolve(list[i+1])
		if ws, ok := second.(array); ok {
			if !f.bud.Take(widthBytes * len(ws)) {
				break
			}
			for k, v := range ws[:min(len(ws), maxWidths)] {
				w.table[lo+uint32(k)] = float32(number(f.resolve(v)) / 1000)
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			break
		}
		f.addWidths(&w, lo, uint32(max(0, integer(second))), number(f.resolve(list[i+2]))/1000)
		i += 3
	}
	return w
}

// addWidths keeps a range: short ones one by one, because ranges are looked through.
func (f *file) addWidths(w *widths, lo, hi uint32, v float64) {
	switch {
	case hi >= lo && hi-lo < 64 && f.bud.Take(widthBytes*int(hi-lo+1)):
		for c := lo; c <= hi; c++ {
			w.table[c] = float32(v)
		}
	case hi > lo && len(w.ranges) < 64:
		w.ranges = append(w.ranges, widthRange{lo, hi, float32(v)})
	}
}

// typicalWidths are those of the fonts that every reader has and that documents need not bring (ISO 32000 9.6.2.2).
func typicalWidths(font string) (*[95]int16, float64) {
	font = strings.ToLower(font)
	switch {
	case strings.Contains(font, "courier"), strings.Contains(font, "mono"):
		return nil, 0.6
	case strings.Contains(font, "times"), strings.Contains(font, "serif") && !strings.Contains(font, "sans"):
		return &romanWidths, 0.5
	}
	return &sansWidths, 0.556
}

// sansWidths are those of Helvetica.
var sansWidths = [95]int16{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// romanWidths are those of Times.
var romanWidths = [95]int16{
	250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
	500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
	921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
	556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
	333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
	500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
}
