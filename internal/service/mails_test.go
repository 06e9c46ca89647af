package service_test

import (
	"crypto/sha1"
	"fmt"
	"net/mail"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
)

// TestMailsCorpus reads sets of mails that a person judged before they were measured: each begins with its labels,
// whether it is suspicious, and what authentication says. Only misses of the seen half are named.
func TestMailsCorpus(t *testing.T) {
	for _, set := range []struct {
		file           string
		labels, trusts int // percent that are right in each half
	}{
		{"mails", 93, 97},
		{"mails_second", 93, 97},
	} {
		t.Run(set.file, func(t *testing.T) {
			all, labelled, trusted := measureMails(t, set.file)
			for _, half := range []string{"seen", "held out"} {
				t.Logf("%s: labels %d of %d, trust %d of %d", half, labelled[half], all[half], trusted[half], all[half])
				if labelled[half]*100 < all[half]*set.labels || trusted[half]*100 < all[half]*set.trusts {
					t.Errorf("%s: too few are as expected", half)
				}
			}
		})
	}
}

// authentications are what the checks of a sender found, by the word that a set has for it.
var authentications = map[string]sender.Result{
	"pass": passed,
	"fail": {SPF: "fail", DKIM: "none", DMARC: "fail", ARC: "none", Checked: true},
	"none": {SPF: "pass", DKIM: "none", DMARC: "none", ARC: "none", Checked: true},
	// A list that changes the mail, a plain forwarder, and one that rewrites the envelope.
	"list":    {SPF: "pass", DKIM: "fail", DMARC: "fail", ARC: "none", Checked: true},
	"forward": {SPF: "fail", DKIM: "pass", DMARC: "pass", ARC: "none", FromAligned: true, Checked: true},
	"srs":     {SPF: "pass", DKIM: "none", DMARC: "fail", ARC: "none", Checked: true},
}

// measureMails counts, for each half of a set, its mails and those whose labels and trust are as expected.
func measureMails(t *testing.T, set string) (all, labelled, trusted map[string]int) {
	file, err := os.ReadFile("testdata/" + set + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{}
	k := newService(t, func(opt *service.Options) { opt.Senders = o })
	all, labelled, trusted = map[string]int{}, map[string]int{}, map[string]int{}
	for i, part := range strings.Split("\n"+string(file), "\n== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		if strings.HasPrefix(name, "#") {
			continue
		}
		first, raw, _ := strings.Cut(rest, "\n")
		want := strings.Fields(first)
		o.says = authentications[want[2]]
		m := k.judged(fmt.Sprintf("mail%d", i), raw)
		half := "seen"
		if sum := sha1.Sum([]byte("mails/" + name)); sum[0]&1 == 1 {
			half = "held out"
		}
		all[half]++
		labels := slices.DeleteFunc(slices.Clone(m.Labels), func(l string) bool { return l == mailbox.LabelSuspicious })
		if wants(want[0], labels) {
			labelled[half]++
		} else if half == "seen" {
			t.Logf("%s: labels %v, want %s", name, labels, want[0])
		}
		if (m.Verdict.Trust.Level == mailbox.Suspicious) == (want[1] == "bad") {
			trusted[half]++
		} else if half == "seen" {
			t.Logf("%s: want %s, trust %+v", name, want[1], m.Verdict.Trust)
		}
	}
	return all, labelled, trusted
}

// wants says whether labels are one of the alternatives: "notification+newsletter/personal".
func wants(want string, labels []string) bool {
	for alternative := range strings.SplitSeq(want, "/") {
		list := strings.Split(alternative, "+")
		slices.Sort(list)
		if slices.Equal(list, labels) {
			return true
		}
	}
	return false
}

// judged is a mail as a mailbox of its own gets it, from the address that it says.
func (k *kit) judged(name, raw string) service.FullMessage {
	own := k.permanent(name)
	env := k.envelope(own.Address)
	env.Remote = "8.8.8.8"
	head, err := mail.ReadMessage(strings.NewReader(raw + "\n"))
	k.works("read "+raw, err)
	for _, field := range []string{"From", "Return-Path"} {
		if a, err := mail.ParseAddress(head.Header.Get(field)); err == nil {
			env.From = a.Address
		}
	}
	receipts, err := k.svc.Receive(k.Context(), env, strings.NewReader(strings.ReplaceAll(raw, "\n", "\r\n")))
	k.works("receive", err)
	return k.message(own.read(), receipts[0].ID)
}
