package screen

import "strings"

// screening weighs what was found.
func (r *reader) screening() Screening {
	if r.insists && r.sealed != "" {
		r.add(found{Finding: Finding{Rule: "carry out what is encoded", Layer: layerEncoded,
			Excerpt: excerpt(r.sealed)}, points: 1})
	}
	r.addStray()
	best := map[string]int{}
	var out []Finding
	for i := range r.found {
		f := &r.found[i]
		if r.reports(f) {
			continue
		}
		points := f.points * weight(f.Layer)
		if old, seen := best[f.Rule]; seen && old >= points {
			continue
		}
		best[f.Rule] = points
		if len(out) < maxFindings {
			out = append(out, f.Finding)
		}
	}
	sum := 0
	for _, p := range best {
		sum += p
	}
	switch {
	case sum >= dangerousFrom:
		return Screening{Dangerous, out}
	case sum >= flaggedFrom:
		return Screening{Flagged, out}
	}
	return Screening{Verdict: Clean}
}

// reports tells of a finding in a mail that speaks about attacks on models: it quotes one, or lists several. What is
// hidden, or what somebody is told to carry out, is no quotation.
func (r *reader) reports(f *found) bool {
	const oftenAbout = 3
	switch {
	case weight(f.Layer) > 1 && f.Layer != layerDisguised, r.insists:
		return false
	case f.told:
		return true
	case f.quoted:
		return r.about > 0
	}
	return r.about >= oftenAbout
}

// isQuoted tells whether a sentence has quotation marks, or is set as a quotation or as code.
func isQuoted(s string) bool {
	if strings.HasPrefix(s, ">") || strings.ContainsAny(s, "\"“”„«»`「『「") {
		return true
	}
	for i := 0; ; {
		n := strings.IndexByte(s[i:], '\'')
		if n < 0 {
			return false
		}
		if i += n; i == 0 || !isLetter(s[i-1]) {
			return true // none that is within a word
		}
		i++
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// quotesText tells whether a sentence has a text of some words in quotation marks.
func quotesText(s string) bool {
	const fewest = 20 // bytes
	start := strings.IndexAny(s, "\"“„«")
	if start < 0 {
		return false
	}
	end := strings.LastIndexAny(s, "\"”“»")
	return end-start > fewest && strings.Contains(s[start+1:end], " ")
}
