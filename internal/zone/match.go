package zone

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
)

// ownershipProblem is empty where the token is there. Without a token there is nothing that could be.
func ownershipProblem(token string, texts []string) string {
	for _, text := range texts {
		if value, ok := strings.CutPrefix(strings.TrimSpace(text), tokenStart); ok && token != "" && value == token {
			return ""
		}
	}
	return "None of the texts there is the token."
}

// publishedKey is a DKIM key record (RFC 6376 3.6.1).
type publishedKey struct {
	kind   string // k=
	key    []byte // p=, nil for one that was withdrawn or that is no base64
	usable bool   // for a signature of ours
}

// parseDKIM reads a key record. It is not ok for a text that receivers pass over.
func parseDKIM(text string) (k publishedKey, ok bool) {
	tags, ok := parseTags(text)
	p, has := tags.value("p")
	if !ok || !has {
		return k, false
	}
	k = publishedKey{kind: "rsa", usable: true}
	if kind, has := tags.value("k"); has {
		k.kind = strings.ToLower(kind)
	}
	if v, has := tags.value("v"); has && (v != "DKIM1" || tags[0].name != "v") {
		k.usable = false
	}
	if h, has := tags.value("h"); has && !slices.Contains(splitList(h), "sha256") {
		k.usable = false
	}
	if s, has := tags.value("s"); has && !slices.Contains(splitList(s), "*") && !slices.Contains(splitList(s),
		"email") {
		k.usable = false
	}
	if key, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(p), "")); err == nil && len(key) > 0 {
		k.key = key
	}
	return k, true
}

// dkimProblem is empty where the key of the record that we want is published.
func dkimProblem(want string, texts []string) string {
	ours, ok := parseDKIM(want)
	if !ok || ours.key == nil {
		return "There is no key for it yet."
	}
	var keys []publishedKey
	for _, text := range texts {
		if k, ok := parseDKIM(text); ok {
			keys = append(keys, k)
		}
	}
	switch {
	case len(keys) == 0:
		return "The text there is not a DKIM key."
	case len(keys) > 1:
		return "There is more than one DKIM key: receivers take none of them."
	case keys[0].kind != ours.kind || !bytes.Equal(keys[0].key, ours.key):
		return "The DKIM key there is another one, or not all of ours."
	case !keys[0].usable:
		return "The key is right, but its other tags keep receivers from using it."
	}
	return ""
}

// dmarcProblem is empty where there is one valid policy (RFC 9989 4.7).
func dmarcProblem(texts []string) string {
	var policies []tagList
	for _, text := range texts {
		tags, _ := parseTags(text) // what follows the version may have mistakes
		if len(tags) > 0 && strings.EqualFold(tags[0].name, "v") && tags[0].value == "DMARC1" {
			policies = append(policies, tags)
		}
	}
	switch len(policies) {
	case 0:
		return "The text there is not a DMARC policy."
	case 1:
	default:
		return "There is more than one DMARC policy: receivers take none of them."
	}
	for _, name := range []string{"p", "sp", "np"} {
		value, has := policies[0].value(name)
		if (has || name == "p") && !isPolicy(strings.ToLower(value)) {
			return "The DMARC policy needs a " + name + "= of none, quarantine or reject."
		}
	}
	return ""
}

func isPolicy(s string) bool { return s == "none" || s == "quarantine" || s == "reject" }

// tagList is name=value; … as DKIM and DMARC have it (RFC 6376 3.2).
type tagList []tag

type tag struct{ name, value string }

// maxTags bounds a list. The longest known has fifteen.
const maxTags = 64

// parseTags reads a list. It is not ok if something in it is no tag or comes twice; the rest is given all the same.
func parseTags(s string) (tags tagList, ok bool) {
	ok = true
	for part := range strings.SplitSeq(s, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, isTag := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		if _, twice := tags.value(name); !isTag || twice || !isTagName(name) || len(tags) == maxTags {
			ok = false
			continue
		}
		tags = append(tags, tag{name, strings.TrimSpace(value)})
	}
	return tags, ok
}

func isTagName(s string) bool {
	for i := range len(s) {
		if !isAlpha(s[i]) && (i == 0 || !isAlnum(s[i]) && s[i] != '_') {
			return false
		}
	}
	return s != ""
}

func (l tagList) value(name string) (value string, ok bool) {
	for _, t := range l {
		if t.name == name {
			return t.value, true
		}
	}
	return "", false
}

// splitList splits a value at its colons.
func splitList(s string) []string {
	parts := strings.Split(s, ":")
	for i := range parts {
		parts[i] = strings.ToLower(strings.TrimSpace(parts[i]))
	}
	return parts
}
