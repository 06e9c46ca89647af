package rfc822

import (
	"strings"
	"unicode"
)

const maxFilename = 255

// SafeFilename makes a name that names nothing but a file: the last element of a path, without control
// characters and without those that turn the direction of writing, after which an ending can be hidden. A name that is
// too long for file systems is cut before its ending.
func SafeFilename(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || isBidi(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
	name = strings.TrimSpace(name)
	if strings.Trim(name, ". ") == "" {
		return ""
	}
	return shortenFilename(name)
}

// isBidi is a character that overrides or isolates the direction of writing, or a byte order mark.
func isBidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f ||
		r == 0xfeff
}

// shortenFilename cuts a long name before its ending.
func shortenFilename(name string) string {
	if len(name) <= maxFilename {
		return name
	}
	ext := ""
	if dot := strings.LastIndexByte(name, '.'); dot > 0 && len(name)-dot <= 16 {
		name, ext = name[:dot], name[dot:]
	}
	name, _ = cutText(name, int64(maxFilename-len(ext)))
	return strings.TrimSpace(name) + ext
}

// messageFilename names a nested message after its subject.
func messageFilename(subject string) string {
	const ext = ".eml"
	subject = strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' {
			return '-'
		}
		return r
	}, strings.TrimSpace(subject))
	subject, _ = cutText(subject, int64(maxFilename-len(ext)))
	if name := SafeFilename(subject); name != "" {
		return name + ext
	}
	return "message" + ext
}
