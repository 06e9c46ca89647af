package mailbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// The brakes stop a mailbox whose behaviour suddenly changes (docs/brakes.md). Each measure is a level: it rises with
// what the mailbox does and falls with time. Above its limit sending is paused. The limit is what every mailbox may do,
// or twice the highest level that this one had on a day of the last weeks, and never above a ceiling.

// Measure is something that the brakes watch.
type Measure string

const (
	BrakeSends     Measure = "sends"          // messages that are no answers, weighted by their number of recipients
	BrakeNew       Measure = "new_recipients" // recipients with whom the mailbox had no contact before
	BrakeRecipient Measure = "one_recipient"  // messages to the same address, answers included
	BrakeText      Measure = "same_text"      // messages with the same text that are no answers
	BrakeBounces   Measure = "bounces"        // recipients whose mail bounced
)

// brake is the rule of a measure.
type brake struct {
	usual   float64       // what every mailbox may do
	ceiling float64       // what none may do, whatever it did before
	empties time.Duration // the time in which the level of usual falls to nothing
	reason  string        // with the limit
}

var brakes = map[Measure]brake{
	BrakeSends: {18, 1000, 90 * time.Minute,
		"It sent far more messages that answer nobody than ever: more than %d at a time."},
	BrakeNew: {15, 500, 3 * time.Hour,
		"It wrote to far more strangers than ever: more than %d at a time."},
	BrakeRecipient: {15, 200, 3 * time.Hour,
		"It sent far more messages to the same address than ever: more than %d at a time."},
	BrakeText: {12, 1000, 4 * time.Hour,
		"It sent the same text more often than ever: more than %d times."},
	BrakeBounces: {6, 60, 12 * time.Hour,
		"More of its mail bounced than ever: more than %d recipients were not reached."},
}

const (
	brakeFactor   = 2                    // how much more than ever before is still usual
	brakeHistory  = 35                   // days that a mailbox is compared with: a month, and a weekend
	brakeSettled  = 2                    // days before a day counts as history
	brakeShare    = 1.0 / 20             // weight of an answer, where a message that is no answer has 1
	brakeTogether = 5                    // recipients of one message that count as one
	brakeKeys     = 512                  // addresses and texts that are remembered
	brakeFar      = 365 * 24 * time.Hour // in which every level falls to nothing
	brakeDigits   = 1000                 // levels are stored in parts of one: thousandths
	secondsOfDay  = 24 * 3600
)

// Dispatch is a message as the brakes see it.
type Dispatch struct {
	To     []string // digests of the recipients' addresses
	New    int      // how many of them the mailbox had no contact with before
	Text   string   // digest of its text; empty: it has none
	Answer bool     // one of the recipients wrote on its thread
}

// Excess is a level above its limit.
type Excess struct {
	Measure Measure
	Limit   int
	Level   int // that it had, or would have had
}

// Reason says to people what the mailbox did.
func (e Excess) Reason() string { return fmt.Sprintf(brakes[e.Measure].reason, e.Limit) }

// Pace is how a mailbox sends: the levels of its measures, and how high they were before. The zero value is that of a
// mailbox that has sent nothing.
type Pace struct {
	At    int64               // the moment of the levels, in Unix seconds
	Level map[Measure]float64 // of what is one level for all
	To    map[string]float64  // by address
	Text  map[string]float64  // by text
	Days  []dayPeaks          // the oldest first
}

// dayPeaks are the highest levels of a day. What is too low to raise a limit is left out.
type dayPeaks struct {
	Day  int64 // since 1970, UTC
	Peak map[Measure]float64
}

// Send counts a message. If that would bring a level above its limit, it returns the excess and does not count
// the message.
func (p *Pace) Send(m Dispatch, now time.Time) *Excess {
	next := p.at(now)
	weight := math.Ceil(float64(len(m.To)) / brakeTogether)
	if m.Answer { // the first group of recipients counts less, further ones in full
		weight += brakeShare - 1
	}
	next.Level[BrakeSends] += weight
	next.Level[BrakeNew] += float64(m.New)
	for _, to := range m.To {
		next.To[to]++
	}
	if m.Text != "" && (!m.Answer || len(m.To) > brakeTogether) {
		next.Text[m.Text]++
	}
	if over := next.settle(); over != nil {
		return over
	}
	*p = next
	return nil
}

// Bounce counts a recipient whose mail bounced. It counts even above the limit.
func (p *Pace) Bounce(now time.Time) *Excess {
	*p = p.at(now)
	p.Level[BrakeBounces]++
	return p.settle()
}

