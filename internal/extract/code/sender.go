package code

import "strings"

// senderPoints is what the sender's name and address add: such mail comes from accounts made for it.
func senderPoints(m *Mail) float64 {
	from := strings.ToLower(clip(m.From) + " " + clip(m.FromName))
	for _, w := range []string{
		"account", "auth", "do-not-reply", "donotreply", "login", "no-reply", "noreply", "otp", "security", "signin",
		"sso", "verif",
	} {
		if strings.Contains(from, w) {
			return 0.25
		}
	}
	return 0
}

func clip(s string) string { return s[:min(len(s), maxHeader)] }

// isSender says whether a token is but the sender's name: N26, AUTH0.
func isSender(t *token, m *Mail) bool {
	if t.shape != shapeMixed && t.shape != shapeLetters {
		return false
	}
	code := strings.ToLower(t.code)
	return strings.Contains(strings.ToLower(clip(m.FromName)), code) || strings.Contains(strings.ToLower(clip(m.From)), code)
}
