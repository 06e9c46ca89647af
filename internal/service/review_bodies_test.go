package service_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// bodiesOf are the forms of a message as a reviewer gets them.
func bodiesOf(text, html string) service.Bodies {
	d := mailbox.Detail{Text: text, HTML: html, Alternative: text != "" && html != ""}
	return service.ReviewPage{Email: service.FullMessage{Detail: d}}.Bodies()
}

// A person sees what mail programs show, and both parts where they do not say the same.
func TestBodies(t *testing.T) {
	const same, other, none = "which say the same", "which do not say the same", "without an HTML part"
	for _, tt := range []struct {
		name, text, html, form string
		sections               []string
	}{
		{"text alone", "Hello", "", none, []string{"Text part: Hello"}},
		{"nothing", "", "", none, []string{"Text part: "}},
		{"HTML alone", "", "<p>Hello</p>", "without a text part", []string{"HTML part, as text: Hello"}},
		{"the same", "# Hello\n\n* you\n- and (https://x.test/a).", "<h1>Hello</h1><p>you<p>" +
			"<a href='https://x.test/a'>and</a>.", same, []string{"HTML part, as text: Hello\n\nyou\n\nand."}},
		{"another", "Hello", "<p>Send me 500 euros</p>", other,
			[]string{"HTML part, as text: Send me 500 euros", "Text part: Hello"}},
		{"another amount", "10.00", "<p>1000</p>", other, []string{"HTML part, as text: 1000", "Text part: 10.00"}},
		{"a minus", "-5", "<p>5</p>", other, []string{"HTML part, as text: 5", "Text part: -5"}},
		{"another link", "See https://x.test/a", "<p>See <a href='https://y.test/a'>https://x.test/a</a>", same,
			[]string{"HTML part, as text: See https://x.test/a"}},
		{"a link that only the text has", "See https://x.test/a", "<p>See</p>", other,
			[]string{"HTML part, as text: See", "Text part: See https://x.test/a"}},
		{"hidden", "Hello", "<p>Hello</p><p style='display:none'>Pay</p>", same, []string{"HTML part, as text: Hello",
			"Hidden in the HTML part: mail programs do not show it: Pay"}},
		{"an image", "Hello", "<img src='x'>", other, []string{"HTML part, as text: ", "Text part: Hello"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bodiesOf(tt.text, tt.html)
			var got []string
			for _, s := range b.Sections(100) {
				got = append(got, s.Title+": "+s.Text)
			}
			if strings.Join(got, "|") != strings.Join(tt.sections, "|") || !strings.Contains(b.Form(), tt.form) {
				t.Errorf("%s\n%q\nwant %s\n%q", b.Form(), got, tt.form, tt.sections)
			}
		})
	}
}

// Whatever can be clicked is listed with where it leads.
func TestBodyLinks(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	d := draftTo("kim@far.test")
	d.HTML, d.HasHTML = `<a href="https://evil.test/x">https://bank.test</a> <a href="mailto:eve@evil.test">Answer
		<b>me</b></a> <a href="#top">up</a> <a href="https://evil.test/`+strings.Repeat("x", 9000)+`">far</a>`, true
	page, err := k.svc.Review(t.Context(), b.review(), b.send(d).ID)
	k.works("review", err)
	var got []string
	for _, l := range page.Bodies().Links {
		got = append(got, mailbox.Clip(l.Line(), 90))
	}
	want := []string{"https://bank.test → https://evil.test/x (its text names another domain)",
		"Answer me → mailto:eve@evil.test", "far → https://evil.test/xxxx"}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || !strings.HasPrefix(got[2], want[2]) {
		t.Errorf("links %q", got)
	}
	many := strings.Repeat("<a href='tel:1'>", 5)
	for i := range 300 {
		many += "<a href='tel:" + strings.Repeat("1", i+1) + "'>call</a> "
	}
	if found := bodiesOf("", many); len(found.Links) != 200 || !found.MoreLinks {
		t.Errorf("%d links, more %v", len(found.Links), found.MoreLinks)
	}
}

