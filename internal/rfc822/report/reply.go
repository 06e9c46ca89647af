package report

import "strings"

// reply is what an SMTP server answered, as far as a text tells.
type reply struct {
	code   int    // 550; 0 where none is given
	status string // "5.1.1", the one that goes with the code where there are several
	start  int    // of the code, or else of the status, in the text; -1 for none
}

// findReply looks for the reply in a text. Where a server repeats what another said, the last one is the one that
// refused; a status without a code counts where there is no better.
func findReply(s string) reply {
	best := reply{start: -1}
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) || i > 0 && !isBreak(s[i-1]) {
			continue
		}
		code := replyCode(s[i:])
		if code == 0 {
			if st := statusCode(s[i:]); st != "" && best.status == "" {
				best.status = st
				if best.start < 0 {
					best.start = i
				}
			}
			continue
		}
		st := statusAfter(s[i+3:])
		if best.code == 0 || st != "" && !isVague(st) {
			if best.code == 0 {
				best.start = i
			}
			best.code = code
			if st != "" {
				best.status = st
			}
		}
		i += 2
	}
	return best
}

// isBreak says whether a code may follow c.
func isBreak(c byte) bool { return strings.IndexByte(" \t\n([<'\":;,-#=>*", c) >= 0 }

// replyCode reads a code of failure at the beginning of s, 0 for none. Other numbers of three digits are hours,
// sizes and house numbers.
func replyCode(s string) int {
	if len(s) < 3 || len(s) > 3 && (isAlphanumeric(s[3]) || s[3] == '.' && len(s) > 4 && isDigit(s[4])) {
		return 0
	}
	switch s[:3] {
	case "421", "422", "431", "432", "441", "442", "446", "447", "449", "450", "451", "452", "453", "454", "455", "458",
		"459", "471",
		"500", "501", "502", "503", "504", "510", "511", "512", "513", "515", "517", "521", "522", "523", "525", "530",
		"531", "533",
		"534", "535", "538", "541", "542", "543", "550", "551", "552", "553", "554", "555", "556", "557", "558", "559",
		"560", "571":
		return int(s[0]-'0')*100 + int(s[1]-'0')*10 + int(s[2]-'0')
	}
	return 0
}

// statusCode reads an enhanced status code (RFC 3463 2) of failure at the beginning of s, "" for none. An IP
// address or a version is not one.
func statusCode(s string) string {
	if len(s) < 5 || s[0] != '4' && s[0] != '5' || s[1] != '.' || s[2] < '0' || s[2] > '7' || s[3] != '.' {
		return ""
	}
	end := 4
	for end < len(s) && end < 8 && isDigit(s[end]) {
		end++
	}
	if end == 4 || end == 8 || end < len(s) && (isAlphanumeric(s[end]) || s[end] == '.' && end+1 < len(s) &&
		isDigit(s[end+1])) {
		return ""
	}
	return s[:end]
}

// statusAfter reads the status that follows a code: "550 5.1.1", "550-5.1.1", "550 #5.1.1", "550-'5.1.1".
func statusAfter(s string) string {
	i := 0
	for i < len(s) && i < 4 && strings.IndexByte(" -#'\":([", s[i]) >= 0 {
		i++
	}
	if i == 0 {
		return ""
	}
	return statusCode(s[i:])
}

// isVague says whether a status tells no more than that it failed.
func isVague(status string) bool { return status == "" || strings.HasSuffix(status, ".0.0") }

// command is what the server answered to.
type command uint8

const (
	cmdAny     command = iota
	cmdConnect         // the connection, EHLO, MAIL
	cmdRcpt
	cmdData // or the message itself
)

// commandMarks are how mail systems say which command was refused.
var commandMarks = [...]struct {
	mark string
	command
}{
	{"in reply to rcpt", cmdRcpt}, {"in reply to data", cmdData}, {"in reply to end of data", cmdData}, // Postfix
	{"in reply to mail", cmdConnect}, {"in reply to ehlo", cmdConnect}, {"in reply to helo", cmdConnect},
	// Exim
	{"after rcpt", cmdRcpt}, {"after end of data", cmdData}, {"after data", cmdData}, {"sending data block", cmdData},
	{"after mail from", cmdConnect}, {"after initial connection", cmdConnect}, {"after ehlo", cmdConnect},
	{"after helo", cmdConnect},
	// qmail
	{"does not like recipient", cmdRcpt}, {"failed after i sent the message", cmdData},
	{"sender was rejected", cmdConnect},
	{"[rcpt_to]", cmdRcpt}, {"[mail_from]", cmdConnect}, {"[data]", cmdData}, {"[body]", cmdData}, // Yahoo
	// DragonFly
	{"our rcpt to", cmdRcpt}, {"our final data", cmdData}, {"our data", cmdData}, {"our mail from", cmdConnect},
	{"smtp:rcpt", cmdRcpt}, {"smtp:data", cmdData}, {"rcpt command", cmdRcpt}, {"(data)", cmdData}, {"(rcpt", cmdRcpt},
	// Google, until 2014
	{"(state 14)", cmdRcpt}, {"(state 13)", cmdConnect}, {"(state 17)", cmdData}, {"(state 18)", cmdData},
	// qmail-remote with many MXs
	{"rcpt to response", cmdRcpt}, {"mail from response", cmdConnect}, {"data response", cmdData},
	{"has rejected address", cmdRcpt}, {"smtp command data", cmdData}, {"smtp command rcpt", cmdRcpt},
	// GMX
	{"rcpt to command", cmdRcpt}, {"for text command", cmdData}, {"for data command", cmdData},
	{"for mail from command", cmdConnect},
	{"after sending rcpt", cmdRcpt}, {"recipient command failed", cmdRcpt}, {"data command failed", cmdData},
}

// findCommand finds out what was refused. s is in lower case.
func findCommand(s string) command {
	if c := transcriptCommand(s); c != cmdAny {
		return c
	}
	for _, m := range commandMarks {
		if strings.Contains(s, m.mark) {
			return m.command
		}
	}
	return cmdAny
}

// transcriptMarks are how a transcript tells both sides apart: what the server said, what was said to it.
var transcriptMarks = [...]struct{ heard, told string }{
	{"<<< ", ">>> "},               // Sendmail, Courier
	{"<-- ", "--> "},               // MDaemon
	{"received >>> ", "sent <<< "}, // InterScan
	{"<< ", ">> "},
}

// transcriptCommand finds the command before the first failure: ">>> RCPT To:<a@example.com>", then "<<< 550 …".
func transcriptCommand(s string) command {
	for _, m := range transcriptMarks {
		for from := 0; ; {
			i := strings.Index(s[from:], m.heard)
			if i < 0 {
				break
			}
			i += from
			from = i + len(m.heard)
			if replyCode(s[from:]) == 0 {
				continue
			}
			if told := strings.LastIndex(s[:i], m.told); told >= 0 {
				return commandOf(s[told+len(m.told):])
			}
			return cmdAny
		}
	}
	return cmdAny
}

// commandOf reads a command that was sent.
func commandOf(s string) command {
	switch {
	case strings.HasPrefix(s, "rcpt"):
		return cmdRcpt
	case strings.HasPrefix(s, "data"), strings.HasPrefix(s, "bdat"), strings.HasPrefix(s, "."):
		return cmdData
	}
	return cmdConnect
}
