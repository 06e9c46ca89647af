package report

import (
	"strings"
	"testing"
)

func TestFindReply(t *testing.T) {
	for _, tt := range []struct {
		text   string
		code   int
		status string
	}{
		{"550 5.1.1 unknown", 550, "5.1.1"},
		{"550-5.1.1 first 550 5.1.1 second", 550, "5.1.1"},
		{"550 #5.1.0 Address rejected.", 550, "5.1.0"},
		{"said: 550 unknown", 550, ""},
		{"sorry, no mailbox here by that name. (#5.1.1)", 0, "5.1.1"},
		{"554 4.4.7 Message expired.<421 4.4.2 Connection timed out>", 421, "4.4.2"},
		{"550 5.7.1 refused, then 503 5.0.0 need RCPT", 550, "5.7.1"},
		{"host mx.example.com[192.0.2.550] port 465", 0, ""},
		{"Exim 4.92.3 on 5.1.1.9 for 120 hours", 0, ""},
		{"2.0.0 Ok", 0, ""},
		{"550", 550, ""},
		{"x550 5.1.1", 0, "5.1.1"},
		{"", 0, ""},
	} {
		if r := findReply(tt.text); r.code != tt.code || r.status != tt.status {
			t.Errorf("%q gives %+v", tt.text, r)
		}
	}
}

func TestFindCommand(t *testing.T) {
	for _, tt := range []struct {
		text string
		want command
	}{
		{"(in reply to rcpt to command)", cmdRcpt},
		{"(in reply to end of data command)", cmdData},
		{">>> rcpt to:<a@example.com>\n<<< 550 no\n>>> data\n<<< 503 need rcpt", cmdRcpt},
		{">>> data\n<<< 250 ok\n<<< 550 no", cmdData},
		{">>> mail from:<a@example.com>\n<<< 501 no", cmdConnect},
		{" --> rcpt to:<a@example.com>\n <-- 550 no", cmdRcpt},
		{"<<< 550 out of nowhere", cmdAny},
		{"unable to deliver", cmdAny},
	} {
		if got := findCommand(tt.text); got != tt.want {
			t.Errorf("%q gives %d", tt.text, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"<a@example.com>: no", "a@example.com"},
		{"to 'a@example.com', b+c@example.org.", "a@example.com b+c@example.org"},
		{"a@example.com<mailto:a@example.com>", "a@example.com"},
		{"* a@example.com", "a@example.com"},
		{"user@localhost and <user@localhost>", "user@localhost"},
		{"@example.com, a@, @", ""},
		{"=?utf-8?q?x?=@example.com", "?utf-8?q?x?=@example.com"},
		{"jörg@exämple.com", "jörg@exämple.com"},
		{strings.Repeat("a", 400) + "@example.com", ""},
	} {
		if got := strings.Join(addresses(tt.text), " "); got != tt.want {
			t.Errorf("%q gives %q", tt.text, got)
		}
	}
}

func TestCleanAddress(t *testing.T) {
	for _, tt := range []struct{ value, want string }{
		{"rfc822; a@example.com", "a@example.com"},
		{"RFC822;<a@example.com>", "a@example.com"},
		{"a@example.com (A Person)", "a@example.com"},
		{`rfc822; "a b"@example.com`, `"a b"@example.com`},
		{"rfc822; @relay.example:a@example.com", "a@example.com"},
		{"rfc822; =?utf-8?B?8J+QiA==?=@example.com", "=?utf-8?B?8J+QiA==?=@example.com"},
		{"LOCAL; user", "user"},
		{"system;<>", ""},
		{"", ""},
	} {
		if got := cleanAddress(tt.value); got != tt.want {
			t.Errorf("%q gives %q", tt.value, got)
		}
	}
}

func TestSplitOriginal(t *testing.T) {
	for _, tt := range []struct{ name, text, said, original string }{
		{"drawn", "No.\n\n------ This is a copy of the message ------\n\nFrom: a\n", "No.\n\n", "From: a\n"},
		{"announced", "No.\nOriginal message headers:\n\nReceived: x\n", "No.\n", "Received: x\n"},
		{"announced, but words follow", "No.\nThe original message said:\nhello there\n",
			"No.\nThe original message said:\nhello there\n", ""},
		{"in prose", "The original message was received at noon\nNo.\n", "The original message was received at " +
			"noon\nNo.\n", ""},
		{"not announced", "No.\nReturn-Path: <a@example.com>\nFrom: a\n", "No.\n",
			"Return-Path: <a@example.com>\nFrom: a\n"},
		{"indented fields are the report's", "About\n  Message-ID: <a>\n  Received: x\nNo.\n",
			"About\n  Message-ID: <a>\n  Received: x\nNo.\n", ""},
	} {
		if said, original := splitOriginal(tt.text); said != tt.said || original != tt.original {
			t.Errorf("%s: %q and %q", tt.name, said, original)
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, tt := range []struct {
		text string
		max  int
		want string
	}{
		{" a \n\t b ", 10, "a b"},
		{"aaaa bbbb", 6, "aaaa b"},
		{"aaaa bbbb", 5, "aaaa"},
		{"ääää", 3, "ä"},
		{"", 3, ""},
	} {
		if got := oneLine(tt.text, tt.max); got != tt.want {
			t.Errorf("%q to %d gives %q", tt.text, tt.max, got)
		}
	}
}

// TestLimits is about mail that is made to be large.
func TestLimits(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		b.WriteString("Final-Recipient: rfc822; a" + strings.Repeat("x", i%50) + string(rune('a'+i%26)) +
			"@example.com\nAction: failed\nStatus: 5.1.1\n\n")
	}
	raw := dsn("Failed.", b.String())
	if got := read(raw); len(got.Recipients) > maxRecipients || got.Class != Bounce {
		t.Errorf("%s with %d recipients", got.Class, len(got.Recipients))
	}
	long := oneDSN("failed", "5.1.1", "smtp; 550 5.1.1 "+strings.Repeat("ä very long word ", 200))
	got := read(long)
	checkReport(t, got)
	if len(got.Recipients) != 1 || len(got.Recipients[0].Text) < maxWords-20 {
		t.Errorf("%+v", got)
	}
}