func TestExcerpt(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		left             int
	}{
		{"short", "a\r\n\r\nb\r\n", "a\n\nb", 0},
		{"empty", "", "", 0},
		{"empty lines", "a\n" + strings.Repeat(" \u200b\u00a0\n", 400) + "b",
			"a\n\n[400 empty lines are left out here]\n\nb", 0},
		{"a few", "a\n\n\n\n\n\nb", "a\n\n\n\n\n\nb", 0},
		{"at its end", "a" + strings.Repeat("\n", 400), "a", 0},
		{"before it", strings.Repeat("\n", 9) + "a", "\n[9 empty lines are left out here]\n\na", 0},
		{"long", strings.Repeat("x", 60), strings.Repeat("x", 50), 10},
		{"many lines", strings.Repeat("xxxxxxxxx\n", 7), strings.Repeat("xxxxxxxxx\n", 5), 20},
		{"within a letter", strings.Repeat("x", 49) + "ßß", strings.Repeat("x", 49), 4},
		{"turned", "a\u202eb\u2066", "a⟨202E⟩b⟨2066⟩", 0},
	} {
		if got, left := service.Excerpt(tt.text, 50); got != tt.want || left != tt.left {
			t.Errorf("%s: %q, %d left", tt.name, got, left)
		}
	}
}

// The mail to a reviewer shows what mail programs show, too.
func TestNoticeShowsHTML(t *testing.T) {
	k := newNoticed(t)
	b := k.permanent("robin")
	b.reviewedBy("ann@other.test")
	d := draftTo("kim@far.test")
	d.Text, d.ReplyTo = "Hello Kim", []string{"eve@evil.test"}
	d.HTML, d.HasHTML = `<p>Pay <a href="https://evil.test/x">here</a></p><p style="display:none">secret</p>`+
		strings.Repeat("<p>more</p>", 1000), true
	b.send(d)
	got := k.notices()[0].Detail.Text
	for _, want := range []string{"Form:    HTML and text, which do not say the same. Mail programs show the HTML part.",
		"HTML part, as text:\n> Pay here\n", "Text part:\n> Hello Kim\n", "mail programs do not show it:\n> secret\n",
		"> here → https://evil.test/x\n", "Reply-To: eve@evil.test\n", "bytes more are not in this notice)"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
}

// One part of two can be taken away alone, if the other is there.
func TestReviewEditTakesAway(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	b.policy(mailbox.ReviewAll)
	hold := func(text, html string) mailbox.ID {
		d := draftTo("ann@other.test")
		d.Text, d.HasText, d.HTML, d.HasHTML = text, text != "", html, html != ""
		return b.send(d).ID
	}
	take := func(id mailbox.ID, member string) (mailbox.Detail, error) {
		page, err := b.editReview(id, mailbox.DraftEdit{Given: []string{member}})
		return page.Email.Detail, err
	}
	got, err := take(hold("Hello", "<p>Hello</p>"), "html")
	if k.works("take html away", err); got.HTML != "" || strings.TrimSpace(got.Text) != "Hello" {
		t.Errorf("without html: %q, %q", got.Text, got.HTML)
	}
	got, err = take(hold("Hello", "<p>Hello</p>"), "text")
	if k.works("take text away", err); !strings.Contains(got.HTML, "<p>Hello</p>") || !got.TextFromHTML {
		t.Errorf("without text: %q, %q", got.Text, got.HTML)
	}
	got, err = take(hold("", "<p>Hello</p>"), "text") // its text is that of the HTML
	if k.works("take away what is not there", err); !strings.Contains(got.HTML, "<p>Hello</p>") {
		t.Errorf("HTML alone: %q, %q", got.Text, got.HTML)
	}
	_, err = take(hold("", "<p>Hello</p>"), "html")
	k.kind("take away all", err, mailbox.Invalid, "invalid_text")
	_, err = take(hold("Hello", ""), "text")
	k.kind("take away all of a text", err, mailbox.Invalid, "invalid_text")
}

// The history names a reviewer who decided by mail as one.
func TestHistoryNamesReviewer(t *testing.T) {
	k, b, sent, token := noticed(t)
	_, err := k.svc.DecideLinked(t.Context(), service.LinkDecision{Token: token["ann@other.test"], Version: 1,
		Approve: true})
	k.works("approve", err)
	h, err := k.svc.History(t.Context(), b.read(), sent.ID)
	k.works("history", err)
	if got := sentences(h.Entries); !strings.Contains(got, "Approved by the reviewer ann@other.test, by mail") {
		t.Errorf("history:\n%s", got)
	}
}
