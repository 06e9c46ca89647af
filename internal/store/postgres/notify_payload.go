package postgres

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/wake"
)

// A payload is a text of less than 8,000 bytes: its version, the node, and then for each topic its letter and the
// numbers of the mailboxes, each as the distance from the one before, in base 36.
//
//	1KJ2SAXTFQ3WVm1.4.a2 q0
//
// What is not understood may come from a newer node: it is taken for everything.

const (
	payloadVersion = '1'
	payloadMost    = 7900
	nodeChars      = 12
)

// payloads returns the payloads of notices, as few as they fit in.
func payloads(node string, list []wake.Notice) (out []string) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b wake.Notice) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic),
			cmp.Compare(a.Num, b.Num))
	})
	head := string(payloadVersion) + node
	p := []byte(head)
	var last wake.Notice
	for _, n := range list {
		before := len(p)
		p = appendNotice(p, n, last, before == len(head))
		if len(p) > payloadMost {
			out = append(out, string(p[:before]))
			p = appendNotice([]byte(head), n, last, true)
		}
		last = n
	}
	return append(out, string(p))
}

func appendNotice(p []byte, n, last wake.Notice, first bool) []byte {
	switch {
	case first:
		p = append(p, byte(n.Topic))
	case n.Topic != last.Topic:
		p = append(p, ' ', byte(n.Topic))
	default:
		return strconv.AppendInt(append(p, '.'), int64(n.Num-last.Num), 36)
	}
	return strconv.AppendInt(p, int64(n.Num), 36)
}

// readPayload returns the node and the notices of a payload.
func readPayload(payload string) (node string, list []wake.Notice) {
	everything := []wake.Notice{{Topic: wake.Everything}}
	if len(payload) < 1+nodeChars || payload[0] != payloadVersion {
		return "", everything
	}
	node = payload[1 : 1+nodeChars]
	for group := range strings.SplitSeq(payload[1+nodeChars:], " ") {
		if group == "" || !wake.Topic(group[0]).Known() {
			return node, everything
		}
		num := int64(0)
		for text := range strings.SplitSeq(group[1:], ".") {
			distance, err := strconv.ParseInt(text, 36, 64)
			if err != nil {
				return node, everything
			}
			num += distance
			list = append(list, wake.Notice{Topic: wake.Topic(group[0]), Num: mailbox.Num(num)})
		}
	}
	return node, list
}
