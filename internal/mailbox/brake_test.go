package mailbox

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// agent is a simulated mailbox: what it does in a year, or when it runs away.
type agent struct {
	name  string
	r     *rand.Rand
	pace  Pace
	known map[string]bool
	now   time.Time
	day   int
	plan  []step
	sent  int
	trips []string
}

type step struct {
	at time.Time
	do func()
}

func newAgent(name string, seed uint64) *agent {
	return &agent{name: name, r: rand.New(rand.NewPCG(seed, 24)), known: map[string]bool{}}
}

// at plans something for a time of the day.
func (a *agent) at(begin time.Time, after time.Duration, do func()) {
	a.plan = append(a.plan, step{begin.Add(after), do})
}

// during is a random time between two hours of the day.
func (a *agent) during(from, to float64) time.Duration {
	return time.Duration((from + a.r.Float64()*(to-from)) * float64(time.Hour))
}

// run does what is planned, in the order of time.
func (a *agent) run() {
	slices.SortStableFunc(a.plan, func(x, y step) int { return cmp.Compare(x.at.UnixNano(), y.at.UnixNano()) })
	plan := a.plan
	a.plan = nil
	for _, s := range plan {
		a.now = s.at
		s.do()
	}
}

// live lets the agent live for days.
func (a *agent) live(from time.Time, days int, day func(*agent, time.Time)) {
	for i := range days {
		a.day = i
		a.pace = DecodePace(a.pace.Encode()) // as it is stored
		day(a, from.AddDate(0, 0, i))
		a.run()
	}
}

func (a *agent) hears(from string) { a.known[from] = true }

// send sends a message as the service does; false: the brakes stopped it.
func (a *agent) send(text string, answer bool, to ...string) bool {
	m := Dispatch{To: to, Text: text, Answer: answer}
	for _, one := range to {
		if !a.known[one] {
			m.New++
		}
	}
	if over := a.pace.Send(m, a.now); over != nil {
		a.trips = append(a.trips, fmt.Sprintf("%s: %s", a.now.Format(time.DateTime), over.Reason()))
		return false
	}
	a.sent++
	for _, one := range to {
		a.known[one] = true
	}
	return true
}

func (a *agent) bounce() {
	if over := a.pace.Bounce(a.now); over != nil {
		a.trips = append(a.trips, fmt.Sprintf("%s: %s", a.now.Format(time.DateTime), over.Reason()))
	}
}

// unlike is a text that nobody has sent before.
func (a *agent) unlike() string { return fmt.Sprintf("text %d", a.r.Uint64()) }

func weekend(day time.Time) bool {
	return day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
}

// The ordinary agents of a year. Each is a day of its life.
var ordinary = map[string]func(*agent, time.Time){
	"support":    supportDay,
	"newsletter": newsletterDay,
	"sign-ups":   signUpDay,
	"assistant":  assistantDay,
	"outreach":   outreachDay,
	"monitor":    monitorDay,
	"accounts":   accountsDay,
}

// supportDay: people ask, get the same acknowledgement at once and an answer later; some write back. One day in twenty
// is a busy one.
func supportDay(a *agent, day time.Time) {
	asked := 15 + a.r.IntN(40)
	if weekend(day) {
		asked /= 4
	}
	if a.r.IntN(20) == 0 {
		asked = 250 + a.r.IntN(100)
	}
	for i := range asked {
		who, when := fmt.Sprintf("customer%d-%d", a.day, i), a.during(7, 19)
		a.at(day, when, func() { a.hears(who); a.send("We have got your mail", true, who) })
		for turn := range 1 + a.r.IntN(4) {
			when += a.during(0.05, 1) + time.Duration(turn)*time.Minute
			a.at(day, when, func() { a.send(a.unlike(), true, who) })
		}
		if a.r.IntN(12) == 0 { // a colleague is asked
			a.at(day, when+time.Minute, func() { a.send(a.unlike(), false, fmt.Sprint("colleague", a.r.IntN(6))) })
		}
	}
}

// newsletterDay: every other Tuesday hundreds answer a newsletter that another system sent, and all get a word of
// thanks.
func newsletterDay(a *agent, day time.Time) {
	if day.Weekday() != time.Tuesday || day.YearDay()/7%2 == 0 {
		return
	}
	for i := range 200 + a.r.IntN(200) {
		who, when := fmt.Sprintf("reader%d-%d", a.r.IntN(3000), i), a.during(9, 13)
		text := "Thank you for your answer"
		if i%4 == 0 {
			text = a.unlike()
		}
		a.at(day, when, func() { a.hears(who); a.send(text, true, who) })
	}
}

