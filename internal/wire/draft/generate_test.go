package draft

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes random bodies, most of them nearly right.
type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

// body makes an object, nearly always.
func (g generator) body() string {
	if g.chance(2) {
		return g.space() + g.value(3) + g.space()
	}
	var all []string
	for range g.IntN(8) {
		all = append(all, g.member())
	}
	return g.space() + "{" + strings.Join(all, ",") + g.space() + "}" + g.space()
}

func (g generator) member() string {
	name := g.pick("from", "to", "cc", "bcc", "reply_to", "replyTo", "subject", "text", "html", "headers",
		"attachments", "send_at", "tags",
		"dry_run", "in_reply_to", "email_id", "all", "force", "other", "To", "")
	value := g.value(3)
	if g.chance(80) {
		value = g.right(name)
	}
	return g.space() + g.spell(name) + g.space() + ":" + g.space() + value + g.space()
}

// right is a value of the type that a field has.
func (g generator) right(name string) string {
	switch name {
	case "to", "cc", "bcc", "reply_to", "replyTo":
		return g.pick(g.str(), g.listOf(g.str), "null")
	case "headers":
		return g.objectOf(g.str)
	case "attachments":
		return g.listOf(g.file)
	case "tags":
		return g.pick(g.listOf(g.str), g.objectOf(g.str),
			g.listOf(func() string { return fmt.Sprintf(`{"name":%s,"value":%s}`, g.str(), g.str()) }))
	case "send_at":
		return g.pick(`"2026-01-31T12:00:00Z"`, `"2026-01-31t12:00:00.123456+05:30"`, `"2026-13-31T12:00:00Z"`, "null")
	case "dry_run", "all", "force":
		return g.pick("true", "false", "null")
	}
	return g.str()
}

func (g generator) file() string {
	data := make([]byte, g.IntN(30))
	for i := range data {
		data[i] = byte(g.IntN(256))
	}
	coding := []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
		base64.RawURLEncoding}[g.IntN(4)]
	content := coding.EncodeToString(data)
	if g.chance(10) {
		content = g.pick("=", "Y", " ", "*") + content
	}
	all := []string{`"content":` + g.spell(content)}
	for _, name := range []string{"filename", "content_type", "contentType", "content_id", "other"} {
		if g.chance(30) {
			all = append(all, `"`+name+`":`+g.pick(g.str(), g.str(), g.str(), "null", g.value(1)))
		}
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return "{" + strings.Join(all, ",") + "}"
}

// value is any value.
func (g generator) value(depth int) string {
	if depth == 0 || g.chance(60) {
		return g.pick("null", "true", "false", "0", "-1", "1.5", "2e9", "-0.1E-7", "10", g.str(), g.str())
	}
	inner := func() string { return g.value(depth - 1) }
	return g.pick(g.listOf(inner), g.objectOf(inner))
}

func (g generator) listOf(item func() string) string {
	var all []string
	for range g.IntN(4) {
		all = append(all, g.space()+item()+g.space())
	}
	return "[" + strings.Join(all, ",") + "]"
}

func (g generator) objectOf(item func() string) string {
	var all []string
	for range g.IntN(4) {
		all = append(all, g.space()+g.str()+g.space()+":"+item())
	}
	return "{" + strings.Join(all, ",") + "}"
}

func (g generator) str() string {
	var b strings.Builder
	for range g.IntN(12) {
		b.WriteString(g.pick("a", "b", "é", "€", "😀", "\"", "\\", "/", "\n", "\x7f", "@x.example", "\u2028"))
	}
	s := g.spell(b.String())
	if g.chance(10) {
		s = `"` + g.pick(`\ud800`, `\udc00`, `\ud83d\ude00`, `\ud800\ud83d\ude00`, `\ud800\n`, "\xff", "\xe2\x82",
			`\u0000`, "\x00", `\x`) + s[1:]
	}
	return s
}

// spell writes a string in one of the ways that JSON has.
func (g generator) spell(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '/' && g.chance(50):
			b.WriteString(`\/`)
		case r < 0x10000 && g.chance(5):
			fmt.Fprintf(&b, g.pick(`\u%04x`, `\u%04X`), r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

func (g generator) space() string { return g.pick("", "", "", "", " ", "\n", "\t\r\n ") }

// damage changes a byte, or leaves out the rest.
func (g generator) damage(body []byte) []byte {
	body = append([]byte(nil), body...)
	at := g.IntN(len(body))
	switch g.IntN(4) {
	case 0:
		return body[:at]
	case 1:
		return append(body[:at], body[at+1:]...)
	case 2:
		body[at] = byte(g.IntN(256))
	default:
		body[at] = `"\{}[],:0-9.eEtfn /=`[g.IntN(20)]
	}
	return body
}
