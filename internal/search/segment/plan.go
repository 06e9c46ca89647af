package segment

import (
	"cmp"
	"slices"
)

const (
	fanOut = 8
	// tinyFanOut is for the lowest tier: a segment of a mail or two costs a query next to nothing, and a merge much.
	tinyFanOut = 32
	// firstTier is the size at which the second tier begins. Tiers grow by fanOut, and begin below what eight segments
	// of the tier before have together, so that a merge also rises when some of its documents are gone.
	firstTier = 5
	// largest is the size from which segments are no longer merged, and mergedDocs the most that a merge puts together.
	largest    = 1 << 21
	mergedDocs = MaxDocuments / 2
	// busyLeast is how many documents may always be put together.
	busyLeast = 24
)

// Planned is a segment as Plan sees it.
type Planned struct {
	ID      ID
	Docs    int
	Dropped int // of Docs, those deleted since the segment was written
}

// Plan returns the segments of a mailbox that are to be merged next, oldest first; none if all is well. Ask again after
// the merge.
//
// Segments of about the same size are a tier, and a tier of eight (of the tiniest: 32) is merged into one segment of
// the next: so a document is written once for each power of eight in the number of documents, and a query meets at most
// seven segments of each size. The lowest tier goes first, because it costs least and helps most; if its result would
// fill the next tier that goes along, which saves a round. When no tier is full a segment that has lost a quarter of
// its documents is rewritten.
func Plan(segments []Planned) []ID {
	var tiers [][]Planned
	for _, s := range segments {
		t := tierOf(s.live())
		for len(tiers) <= t {
			tiers = append(tiers, nil)
		}
		if s.Docs < largest {
			tiers[t] = append(tiers[t], s)
		}
	}
	for t := range tiers {
		if len(tiers[t]) >= fanOut && (t > 0 || len(tiers[t]) >= tinyFanOut) {
			return ids(cascade(tiers, t))
		}
	}
	return rewrite(segments)
}

// PlanBusy returns the segments of a mailbox that are to be merged while mail keeps coming and going: the oldest of a
// tier that has eight of them, with no more than most documents, and none of a tier that would become more than a
// quarter of the mailbox. Mail mostly goes in the order in which it came, by its age, so that segments which are small
// beside their mailbox die whole before long, and go without being written once more. There are at most 32 of those.
func PlanBusy(segments []Planned, most int) []ID {
	most = min(most, max(liveDocs(segments)/4, busyLeast))
	var tiers [][]Planned
	for _, s := range slices.SortedFunc(slices.Values(segments), older) {
		t := tierOf(s.Docs)
		for len(tiers) <= t {
			tiers = append(tiers, nil)
		}
		tiers[t] = append(tiers[t], s)
	}
	for _, tier := range tiers {
		n, docs := 0, 0
		for n < min(len(tier), MaxMerge) && docs+tier[n].Docs <= most {
			docs += tier[n].Docs
			n++
		}
		if n >= fanOut {
			return ids(tier[:n])
		}
	}
	return nil
}

func (s Planned) live() int { return max(s.Docs-s.Dropped, 0) }

func tierOf(docs int) int {
	t := 0
	for limit := firstTier; docs >= limit; limit *= fanOut {
		t++
	}
	return t
}

// cascade adds the tiers above that the merge would fill.
func cascade(tiers [][]Planned, t int) []Planned {
	merged := oldest(tiers[t])
	for {
		up := tierOf(liveDocs(merged))
		if up <= t || up >= len(tiers) || len(tiers[up]) < fanOut-1 || len(tiers[up])+len(merged) > MaxMerge ||
			liveDocs(merged)+liveDocs(tiers[up]) > mergedDocs {
			return merged
		}
		merged = append(merged, tiers[up]...)
		t = up
	}
}

// oldest leaves the latest for the next merge if there are more than one merge takes.
func oldest(tier []Planned) []Planned {
	tier = slices.SortedFunc(slices.Values(tier), older)
	n := min(len(tier), MaxMerge)
	for n > 2 && liveDocs(tier[:n]) > mergedDocs {
		n--
	}
	return slices.Clip(tier[:n])
}

func older(a, b Planned) int { return cmp.Compare(a.ID.Segment, b.ID.Segment) }

func liveDocs(segments []Planned) int {
	sum := 0
	for _, s := range segments {
		sum += s.live()
	}
	return sum
}

// rewrite returns the segment that has lost most, if that is a quarter or more.
func rewrite(segments []Planned) []ID {
	var worst Planned
	for _, s := range segments {
		if s.Dropped > 0 && 4*s.Dropped >= s.Docs && s.Dropped > worst.Dropped {
			worst = s
		}
	}
	if worst.Dropped == 0 {
		return nil
	}
	return []ID{worst.ID}
}

func ids(segments []Planned) []ID {
	list := make([]ID, len(segments))
	for i, s := range slices.SortedFunc(slices.Values(segments), older) {
		list[i] = s.ID
	}
	return list
}
