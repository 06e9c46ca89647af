package link

import "testing"

func TestInvitation(t *testing.T) {
	const secret = "https://app.example/x?token=9fKq27LmZt81QwXy55"
	for _, tt := range []struct {
		name, subject, html string
		want                Kind
	}{
		{"its text", "Ann invited you to Acme", `<a href="https://app.example/i/1">Accept invitation</a>`, Invitation},
		{"its text, with a secret", "Acme", `<a href="` + secret + `">Accept the invitation</a>`, Invitation},
		{"join", "You've been invited to Acme", `<a href="` + secret + `">Join now</a>`, Invitation},
		{"target", "Acme", `<a href="https://app.example/invite/9fKq27LmZt81QwXy55">Get started</a>`, Invitation},
		{"German", "Einladung zu Acme", `<a href="` + secret + `">Einladung annehmen</a>`, Invitation},
		{"French", "Anne vous invite à rejoindre Acme", `<a href="` + secret + `">Accepter l'invitation</a>`, Invitation},
		{"Japanese", "Acmeへの招待", `<a href="` + secret + `">招待を承認する</a>`, Invitation},
		{"Chinese", "您被邀请加入 Acme", `<a href="` + secret + `">接受邀请</a>`, Invitation},
		{"turned down", "Ann invited you to Acme", `<a href="https://app.example/i/2">Decline the invitation</a>`, Other},
		{"to invite others", "Earn rewards", `<a href="https://app.example/refer">Invite friends</a>`, Other},
		{"help", "Ann invited you to Acme", `<a href="https://app.example/help/a/b">Help</a>`, Other},
		{"to verify first", "Ann invited you to Acme", `<a href="` + secret + `">Verify your email</a>`, Verify},
		{"to unsubscribe", "Ann invited you to Acme", `<a href="` + secret + `">Unsubscribe</a>`, Unsubscribe},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Find(Mail{Subject: tt.subject, View: seen(tt.html)})
			if len(got) != 1 || got[0].Kind != tt.want {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
}
