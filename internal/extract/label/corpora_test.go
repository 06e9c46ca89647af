package label

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/corpustest"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
)

// received is a mail as it is labelled when it arrives. Its envelope is what Return-Path says.
func received(raw []byte) Mail {
	m := rfc822.Parse(raw, rfc822.Limits{})
	mail := Mail{Subject: m.Subject, Text: m.Text, Header: m.Header.First}
	if len(m.From) > 0 {
		mail.From = m.From[0].Address
	}
	mail.EnvelopeFrom = mail.From
	if path := strings.Trim(m.Header.First("Return-Path"), "<> "); path != "" || m.Header.Raw("Return-Path") != "" {
		mail.EnvelopeFrom = path
	}
	top, _, _ := strings.Cut(m.Header.First("Content-Type"), ";")
	mail.Types = []string{strings.ToLower(strings.TrimSpace(top))}
	for _, p := range m.Parts {
		mail.Types = append(mail.Types, p.ContentType)
	}
	return mail
}

// tally counts what is right, by name.
type tally struct{ right, all map[string]int }

func newTally() tally { return tally{map[string]int{}, map[string]int{}} }

func (c tally) count(t *testing.T, name string, ok bool, format string, args ...any) {
	t.Helper()
	c.all[name]++
	if ok {
		c.right[name]++
	} else {
		t.Logf(name+": "+format, args...)
	}
}

func (c tally) atLeast(t *testing.T, name string, percent int) {
	t.Helper()
	t.Logf("%s: %d of %d", name, c.right[name], c.all[name])
	if c.all[name] == 0 || c.right[name]*100 < c.all[name]*percent {
		t.Errorf("%s: only %d of %d", name, c.right[name], c.all[name])
	}
}

// TestBouncesInCorpora compares with what other programs say of bounces, complaints and automatic replies.
func TestBouncesInCorpora(t *testing.T) {
	root := filepath.Join(corpustest.Dir(t), "bounces")
	count := newTally()
	for _, set := range []string{"sisimai", "bounce_email"} {
		var index struct {
			Files map[string]struct{ Expect struct{ Class string } }
		}
		b, err := os.ReadFile(filepath.Join(root, set, "index.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &index); err != nil {
			t.Fatal(err)
		}
		for name, f := range index.Files {
			raw, err := os.ReadFile(filepath.Join(root, set, "files", name))
			if err != nil {
				t.Fatal(err)
			}
			m := received(raw)
			labels := Of(m)
			bounce, autoreply := slices.Contains(labels, mailbox.LabelBounce),
				slices.Contains(labels, mailbox.LabelAutoreply)
			switch f.Expect.Class {
			case "bounce":
				count.count(t, "bounce", bounce, "%s: %q from %q %q %q", name, labels, m.EnvelopeFrom, m.From,
					m.Subject)
			case "autoreply":
				count.count(t, "autoreply", autoreply && !bounce, "%s: %q from %q %q %q", name, labels, m.EnvelopeFrom,
					m.From, m.Subject)
			case "complaint", "delivered", "not-a-bounce":
				count.count(t, "no bounce", !bounce, "%s: %q from %q %q %q", name, labels, m.EnvelopeFrom, m.From,
					m.Subject)
			}
		}
	}
	count.atLeast(t, "bounce", 95)
	count.atLeast(t, "autoreply", 100)
	count.atLeast(t, "no bounce", 85)
}

// TestKindsInCorpora takes mails of which only sender, subject and text are known.
func TestKindsInCorpora(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "codes", "dev.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	want := map[string]string{
		"receipt": mailbox.LabelNotification, "order": mailbox.LabelNotification, "shipping": mailbox.LabelNotification,
		"security-notice": mailbox.LabelNotification, "personal": mailbox.LabelPersonal,
	}
	count := newTally()
	for line := range strings.Lines(string(b)) {
		var m struct{ ID, Kind, Channel, From, Subject, Text string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m.Channel != "mail" || want[m.Kind] == "" || m.Kind != "personal" && m.From == "" {
			continue
		}
		from := m.From
		if _, after, ok := strings.Cut(from, "<"); ok {
			from = strings.TrimSuffix(after, ">")
		}
		labels := Of(Mail{From: from, EnvelopeFrom: from, Subject: m.Subject, Text: m.Text})
		count.count(t, m.Kind, slices.Contains(labels, want[m.Kind]), "%s: %q %q %q", m.ID, labels, from, m.Subject)
	}
	for _, kind := range []string{"receipt", "order", "shipping", "security-notice", "personal"} {
		count.atLeast(t, kind, 90)
	}
}