// signUpDay: it signs up at sites and waits for codes; now and then it asks for a code again, a few times in a row.
func signUpDay(a *agent, day time.Time) {
	for range a.r.IntN(6) {
		site, when := fmt.Sprintf("site%d", a.r.Uint64()), a.during(0, 24)
		a.at(day, when, func() { a.hears("noreply@" + site) })
		if a.r.IntN(3) > 0 {
			continue
		}
		for again := range 1 + a.r.IntN(5) {
			a.at(day, when+time.Duration(again*3)*time.Minute, func() {
				a.send("Please send the code again", false, "help@"+site)
			})
		}
	}
}

// assistantDay: the mail of a person. Days of many errands, invitations to a group, and talks back and forth.
func assistantDay(a *agent, day time.Time) {
	errands := 2 + a.r.IntN(12)
	if weekend(day) {
		errands = a.r.IntN(3)
	}
	if a.r.IntN(25) == 0 {
		errands = 40 + a.r.IntN(25)
	}
	for i := range errands {
		who := fmt.Sprintf("contact%d", a.r.IntN(60))
		if a.r.IntN(4) == 0 {
			who = fmt.Sprintf("shop%d-%d", a.day, i)
		}
		a.at(day, a.during(8, 20), func() {
			bounced := !a.known[who] && a.r.IntN(25) == 0
			a.send(a.unlike(), a.r.IntN(3) == 0, who)
			if bounced {
				a.bounce()
			}
		})
	}
	if a.r.IntN(10) == 0 {
		var group []string
		for i := range 5 + a.r.IntN(8) {
			group = append(group, fmt.Sprintf("guest%d", a.r.IntN(40)+i))
		}
		a.at(day, a.during(9, 17), func() { a.send(a.unlike(), false, group...) })
	}
	if a.r.IntN(6) == 0 {
		begin, who := a.during(9, 17), fmt.Sprintf("contact%d", a.r.IntN(60))
		for i := range 4 + a.r.IntN(9) {
			a.at(day, begin+time.Duration(i*5)*time.Minute, func() { a.send(a.unlike(), true, who) })
		}
	}
}

// outreachDay: first mails to strangers, more from month to month, by a template with their names in it, and one
// reminder. A few addresses are wrong, a fifth answers.
func outreachDay(a *agent, day time.Time) {
	if weekend(day) {
		return
	}
	first := min(10+a.day/6, 60) + a.r.IntN(8)
	for i := range first {
		who, when := fmt.Sprintf("lead%d-%d", a.day, i), a.during(8, 18)
		a.at(day, when, func() {
			a.send(a.unlike(), false, who)
			if a.r.IntN(33) == 0 {
				a.bounce()
			}
		})
		if a.r.IntN(5) == 0 {
			a.at(day, when+a.during(0.2, 5), func() { a.hears(who); a.send(a.unlike(), true, who) })
		}
		if before := fmt.Sprintf("lead%d-%d", a.day-4, i); a.known[before] && a.r.IntN(3) > 0 {
			a.at(day, a.during(8, 18), func() { a.send(a.unlike(), false, before) })
		}
	}
}

// monitorDay: a sign of life every hour, alerts in bursts, and a digest for a list that grows.
func monitorDay(a *agent, day time.Time) {
	for hour := range 24 {
		a.at(day, time.Duration(hour)*time.Hour, func() { a.send("All is well", false, "owner") })
	}
	if a.r.IntN(4) == 0 {
		begin := a.during(0, 23)
		for i := range 2 + a.r.IntN(7) {
			a.at(day, begin+time.Duration(i*4)*time.Minute, func() { a.send(a.unlike(), false, "owner") })
		}
	}
	digest := a.unlike()
	for i := range 6 + a.day/20 {
		a.at(day, 6*time.Hour+time.Duration(i)*time.Second, func() {
			a.send(digest, false, fmt.Sprintf("subscriber%d", i))
		})
	}
}

// accountsDay: bills are passed on to the accountants, most at the end of the month.
func accountsDay(a *agent, day time.Time) {
	bills := a.r.IntN(5)
	if day.AddDate(0, 0, 3).Month() != day.Month() {
		bills = 8 + a.r.IntN(10)
	}
	for range bills {
		a.at(day, a.during(9, 17), func() { a.send(a.unlike(), false, "accounts@office") })
	}
}

