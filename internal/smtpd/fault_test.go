package smtpd

import (
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// A server that takes every log-in offers it before TLS and after, and tells the backend the name.
func TestAnyLogin(t *testing.T) {
	const mail = `
		C: MAIL FROM:<any@where.test> AUTH=<>
		S: 250
		C: RCPT TO:<any@one.test>
		S: 250
		C: DATA
		S: 354
		R: "a\r\n.\r\n"
		S: 250`
	for _, row := range []struct{ name, login, user, proto string }{
		{"plain", "C: " + auth("robin", "anything") + "\nS: 235 2.7.0", "robin", "ESMTPA"},
		{"for somebody else", "C: AUTH PLAIN " + coded("wren\x00robin\x00x") + "\nS: 235 2.7.0", "", "ESMTPA"},
		{"in two steps", "C: AUTH LOGIN\nS: 334\nC: " + coded("robin") + "\nS: 334\nC: " + coded("") +
			"\nS: 235 2.7.0\nC: AUTH LOGIN\nS: 503 5.5.1", "robin", "ESMTPA"},
		{"none", "", "-", "ESMTP"},
	} {
		for _, secure := range []bool{false, true} {
			t.Run(row.name, func(t *testing.T) {
				b := &post{}
				server, trusting := testTLS(t)
				_, addr := start(t, Config{AnyLogin: true, TLS: server}, b)
				c := dial(t, addr)
				c.expect("220")
				c.send("EHLO client.test\r\n")
				proto := row.proto
				if !slices.Contains(c.expectReply("250"), "250-AUTH PLAIN LOGIN") {
					t.Error("AUTH is not offered")
				}
				if secure {
					c.play("C: STARTTLS\nS: 220")
					c.secure(trusting)
					c.send("EHLO client.test\r\n")
					if !slices.Contains(c.expectReply("250"), "250-AUTH PLAIN LOGIN") {
						t.Error("AUTH is not offered over TLS")
					}
					proto = map[string]string{"ESMTP": "ESMTPS", "ESMTPA": "ESMTPSA"}[proto]
				}
				c.play(row.login + mail)
				got, user := b.stored[0].env, "-"
				if got.Captured != nil {
					user = got.Captured.User
				}
				if user != row.user || got.Proto != proto {
					t.Errorf("user %q by %s, want %q by %s", user, got.Proto, row.user, proto)
				}
			})
		}
	}
}

func TestFault(t *testing.T) {
	var stage mailbox.ChaosStage
	b := &post{}
	_, addr := start(t, Config{AnyLogin: true, Fault: func(s mailbox.ChaosStage) (int, bool) {
		return 456, s == stage
	}}, b)
	for _, row := range []struct {
		stage  mailbox.ChaosStage
		script string
	}{
		{mailbox.ChaosAuthentication, "C: " + auth("robin", "x") + "\nS: 456 4.3.0 Chaos"},
		{mailbox.ChaosSender, "C: MAIL FROM:<a@b.test>\nS: 456 4.3.0 Chaos\nC: RCPT TO:<a@b.test>\nS: 503"},
		{mailbox.ChaosRecipient, "C: MAIL FROM:<a@b.test>\nS: 250\nC: RCPT TO:<a@b.test>\nS: 456 4.3.0 Chaos\n" +
			"C: DATA\nS: 503"},
		{"", "C: " + auth("robin", "x") + "\nS: 235\nC: MAIL FROM:<a@b.test>\nS: 250\nC: RCPT TO:<a@b.test>\nS: 250"},
	} {
		t.Run(string(row.stage), func(t *testing.T) {
			stage = row.stage
			c := dial(t, addr)
			c.expect("220")
			c.play("C: EHLO client.test\nS* 250\n" + row.script)
		})
	}
}
