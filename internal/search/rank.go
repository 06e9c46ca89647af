package search

import (
	"math"
	"time"
)

// Stats are a mailbox's own counts.
type Stats struct {
	Mails int // in the mailbox
	// mails with each of Query.Words, or with each as the plan asks for it; missing or 0: hardly any
	With   []int
	Length [Fields]float64 // words in each field of a mail, on average; 0: not known
}

// Constants of BM25F: how soon more of the same word counts no more, and how much a field's length counts.
const (
	saturation  = 1.2
	lengthShare = 0.6
	begunWeight = 0.5 // a word that only begins so
)

// The share of recency in a score, and how long it takes to halve.
const (
	recencyShare = 0.15
	recencyHalf  = 30 * 24 * time.Hour
)

// weight is what an occurrence in a field is worth.
func (f Field) weight() float64 {
	switch f {
	case Subject:
		return 4
	case From:
		return 3
	case To, File:
		return 2
	case FileText:
		return 0.7
	}
	return 1
}

// typical is how long a field is where the mailbox's average is not known.
func (f Field) typical() float64 {
	switch f {
	case Subject, From, To:
		return 8
	case File:
		return 4
	}
	return 300
}

// Score says how well a mail fits, from 0 to 1: BM25F over the hits, as a share of what the query's words could reach
// at most, with a share for how new the mail is (age; below 0 is 0). It is the same for the same input on every machine
// of a kind, and can be compared only among mails of one query. Words that must not occur do not count. Without words
// it is how new the mail is.
func (q Query) Score(h Hits, st Stats, age time.Duration) float64 {
	recency := Recency(age)
	sum, most := 0.0, 0.0
	for i, w := range q.words {
		if w.barred || i >= len(h.Words) {
			continue
		}
		rare := st.rarity(i)
		tf := st.weigh(&h.Words[i], &h.Length)
		sum += rare * tf / (saturation + tf)
		most += rare
	}
	if most == 0 {
		return recency
	}
	return (1-recencyShare)*sum/most + recencyShare*recency
}

// Recency is how new a mail of an age is, from 1 for what has just come down to 0.
func Recency(age time.Duration) float64 {
	return math.Exp2(-max(age, 0).Hours() / recencyHalf.Hours())
}

// rarity is the inverse document frequency, always above 0.
func (st Stats) rarity(words int) float64 {
	with := 0
	if words < len(st.With) {
		with = max(st.With[words], 0)
	}
	with = max(with, 1)
	mails := max(st.Mails, with)
	return math.Log1p((float64(mails-with) + 0.5) / (float64(with) + 0.5))
}

// weigh adds up the occurrences in all fields, each in proportion to the field's length.
func (st Stats) weigh(h *WordHits, length *[Fields]int) (tf float64) {
	for f := Subject; int(f) < Fields; f++ {
		n := float64(h.Exact[f]) + begunWeight*float64(h.Begun[f])
		if n == 0 {
			continue
		}
		usual := st.Length[f]
		if usual <= 0 {
			usual = f.typical()
		}
		tf += f.weight() * n / (1 - lengthShare + lengthShare*float64(length[f])/usual)
	}
	return tf
}
