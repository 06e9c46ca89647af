package link

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// target reads a reference as a browser does and returns it if it leads to a web page. Beyond what the sender wrote it
// has no tabs and line ends, and %20 for spaces.
func target(ref string) (string, bool) {
	ref = strings.TrimFunc(ref, func(r rune) bool { return r <= ' ' || unicode.IsSpace(r) || lexicon.Invisible(r) })
	if len(ref) > maxURL || len(ref) < len("http://x") {
		return "", false
	}
	if strings.ContainsAny(ref, "\t\r\n \x00") {
		ref = strings.NewReplacer("\t", "", "\r", "", "\n", "", " ", "%20", "\x00", "").Replace(ref)
	}
	n := schemeLength(ref)
	if n == 0 {
		return "", false
	}
	rest := strings.TrimLeft(ref[n:], `/\`)
	if rest == ref[n:] {
		return "", false
	}
	if !strings.HasPrefix(ref[n:], "//") || len(ref)-n-len(rest) != 2 {
		ref = ref[:n] + "//" + rest // QUIRK: https:/\evil.example works in browsers
	}
	return ref, isHost(authority(ref))
}

// schemeLength is how long "http:" or "https:" is at the start of s, 0 if it is neither.
func schemeLength(s string) int {
	for _, scheme := range [...]string{"https:", "http:"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// authority is the part of a URL between "//" and the path, with user name and port.
func authority(u string) string {
	_, rest, _ := strings.Cut(u, "//")
	if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
		return rest[:end]
	}
	return rest
}

// hostPort parts the host from the user name before it.
func hostPort(authority string) (user, host string) {
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		return authority[:at], authority[at+1:]
	}
	return "", authority
}

// isHost tells whether the host of an authority can be one, and not what a template was to put there.
func isHost(authority string) bool {
	_, host := hostPort(authority)
	letters := false
	for _, r := range host {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			letters = true
		case r == '.' || r == '-' || r == '_' || r == ':' || r == '[' || r == ']' || r == '%':
		case r < 0x80 || r == unicode.ReplacementChar:
			return false
		default:
			letters = true
		}
	}
	return letters && strings.IndexByte("-:%", host[0]) < 0
}

// hostOf is the host that a browser asks for, in lower case, without port and final dot.
func hostOf(u string) string {
	_, host := hostPort(authority(u))
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	if strings.IndexByte(host, '%') >= 0 {
		if plain, err := url.PathUnescape(host); err == nil {
			host = plain
		}
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
