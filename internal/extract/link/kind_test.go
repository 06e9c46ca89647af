package link

import "testing"

// kindOf is the kind of the link to url.
func kindOf(t *testing.T, m Mail, url string) Kind {
	t.Helper()
	for _, l := range Find(m) {
		if l.URL == url {
			return l.Kind
		}
	}
	t.Fatalf("no link to %s in %+v", url, Find(m))
	return ""
}

const (
	plain   = "https://acme.example/page"
	front   = "https://acme.example/"
	tokened = "https://acme.example/x?token=8c1f0d2e"
	wrapper = "https://click.mailer.example/ls/click?upn=u001.Kj3k9Xz81qLd03Vx7AAbb22cc"
	keyed   = "https://acme.example/u/r/9f8e7d6c5b4a"
)

// TestKindByText is about what the link's own text says.
func TestKindByText(t *testing.T) {
	for _, tt := range []struct {
		text, url string
		want      Kind
	}{
		{"Verify your email", wrapper, Verify},
		{"VERIFY EMAIL ADDRESS", front, Verify},
		{"Confirm my account", plain, Verify},
		{"Confirm subscription", wrapper, Verify},
		{"Activate account", wrapper, Verify},
		{"Complete registration", wrapper, Verify},
		{"Finish signing up", wrapper, Verify},
		{"Verify my identity", wrapper, Verify},
		{"Unlock my account", wrapper, Verify},
		{"Confirm your order", wrapper, Other},
		{"Confirm booking", tokened, Other},
		{"Confirm your shipping address", wrapper, Other},
		{"Activate your offer", wrapper, Other},
		{"Confirm attendance", wrapper, Other},
		{"Confirm", wrapper, Verify},
		{"View your account activity", wrapper, Other},
		{"Account settings", tokened, Other},

		{"Reset password", plain, Reset},
		{"Choose a new password", wrapper, Reset},
		{"Set your password", wrapper, Reset},
		{"Forgot your password?", plain, Reset},
		{"Recover my account", wrapper, Reset},
		{"Restore access to your account", wrapper, Reset},
		{"Password policy", wrapper, Other},
		{"Change plan", wrapper, Other},

		{"Sign in to Acme", tokened, SignIn},
		{"Log in with magic link", wrapper, SignIn},
		{"Your sign-in link", front, SignIn},
		{"Log in", "https://acme.example/login", Other},
		{"Log in", "https://acme.example/login?next=/inbox&utm_source=mail", Other},
		{"Log in to see your statement", wrapper, Other},
		{"Log in", "https://acme.example/login/4f6d2a9c8b7e1035aa", SignIn},

		{"Unsubscribe", wrapper, Unsubscribe},
		{"unsubscribe here", front, Unsubscribe},
		{"Opt out", wrapper, Unsubscribe},
		{"Unsubscribe or manage your preferences", wrapper, Unsubscribe},
		{"Stop receiving these emails", wrapper, Unsubscribe},
		{"Manage preferences", wrapper, Other},
		{"Email settings", plain, Other},

		{"Privacy policy", wrapper, Other},
		{"Track your order", wrapper, Other},
		{"Accept invitation", tokened, Invitation},
		{"Subscribe now", wrapper, Other},
		{"Sign up", wrapper, Other},
		{"Read more", tokened, Other},
		{"<img src=x>", plain, Other},
	} {
		t.Run(tt.text+" "+tt.url, func(t *testing.T) {
			m := Mail{Subject: "Acme", View: seen(`<p>Hello.</p><p><a href="` + tt.url + `">` + tt.text + `</a></p>`)}
			if got := kindOf(t, m, tt.url); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestKindByTarget is about what the path and the parameters say, where the text says nothing.
func TestKindByTarget(t *testing.T) {
	for _, tt := range []struct {
		url  string
		want Kind
	}{
		{"https://acme.example/verify-email/8c1f0d2e", Verify},
		{"https://acme.example/users/confirmation?confirmation_token=x1", Verify},
		{"https://acme.example/account/activate/MQ/abc-123", Verify},
		{"https://acme.example/verifyEmail?c=1", Verify},
		{"https://acme.example/VerifyEmail?c=1", Verify},
		{"https://acme.example/__/auth/action?mode=verifyEmail&oobCode=x", Verify},
		{"https://acme.example/confirm?code=8c1f0d2e", Verify},
		{"https://acme.example/newsletter/confirm/8c1f", Verify},
		{"https://acme.example/verify", Other},
		{"https://acme.example/order/confirm?token=8c1f0d2e", Other},
		{"https://acme.example/users/password/edit?reset_password_token=abc", Reset},
		{"https://acme.example/wp-login.php?action=rp&key=1&login=jo", Reset},
		{"https://acme.example/wp-login.php?action=resetpassword&key=1&login=jo", Reset},
		{"https://acme.example/reset-password/8c1f", Reset},
		{"https://acme.example/forgotPassword?x=1", Reset},
		{"https://acme.example/__/auth/action?mode=resetPassword&oobCode=x", Reset},
		{"https://acme.example/auth/v1/verify?token=x&type=recovery", Reset},
		{"https://acme.example/auth/v1/verify?token=x&type=magiclink", SignIn},
		{"https://acme.example/magic-link/8c1f", SignIn},
		{"https://acme.example/auth/magic?t=8c1f", SignIn},
		{"https://acme.example/login?token=8c1f", SignIn},
		{"https://acme.example/login", Other},
		{"https://acme.example/unsubscribe/8c1f", Unsubscribe},
		{"https://acme.example/email/optout?u=1", Unsubscribe},
		{"https://acme.example/newsletter/abmelden", Unsubscribe},
		{"https://safe.example/?url=https%3A%2F%2Facme.example%2Freset-password%3Ftoken%3D1&data=x", Reset},
		{"https://acme.example/article/how-to-stay-safe-2024-edition-001", Other},
		{"https://acme.example/?utm_source=verify&utm_campaign=email", Other},
		{"https://acme.example/p?redirect=https://acme.example/reset/password", Other},
		{"https://verify.example/account", Other},
	} {
		t.Run(tt.url, func(t *testing.T) {
			if got := kindOf(t, Mail{Text: "Hello Jo,\n\n" + tt.url + "\n"}, tt.url); got != tt.want {
				t.Errorf("bare: got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestKindBySentence is about what is around a link that says nothing itself. The link is where @ is.
func TestKindBySentence(t *testing.T) {
	for _, tt := range []struct {
		name, text, url string
		want            Kind
	}{
		{"before", "Please confirm your email address: @", tokened, Verify},
		{"line before", "Please confirm your email address:\n@", tokened, Verify},
		{"paragraph before", "To reset your password, follow this link:\n\n@\n\nThanks", wrapper, Reset},
		{"after", "Click @ to verify your account.", wrapper, Verify},
		{"two sentences before", "You asked us to reset your password. Use the link below.\n\n@", wrapper, Reset},
		{"label", "Verify at @", "https://acme.example/session/12345678", Verify},
		{"somebody else's request", "If you did not request this password reset, click here: @", tokened, Other},
		{"ignore, then the link", "Confirm your email address with the link below. If that wasn't you, ignore this " +
			"mail.\n\n@", wrapper, Verify},
		{"fallback for a button", "Confirm your account\n\nIf the button does not work, copy this into your browser:\n@", wrapper, Verify},
		{"unsubscribe", "You get this because you signed up. To unsubscribe: @", wrapper, Unsubscribe},
		{"no longer", "If you no longer wish to receive these mails, visit @", plain, Unsubscribe},
		{"other label on the line", "Website: @\nUnsubscribe: https://acme.example/out", plain, Other},
		{"sign in", "Click the link below to sign in to Acme.\n\n@", tokened, SignIn},
		{"sign in, a wrapper", "Here is your magic link: @", wrapper, SignIn},
		{"sign in, no secret", "Log in at @ to see more.", "https://acme.example/login", Other},
		{"failed sign-ins", "Your account was locked after too many failed log in attempts. Unlock it here: @", tokened,
			Verify},
		{"order", "Please confirm your order here: @", tokened, Other},
		{"signature", "Best regards\nThe Acme team\n@", tokened, Other},
		{"track", "Track your parcel: @", "https://acme.example/t/1Z999AA10123456784", Other},
		{"two-factor", "We suggest that you turn on two-factor authentication: @", plain, Other},
		{"bar", "Verify your email | Blog: @", wrapper, Other},
		{"short key, two sentences before", "Someone asked to reset the password of your account. If it was you, " +
			"follow this link:\n\n@", keyed, Reset},
		{"short key, about nothing", "Kim wrote to you. Follow this link:\n\n@", keyed, Other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, m := range []Mail{
				{Subject: "Acme", Text: fill(tt.text, tt.url)},
				{Subject: "Acme", View: seen(asHTML(fill(tt.text, `<a href="`+tt.url+`">this link</a>`)))},
			} {
				if got := kindOf(t, m, tt.url); got != tt.want {
					t.Errorf("got %s, want %s: %s", got, tt.want, m.Text)
				}
			}
		})
	}
}

// TestKindBySubject is about mail in which only the subject says what it is for.
func TestKindBySubject(t *testing.T) {
	for _, tt := range []struct {
		name, subject, body string
		want                map[string]Kind
	}{
		{"generic text", "Verify your email address", `<p>Welcome!</p><a href="` + wrapper + `">Continue</a>`,
			map[string]Kind{wrapper: Verify}},
		{"a button that says something", "Confirm your account", `<p>Hi</p><a href="` + wrapper +
			`">Yes, that is right</a><p><a href="` + plain + `">Acme Inc</a>`,
			map[string]Kind{wrapper: Verify, plain: Other}},
		{"only the first", "Reset your password", `<a href="` + wrapper + `">Continue</a> <a href="` + wrapper +
			`1">Continue</a>`,
			map[string]Kind{wrapper: Reset, wrapper + "1": Other}},
		{"not if a link says it", "Reset your password", `<a href="` + wrapper + `">Continue</a> <a href="` + plain +
			`">Reset password</a>`,
			map[string]Kind{wrapper: Other, plain: Reset}},
		{"no secret", "Verify your email", `<a href="` + plain + `">Continue</a>`, map[string]Kind{plain: Other}},
		{"a notice", "Your password was changed", `<p>Hello.</p><a href="` + wrapper + `">Continue</a>`,
			map[string]Kind{wrapper: Other}},
		{"a new sign-in", "New sign-in to your account", `<p>Hello.</p><a href="` + wrapper + `">Review</a>`,
			map[string]Kind{wrapper: Other}},
		{"a magic link", "Your magic link", `<p>Hello.</p><a href="` + wrapper + `">Open Acme</a>`,
			map[string]Kind{wrapper: SignIn}},
		{"sign in, and a button for it", "Sign in to Acme", `<p>Hello.</p><a href="` + wrapper + `">Sign in</a>`,
			map[string]Kind{wrapper: SignIn}},
		{"login page in a welcome", "Welcome to Acme", `<p>Hello.</p><a href="https://acme.example/login">Log in</a>`,
			map[string]Kind{"https://acme.example/login": Other}},
		{"not the logo", "Verify your email", `<a href="` + wrapper +
			`"><img src="logo.png"></a><p>Welcome!</p><a href="` + wrapper + `1">Get started</a>`,
			map[string]Kind{wrapper: Other, wrapper + "1": Verify}},
		{"not the logo before a sentence", "Hello",
			`<a href="` + wrapper + `"><img src="logo.png"></a><p>We got a request to reset your password.</p><a href="` + wrapper + `1">Continue</a>`,
			map[string]Kind{wrapper: Other, wrapper + "1": Reset}},
		{"help is not it", "Verify your email", `<a href="` + wrapper + `">Help center</a>`,
			map[string]Kind{wrapper: Other}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for url, want := range tt.want {
				if got := kindOf(t, Mail{Subject: tt.subject, View: seen(tt.body)}, url); got != want {
					t.Errorf("%s: got %s, want %s", url, got, want)
				}
			}
		})
	}
}

// A page that is mentioned in a sentence is not what the sentence asks for.
func TestKindOfMentioned(t *testing.T) {
	for text, want := range map[string]Kind{
		"You must confirm your email address with Acme before you can use the shop at " + front: Other,
		"Please click to confirm your email address: " + front:                                  Verify,
	} {
		if got := kindOf(t, Mail{Text: text}, front); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	const page = "https://acme.example/blog/password-reset-done-right"
	if got := kindOf(t, Mail{View: seen(`<a href="` + page + `">Ten things we learnt</a>`)}, page); got != Other {
		t.Errorf("an article: got %s", got)
	}
}

func TestKindByHeader(t *testing.T) {
	const u = "https://acme.example/e/9?x=1"
	m := Mail{View: seen(`<a href="` + u + `">Click</a>`), Unsubscribe: "<mailto:out@acme.example>, " +
		"<https://acme.example/e/9\n ?x=1>"}
	if got := kindOf(t, m, u); got != Unsubscribe {
		t.Errorf("in the body: got %s", got)
	}
	m.View = nil
	if got := Find(m); len(got) != 1 || got[0] != (Link{URL: u, Text: u, Kind: Unsubscribe}) {
		t.Errorf("in the header alone: got %+v", got)
	}
	m.View = seen(`<a href="https://acme.example/o">Unsubscribe</a>`)
	if got := Find(m); len(got) != 1 {
		t.Errorf("beside one in the body: got %+v", got)
	}
	m = Mail{Unsubscribe: "https://acme.example/bare"}
	if got := Find(m); len(got) != 0 || Any(m) {
		t.Errorf("without brackets: got %+v", got)
	}
}
