package rfc822

// Limits bound what one message may cost. A zero field means its default.
type Limits struct {
	Depth        int   // nesting of multiparts and messages; what is deeper is one opaque part
	Parts        int   // leaf parts and nested messages; what comes after them is not looked at
	HeaderBytes  int   // of one header block; a single field keeps at most half of it
	HeaderFields int   // of one header block
	Text         int64 // bytes of Message.Text
	HTML         int64 // bytes of Message.HTML

	// Skim leaves attachments as they are: nothing is decoded that is no text of the body. Their Size and SHA256, and
	// what they add to DecodedSize, stay zero; everything else is as without it. It is for a message that will be read
	// again.
	Skim bool

	// Digest makes Message.Digest, which takes as long as everything else where there is little to decode.
	Digest bool
}

// maxParts is the highest number of parts a caller may ask for.
const maxParts = 4000

// maxKept is "everything" for Text and HTML, with room to calculate.
const maxKept = 1 << 40

// DefaultLimits fits real mail with a wide margin: the deepest and widest messages seen in public archives
// use a tenth of it.
func DefaultLimits() Limits {
	return Limits{
		Depth:        100,
		Parts:        1000,
		HeaderBytes:  256 << 10,
		HeaderFields: 2000,
		Text:         1_000_000,
		HTML:         1_000_000,
	}
}

// orDefault fills the fields that were left zero.
func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	pick := func(v *int, def int) {
		if *v <= 0 {
			*v = def
		}
	}
	pick(&l.Depth, d.Depth)
	pick(&l.Parts, d.Parts)
	pick(&l.HeaderBytes, d.HeaderBytes)
	pick(&l.HeaderFields, d.HeaderFields)
	if l.Text <= 0 {
		l.Text = d.Text
	}
	if l.HTML <= 0 {
		l.HTML = d.HTML
	}
	l.Parts = min(l.Parts, maxParts)
	l.Text, l.HTML = min(l.Text, maxKept), min(l.HTML, maxKept)
	return l
}