// Forgive starts over after a person has looked: what led to the pause counts as history from now on.
func (p *Pace) Forgive(e Excess, now time.Time) {
	*p = p.at(now)
	p.Level, p.To, p.Text = nil, nil, nil
	settled := now.Unix()/secondsOfDay - brakeSettled
	at, found := slices.BinarySearchFunc(p.Days, settled, func(d dayPeaks, day int64) int { return int(d.Day - day) })
	if !found {
		p.Days = slices.Insert(p.Days, at, dayPeaks{Day: settled, Peak: map[Measure]float64{}})
	}
	p.Days[at].Peak[e.Measure] = max(p.Days[at].Peak[e.Measure], float64(e.Level))
}

// at returns a copy of the pace as it is at a moment, with the levels lowered.
func (p *Pace) at(now time.Time) Pace {
	next := Pace{At: now.Unix(), Days: slices.Clone(p.Days)}
	gone := time.Duration(next.At-p.At) * time.Second
	if gone < -time.Hour {
		gone = brakeFar // the clock was ahead and has been set back
	}
	gone = max(gone, 0)
	next.Days = slices.DeleteFunc(next.Days, func(d dayPeaks) bool {
		return d.Day <= next.day()-brakeHistory || d.Day > next.day()
	})
	next.Level = fallen(p.Level, func(m Measure) float64 { return brakes[m].fall(gone) })
	next.To = fallen(p.To, func(string) float64 { return brakes[BrakeRecipient].fall(gone) })
	next.Text = fallen(p.Text, func(string) float64 { return brakes[BrakeText].fall(gone) })
	return next
}

func (p *Pace) day() int64 { return p.At / secondsOfDay }

// fall returns by how much a level falls in a span of time. It is the same for every mailbox, so levels compare.
func (b brake) fall(in time.Duration) float64 { return b.usual * in.Seconds() / b.empties.Seconds() }

func fallen[K comparable](levels map[K]float64, by func(K) float64) map[K]float64 {
	left := make(map[K]float64, len(levels)+1)
	for k, level := range levels {
		if level = math.Round((level-by(k))*brakeDigits) / brakeDigits; level > 0 {
			left[k] = level
		}
	}
	return left
}

// limit is how high a level may be.
func (p *Pace) limit(m Measure) float64 {
	peak := 0.0
	for _, d := range p.Days {
		if d.Day <= p.day()-brakeSettled {
			peak = max(peak, d.Peak[m])
		}
	}
	return math.Floor(max(brakes[m].usual, min(brakeFactor*peak, brakes[m].ceiling)))
}

// settle notes the peaks of the day, and says which level is above its limit, if one is.
func (p *Pace) settle() *Excess {
	for _, m := range Measures() {
		level := p.level(m)
		if limit := p.limit(m); level > limit {
			return &Excess{Measure: m, Limit: int(limit), Level: int(math.Ceil(level))}
		}
		p.notePeak(m, level)
	}
	p.To, p.Text = highest(p.To), highest(p.Text)
	return nil
}

// Measures lists all measures.
func Measures() []Measure {
	return []Measure{BrakeBounces, BrakeText, BrakeRecipient, BrakeNew, BrakeSends}
}

// level returns the level of a measure; for measures by address or by text, the highest one.
func (p *Pace) level(m Measure) float64 {
	all := map[Measure]map[string]float64{BrakeRecipient: p.To, BrakeText: p.Text}[m]
	level := p.Level[m]
	for _, one := range all {
		level = max(level, one)
	}
	return level
}

func (p *Pace) notePeak(m Measure, level float64) {
	if level <= brakes[m].usual/brakeFactor {
		return
	}
	if n := len(p.Days); n == 0 || p.Days[n-1].Day != p.day() {
		p.Days = append(p.Days, dayPeaks{Day: p.day(), Peak: map[Measure]float64{}})
	}
	today := &p.Days[len(p.Days)-1]
	if level > today.Peak[m] {
		today.Peak = maps.Clone(today.Peak)
		today.Peak[m] = level
	}
}

// highest drops all but the highest levels of a map that has grown too large.
func highest(levels map[string]float64) map[string]float64 {
	if len(levels) <= brakeKeys {
		return levels
	}
	keys := slices.SortedFunc(maps.Keys(levels), func(a, b string) int { return int(levels[b]*100 - levels[a]*100) })
	for _, k := range keys[brakeKeys/2:] {
		delete(levels, k)
	}
	return levels
}

// Encode gives it as one text, for a store.
func (p Pace) Encode() string { return encode(p) }

// DecodePace reads what Encode wrote.
func DecodePace(text string) (p Pace) {
	_ = json.Unmarshal([]byte(text), &p) // unreadable text counts as no history
	return p
}
