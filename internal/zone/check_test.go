package zone

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestCheckAll(t *testing.T) {
	p := testPlan()
	for _, tt := range []struct {
		name     string
		change   func([]string) []string
		own      bool
		complete bool
		unknown  bool
		missing  []string // kinds that do not hold
		says     string
	}{
		{"as told", same, false, true, false, nil, "The domain is verified."},
		{"nothing", func([]string) []string { return nil }, false, false, false,
			[]string{KindOwnership, KindMX, KindSPF, KindDKIM, KindDKIMEd25519, KindDMARC},
			"There is no MX record there."},
		{"no DMARC", without("_dmarc."), false, true, false, []string{KindDMARC}, "Advised, but not needed: TXT at " +
			"_dmarc.example.com"},
		{"no second key", without("mk1e."), false, true, false, []string{KindDKIMEd25519}, "The domain is verified."},
		{"no first key", without("mk1."), false, false, false, []string{KindDKIM}, "The domain is not verified yet. " +
			"TXT at mk1._domainkey"},
		{"no token", without("_mailkin."), false, false, false, []string{KindOwnership},
			"There is no TXT record there."},
		{"no token, our own", without("_mailkin."), true, true, false, nil, "The domain is verified."},
		{"no MX", without("example.com MX"), false, false, false, []string{KindMX}, ""},
		{"no SPF", without("example.com TXT"), false, false, false, []string{KindSPF},
			"There is no SPF record at example.com."},
		{"servers of the domain fail", func(l []string) []string { return append(l, "example.com FAIL") }, false, false,
			true,
			[]string{KindMX, KindSPF}, "It could not be looked up"},
		{"servers of the key fail", func(l []string) []string { return append(l, "mk1._domainkey.example.com FAIL") },
			false, false, true,
			[]string{KindDKIM}, "It could not be looked up"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := p
			p.Own = tt.own
			got := p.Check(t.Context(), &world{lines: tt.change(published(p))})
			for _, f := range got {
				if missing := slices.Contains(tt.missing, f.Record.Kind); f.Verified == missing ||
					got.Holds(f.Record.Kind) == missing ||
					f.Verified && (f.Problem != "" || f.Err != nil) ||
					!f.Verified && (f.Problem == "") == (f.Err == nil) {
					t.Errorf("%+v", f)
				}
			}
			if got.Complete(p) != tt.complete || got.Unknown() != tt.unknown ||
				!strings.Contains(got.Message(p, false, ""),
					tt.says) {
				t.Errorf("%v, %v, %s", got.Complete(p), got.Unknown(), got.Message(p, false, ""))
			}
		})
	}
}

func same(l []string) []string { return l }

// without leaves out the lines that begin so.
func without(start string) func([]string) []string {
	return func(lines []string) []string {
		return slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, start) })
	}
}

// Neither an empty plan nor a part of one is ever complete.
func TestIncompletePlans(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Plan)
	}{
		{"no token", func(p *Plan) { p.Token = "" }},
		{"no keys", func(p *Plan) { p.Selectors = nil }},
		{"no text of the key", func(p *Plan) { p.Selectors[0].Record = "v=DKIM1; p=" }},
		{"no host", func(p *Plan) { p.Hostname = "" }},
		{"nothing", func(p *Plan) { *p = Plan{} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := testPlan()
			tt.change(&p)
			if got := p.Check(t.Context(), &world{lines: published(p)}); got.Complete(p) {
				t.Errorf("%+v", got)
			}
		})
	}
	if (Findings{}).Complete(Plan{Own: true}) {
		t.Error("without findings")
	}
}

func TestEachQuestionOnce(t *testing.T) {
	p := testPlan()
	w := &world{lines: append(published(p)[:2], "example.com TXT v=spf1 mx include:example.com ~all")}
	p.Check(t.Context(), w)
	for question, n := range w.asked {
		if n != 1 {
			t.Errorf("%s asked %d times", question, n)
		}
	}
	if len(w.asked) != 6 {
		t.Errorf("%v", w.asked)
	}
}

// silent never answers.
type silent struct{ Resolver }

func (silent) TXT(ctx context.Context, _ string) ([]string, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (silent) MX(ctx context.Context, _ string) ([]MX, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestSilentServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		got := testPlan().Check(t.Context(), silent{})
		if took := time.Since(start); took != checkTime {
			t.Errorf("%v", took)
		}
		for _, f := range got {
			if f.Verified || !errors.Is(f.Err, context.DeadlineExceeded) {
				t.Errorf("%+v", f)
			}
		}
	})
}

func TestFoundIsBounded(t *testing.T) {
	p := testPlan()
	var lines []string
	for range 50 {
		lines = append(lines, "_mailkin.example.com TXT \x1b[2J"+strings.Repeat("x", 5000),
			"example.com MX 10 "+strings.Repeat("y", 5000),
			"example.com TXT v=spf1 "+strings.Repeat("z", 5000))
	}
	for _, f := range p.Check(t.Context(), &world{lines: lines}) {
		if len(f.Found) > maxFound || f.Record.Kind != KindDMARC && !strings.HasPrefix(f.Record.Kind, KindDKIM) &&
			len(f.Found) != maxFound {
			t.Errorf("%s: %d found", f.Record.Kind, len(f.Found))
		}
		for _, s := range append(f.Found, f.Problem) {
			if len(s) > maxFoundBytes+len("…") || strings.Contains(s, "\x1b") {
				t.Errorf("%s: %.60q", f.Record.Kind, s)
			}
		}
	}
}

func TestCheckMX(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  bool
		found []string
	}{
		{"ours", []string{"example.com MX 10 mail.mailkin.example"}, true, []string{"10 mail.mailkin.example"}},
		{"in another form", []string{"example.com MX 5 MAIL.Mailkin.Example."}, true,
			[]string{"5 mail.mailkin.example"}},
		{"one of two", []string{"example.com MX 5 a.example.", "example.com MX 10 mail.mailkin.example."}, true,
			[]string{"5 a.example", "10 mail.mailkin.example"}},
		{"another", []string{"example.com MX 5 a.example."}, false, []string{"5 a.example"}},
		{"longer", []string{"example.com MX 5 x.mail.mailkin.example."}, false, []string{"5 x.mail.mailkin.example"}},
		{"no mail at all", []string{"example.com MX 0 ."}, false, []string{"0 "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := testPlan().Check(t.Context(), &world{lines: tt.lines}).of(t, KindMX)
			if f.Verified != tt.want || !slices.Equal(f.Found, tt.found) {
				t.Errorf("%+v", f)
			}
		})
	}
}
