package segment

import (
	"slices"
	"testing"
)

// planned returns segments with these many documents, numbered from 1.
func planned(docs ...int) []Planned {
	var all []Planned
	for i, n := range docs {
		all = append(all, Planned{ID: ID{1, int64(i + 1)}, Docs: n})
	}
	return all
}

func TestPlan(t *testing.T) {
	dropped := func(s []Planned, i, n int) []Planned { s[i].Dropped = n; return s }
	for _, c := range []struct {
		name     string
		segments []Planned
		want     []int64
	}{
		{"nothing", nil, nil},
		{"one", planned(1000), nil},
		{"tiny ones may be many", planned(slices.Repeat([]int{1}, 31)...), nil},
		{"seven alike", planned(10, 10, 10, 10, 10, 10, 10), nil},
		{"eight alike", planned(10, 10, 10, 10, 10, 10, 10, 10), []int64{1, 2, 3, 4, 5, 6, 7, 8}},
		{"the small first", planned(900, 900, 900, 900, 900, 900, 900, 900, 9, 9, 9, 9, 9, 9, 9, 9),
			[]int64{9, 10, 11, 12, 13, 14, 15, 16}},
		{"two tiers at once", planned(100, 100, 100, 100, 100, 100, 100, 12, 12, 12, 12, 12, 12, 12, 12),
			[]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{"the largest are left", planned(slices.Repeat([]int{1 << 21}, 20)...), nil},
		{"a quarter gone", dropped(planned(1000, 10), 0, 250), []int64{1}},
		{"less than a quarter gone", dropped(planned(1000, 10), 0, 249), nil},
		{"all gone", dropped(planned(1000, 10), 1, 10), []int64{2}},
		{"a merge comes before a rewrite", dropped(planned(10, 10, 10, 10, 10, 10, 10, 10, 1000), 8, 900),
			[]int64{1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []int64
			for _, id := range Plan(c.segments) {
				got = append(got, id.Segment)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("merges %v, want %v", got, c.want)
			}
		})
	}
}

// TestPlanWrites plays the growth of a mailbox: how often a document is written, and how many segments there ever are.
func TestPlanWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, c := range []struct {
		name        string
		batch, docs int
		writes      float64
		segments    int
	}{
		{"mail by mail", 1, 131_072, 6, 60},
		{"batches", 1000, 1_000_000, 4.5, 25},
		{"uneven", 37, 500_000, 6, 35},
		{"very large", 100_000, 40_000_000, 3.5, 25},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []Planned
			id, written, most := int64(0), 0, 0
			for n := 0; n < c.docs; n += c.batch {
				id++
				all = append(all, Planned{ID: ID{1, id}, Docs: c.batch})
				written += c.batch
				for {
					chosen := Plan(all)
					if len(chosen) == 0 {
						break
					}
					id++
					sum := 0
					all = slices.DeleteFunc(all, func(s Planned) bool {
						in := slices.Contains(chosen, s.ID)
						if in {
							sum += s.Docs
						}
						return in
					})
					if len(chosen) > MaxMerge || sum > MaxDocuments {
						t.Fatalf("a merge of %d segments with %d documents", len(chosen), sum)
					}
					all = append(all, Planned{ID: ID{1, id}, Docs: sum})
					written += sum
				}
				most = max(most, len(all))
			}
			if got := float64(written) / float64(c.docs); got > c.writes || most > c.segments {
				t.Errorf("written %.2f times, at most %d segments; want %v and %d", got, most, c.writes, c.segments)
			}
		})
	}
}

// TestPlanBusy plays a mailbox in which mail comes and goes, in batches of three: how often a document is written, how
// many segments there ever are, and how many documents are in them for each that is still there.
func TestPlanBusy(t *testing.T) {
	const batch, many = 3, 24
	for _, c := range []struct {
		name           string
		docs, lives    int
		writes, excess float64
		segments       int
	}{
		{"what comes goes in its order", 30_000, 294, 2.05, 1.3, 40},
		{"it lives for long", 60_000, 20_000, 4.2, 1.3, 70},
		{"it is gone at once", 3000, 30, 2.05, 1.8, 24},
		{"nothing goes", 30_000, 30_000, 4.2, 1, 70},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []Planned
			last := make(map[ID]int) // the newest document
			id, written, most, excess := int64(0), 0, 0, 0.0
			for n := batch; n <= c.docs; n += batch {
				id++
				all = append(all, Planned{ID: ID{1, id}, Docs: batch})
				last[ID{1, id}] = n
				written += batch
				for i, s := range all {
					all[i].Dropped = min(max(n-c.lives-(last[s.ID]-s.Docs), 0), s.Docs)
				}
				all = slices.DeleteFunc(all, func(s Planned) bool { return s.live() == 0 })
				for chosen := PlanBusy(all, 5000); n/batch%many == 0 && len(chosen) > 0; chosen = PlanBusy(all, 5000) {
					docs, newest := 0, 0
					all = slices.DeleteFunc(all, func(s Planned) bool {
						in := slices.Contains(chosen, s.ID)
						if in {
							docs, newest = docs+s.live(), max(newest, last[s.ID])
						}
						return in
					})
					id++
					all = append(all, Planned{ID: ID{1, id}, Docs: docs})
					last[ID{1, id}] = newest
					written += docs
				}
				most = max(most, len(all))
				docs := 0
				for _, s := range all {
					docs += s.Docs
				}
				excess = max(excess, float64(docs)/float64(min(n, c.lives)))
			}
			if got := float64(written) / float64(c.docs); got > c.writes || most > c.segments || excess > c.excess {
				t.Errorf("written %.2f times, at most %d segments, %.2f times the documents; want %v, %d and %v", got, most,
					excess, c.writes, c.segments, c.excess)
			}
		})
	}
}
