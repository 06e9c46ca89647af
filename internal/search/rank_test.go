package search

import (
	"math"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func score(t *testing.T, query string, m Mail, st Stats, age time.Duration) float64 {
	t.Helper()
	q := Parse(query, noon)
	h, _ := matches(q, &Doc{Tokens: m.Tokens(nil)})
	s := q.Score(h, st, age)
	if math.IsNaN(s) || s < 0 || s > 1 {
		t.Fatalf("%s: score %v", query, s)
	}
	return s
}

func TestScoreOrder(t *testing.T) {
	const day = 24 * time.Hour
	st := Stats{Mails: 1000, With: []int{10, 500}}
	long := repeatTo("some other words ", 8_000)
	for _, tt := range []struct {
		name, query   string
		better, worse Mail
		betterAge     time.Duration
		worseAge      time.Duration
	}{
		{"subject over body", "kim ", Mail{Subject: "kim", Body: "hello"}, Mail{Subject: "hello", Body: "kim"}, 0, 0},
		{"sender over body", "kim ", Mail{From: []mailbox.Address{{Name: "kim"}}}, Mail{Body: "kim"}, 0, 0},
		{"body over attachment", "kim ", Mail{Body: "kim"}, Mail{FileTexts: []string{"kim"}}, 0, 0},
		{"more often", "kim ", Mail{Body: "kim kim kim, you and me"}, Mail{Body: "kim and all the others"}, 0, 0},
		{"short over long", "kim ", Mail{Body: "kim is here"}, Mail{Body: "kim " + long}, 0, 0},
		{"exact over begun", "invo", Mail{Subject: "invo"}, Mail{Subject: "invoice"}, 0, 0},
		{"rare word", "rare OR common ", Mail{Body: "rare"}, Mail{Body: "common"}, 0, 0},
		{"both words", "rare OR common ", Mail{Body: "rare common"}, Mail{Body: "rare other"}, 0, 0},
		{"newer", "kim ", Mail{Body: "kim"}, Mail{Body: "kim"}, 1 * day, 20 * day},
		{"newer, but worse", "kim ", Mail{Subject: "kim"}, Mail{Body: "kim " + long}, 100 * day, 0},
		{"filters alone: newer", "is:seen", Mail{}, Mail{}, day, 2 * day},
		{"what must not be does not count", "kim -lee", Mail{Body: "kim"}, Mail{Body: "x kim " + long}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if a, b := score(t, tt.query, tt.better, st, tt.betterAge), score(t, tt.query, tt.worse, st,
				tt.worseAge); a <= b {
				t.Errorf("%v is not better than %v", a, b)
			}
		})
	}
}

func TestScoreOfNothing(t *testing.T) {
	for _, st := range []Stats{{}, {Mails: -1, With: []int{-5}}, {Mails: 1, With: []int{1000}},
		{Length: [Fields]float64{Body: -1}}} {
		if s := score(t, "kim ", Mail{Body: "kim"}, st, -time.Hour); s <= recencyShare {
			t.Error(s)
		}
		if s := score(t, "kim ", Mail{}, st, 1<<62); s != 0 {
			t.Error(s)
		}
	}
}
