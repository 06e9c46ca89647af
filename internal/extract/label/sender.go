package label

import (
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What an address says about its owner.
const (
	known         lexicon.Set = 1 << iota // it was looked at
	daemonSender                          // the mail system
	noReplySender                         // takes no answers
	noticeSender                          // sends notifications
	bulkSender                            // sends newsletters
	roleSender                            // an office, not a person
	freeSender                            // an address that anybody can have
)

// senders are the words of local parts, which are parted at dots, hyphens, underscores and plus signs.
var senders = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{
		"senderDaemon": daemonSender, "senderNoReply": noReplySender, "senderNotice": noticeSender,
		"senderBulk": bulkSender,
		"senderRole": roleSender,
	})
})

// freeDomains are where people have their own addresses.
var freeDomains = map[string]bool{
	"gmail.com": true, "googlemail.com": true, "outlook.com": true, "hotmail.com": true, "live.com": true,
	"yahoo.com":  true,
	"icloud.com": true, "me.com": true, "aol.com": true, "gmx.de": true, "gmx.net": true, "web.de": true,
	"proton.me":      true,
	"protonmail.com": true, "mail.ru": true, "yandex.ru": true, "qq.com": true, "163.com": true, "126.com": true,
	"naver.com": true,
	"orange.fr": true, "free.fr": true, "libero.it": true, "wp.pl": true, "seznam.cz": true, "t-online.de": true,
	"msn.com":      true,
	"fastmail.com": true, "zoho.com": true, "hey.com": true,
}

// senderWords is what the words of a local part tell.
func senderWords(local string) lexicon.Set {
	const longest = 100
	var room [longest]byte
	words := room[:0]
	for i := 0; i < len(local) && i < longest; i++ {
		c := local[i]
		if strings.IndexByte("._-+=/", c) >= 0 {
			c = ' '
		}
		words = append(words, c)
	}
	return senders().In(string(words))
}

// relayed tells whether a program sent it, by an envelope sender that gathers bounces. Those of lists do so for people.
func (v *view) relayed() bool {
	local, _, _ := strings.Cut(v.EnvelopeFrom, "@")
	return local != "" && !v.listed() && senderWords(local).Any(noReplySender)
}

// sender is what the address of the From header tells.
func (v *view) sender() lexicon.Set {
	if v.who != 0 {
		return v.who
	}
	v.who = known
	local, domain := v.From, ""
	if at := strings.LastIndexByte(v.From, '@'); at >= 0 {
		local, domain = v.From[:at], strings.ToLower(v.From[at+1:])
	}
	v.who |= senderWords(local)
	if freeDomains[domain] {
		v.who |= freeSender
		v.who &^= roleSender | bulkSender
	}
	return v.who
}

// isPerson tells whether a sender's name is in the address before the @, as people's are: "Kim Doe <kim@example.com>".
func (v *view) isPerson() bool {
	local, _, _ := strings.Cut(v.From, "@")
	return !v.sender().Any(roleSender|bulkSender|noReplySender|noticeSender) && sharesWord(v.Name, local)
}

// isCompany tells whether the name is in the domain: "Acme Coffee <x@acmecoffee.com>".
func (v *view) isCompany() bool {
	_, domain, _ := strings.Cut(v.From, "@")
	return sharesWord(v.Name, domain)
}

// sharesWord tells whether a word of a name, of three letters or more, is in a part of an address.
func sharesWord(name, part string) bool {
	const least, longest = 3, 100
	part = strings.ToLower(part)
	for w := range strings.FieldsSeq(strings.ToLower(name[:min(len(name), longest)])) {
		if w = strings.Trim(w, "\"'(),.-"); len(w) >= least && strings.Contains(part, w) {
			return true
		}
	}
	return false
}

// isProxied tells whether a program sends in the name of somebody: "Ann Lee (via Docs)", "Bob via Sign".
func isProxied(name string) bool {
	at := strings.Index(strings.ToLower(name), "via ")
	return at > 0 && (name[at-1] == ' ' || name[at-1] == '(')
}