// The runaways, each of which does one message every few seconds or minutes until it is stopped. They answer false when
// the message was stopped.
var runaways = map[string]struct {
	pause time.Duration
	do    func(a *agent, n int) bool
}{
	"loop": {20 * time.Second, func(a *agent, _ int) bool { // two programs thank each other, in ever new words
		a.hears("robot@elsewhere")
		return a.send(a.unlike(), true, "robot@elsewhere")
	}},
	"address-book blast": {5 * time.Second, func(a *agent, n int) bool { // everybody it knows
		return a.send("You must see this", false, a.contact(n))
	}},
	"bounce storm": {30 * time.Second, func(a *agent, n int) bool { // guessed addresses
		ok := a.send(a.unlike(), false, fmt.Sprintf("guess%d@company", n))
		before := len(a.trips)
		a.bounce()
		return ok && len(a.trips) == before
	}},
	"prompt-injected forwarder": {10 * time.Second, func(a *agent, _ int) bool { // the inbox to a stranger
		return a.send(a.unlike(), false, "collector@evil")
	}},
	"stuck retry": {2 * time.Minute, func(a *agent, _ int) bool { // the same message, again and again
		return a.send("The report that you asked for", false, a.contact(0))
	}},
}

// contact is one of those whom the mailbox knows.
func (a *agent) contact(n int) string {
	all := make([]string, 0, len(a.known))
	for who := range a.known {
		all = append(all, who)
	}
	slices.Sort(all)
	if len(all) == 0 {
		return fmt.Sprint("nobody", n)
	}
	return all[n*7%len(all)]
}

var year = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestOrdinaryAgentsNeverTripTheBrakes(t *testing.T) {
	for name, day := range ordinary {
		for seed := range uint64(2) {
			a := newAgent(name, seed)
			a.live(year, 365, day)
			if len(a.trips) > 0 || a.sent < 100 {
				t.Errorf("%s (%d) sent %d and tripped %d times: %v", name, seed, a.sent, len(a.trips),
					a.trips[:min(len(a.trips), 5)])
			}
			t.Logf("%s: %d messages, %d bytes", name, a.sent, len(a.pace.Encode()))
		}
	}
}

func TestRunawaysStop(t *testing.T) {
	for name, day := range ordinary {
		for runaway, script := range runaways {
			for _, days := range []int{0, 1, 60} {
				a := newAgent(name, 1)
				a.live(year, days, day)
				a.now = year.AddDate(0, 0, days).Add(11 * time.Hour)
				n := 0
				for n < 1000 && script.do(a, n) {
					n++
					a.now = a.now.Add(script.pause)
				}
				if n > 20 {
					t.Errorf("%s of %s after %d days: %d messages went out", runaway, name, days, n)
				}
			}
		}
	}
}

// A clock that was wrong for a while neither stops a mailbox nor teaches it anything.
func TestBrakesAndAClockThatWasWrong(t *testing.T) {
	var p Pace
	for range 15 {
		if over := p.Send(Dispatch{To: []string{"x"}, Answer: true}, year.AddDate(3, 0, 0)); over != nil {
			t.Fatal(over.Reason())
		}
	}
	at := year.AddDate(3, 0, 0).Add(-time.Minute) // as clocks of several nodes differ
	if over := p.Send(Dispatch{To: []string{"x"}, Answer: true}, at); over == nil {
		t.Error("a minute back forgave it")
	}
	for n := range 10 {
		if over := p.Send(Dispatch{To: []string{"x"}, Answer: true}, year.AddDate(0, 0, n)); over != nil {
			t.Errorf("on day %d: %s", n, over.Reason())
		}
	}
	if len(p.Days) > 0 {
		t.Errorf("days that have not come are history: %+v", p.Days)
	}
}

// What a person has let go on is usual at once, up to the ceiling.
func TestForgiven(t *testing.T) {
	var p Pace
	var limits []int
	for range 6 {
		over := p.Bounce(year)
		for over == nil {
			over = p.Bounce(year)
		}
		limits = append(limits, over.Limit)
		p = DecodePace(p.Encode())
		p.Forgive(*over, year)
	}
	if fmt.Sprint(limits) != "[6 14 30 60 60 60]" {
		t.Errorf("the limits are %v", limits)
	}
}

// An answer with a long list of other recipients is none.
func TestAnswerToEverybody(t *testing.T) {
	for _, text := range []string{"", "the same"} {
		a := newAgent("one who answers to all", 1)
		sent := 0
		for sent < 100 {
			to := []string{"somebody who wrote"}
			for i := range 49 {
				to = append(to, fmt.Sprintf("friend%d", i+sent*49))
				a.known[to[i+1]] = true
			}
			a.now = year
			if !a.send(text, true, to...) {
				break
			}
			sent++
		}
		if sent > 2 {
			t.Errorf("%q: %d messages to 50 people each", text, sent)
		}
	}
}
