package smtpd

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// reply is one line to the client. Status is the enhanced code of RFC 3463; the replies that RFC 2034 exempts (the
// greeting, the answers to EHLO and DATA) have none.
type reply struct {
	code   int
	status string
	text   string
}

// kindReplies says what each kind of error means to a sending server: 4xx keeps the message in its queue, 5xx gives
// it back to the sender.
var kindReplies = [...]reply{
	mailbox.Internal:        {451, "4.3.0", "Something went wrong here, try again later."},
	mailbox.Invalid:         {550, "5.1.3", "The address is not valid."},
	mailbox.Unauthorized:    {550, "5.7.1", "Not permitted."},
	mailbox.Forbidden:       {550, "5.7.1", "Not permitted."},
	mailbox.Denied:          {550, "5.7.1", "Not permitted."},
	mailbox.Paused:          {450, "4.2.1", "The mailbox is paused, try again later."},
	mailbox.NotFound:        {550, "5.1.1", "No such mailbox here."},
	mailbox.Conflict:        {451, "4.3.0", "Something changed meanwhile, try again."},
	mailbox.TooLarge:        {552, "5.3.4", "The message is too large."},
	mailbox.Limited:         {450, "4.7.1", "Too much at once, try again later."},
	mailbox.Unimplemented:   {550, "5.3.3", "Not available here."},
	mailbox.Unavailable:     {451, "4.3.0", "Not available now, try again later."},
	mailbox.DiskFull:        {452, "4.3.1", "Too little space for new mail, try again later."},
	mailbox.QuotaFull:       {452, "4.2.2", "The mailbox is full."},
	mailbox.NoRoom:          {452, "4.2.2", "Your mailbox is full: delete mail to make room."},
	mailbox.NoSuchRecipient: {550, "5.1.1", "No such mailbox here."},
	mailbox.TooManyHops:     {554, "5.4.6", "The message has passed too many servers: a mail loop."},
	mailbox.Lapsed:          {450, "4.1.2", "The domain is not verified here at present, try again later."},
	mailbox.KeyLost:         {451, "4.3.0", "Something is wrong with the mailbox, try again later."},
}

// submissionReplies is where an error means something else to whoever sends mail than to whoever brings it.
var submissionReplies = map[mailbox.Kind]reply{
	mailbox.Unauthorized: {535, "5.7.8", "The key is not valid any more."},
	mailbox.Forbidden:    {553, "5.7.1", "This is not an address of your mailbox."},
	mailbox.Paused:       {535, "5.7.8", "The mailbox is paused."},
}

// The fixed replies.
var (
	replyGreeting      = reply{220, "", "ESMTP Mailkin"}
	replyGreetingLMTP  = reply{220, "", "LMTP Mailkin"}
	replyBye           = reply{221, "2.0.0", "Bye."}
	replyHelp          = reply{214, "2.0.0", "This server takes mail as RFC 5321 says."}
	replyStartTLS      = reply{220, "2.0.0", "Ready for TLS."}
	replyOK            = reply{250, "2.0.0", "OK."}
	replySender        = reply{250, "2.1.0", "Sender taken."}
	replyRecipient     = reply{250, "2.1.5", "Recipient taken."}
	replyChunk         = reply{250, "2.0.0", "Chunk taken."}
	replyStored        = reply{250, "2.0.0", "Stored as "}
	replyQueued        = reply{250, "2.0.0", "Queued as "}
	replyHeld          = reply{250, "2.0.0", "Held for review as "}
	replyVerify        = reply{252, "2.5.0", "Send the mail and see."}
	replyGo            = reply{354, "", "Send the message, end it with a line that is a single dot."}
	replyTooManyRcpts  = reply{452, "4.5.3", "Too many recipients, send the others in another message."}
	replyApart         = reply{452, "4.5.3", "This recipient may get another answer, send to it in another message."}
	replyDataInvalid   = reply{554, "5.6.0", "The message is not valid."}
	replyUnknown       = reply{500, "5.5.2", "Unknown command."}
	replyLineLong      = reply{500, "5.5.2", "The line is too long."}
	replyLineBare      = reply{500, "5.5.2", "Lines end with CR LF, this one ended with LF alone."}
	replyLineBytes     = reply{500, "5.5.2", "A command has no control characters and is ASCII or UTF-8."}
	replyNoArgument    = reply{501, "5.5.4", "This command has no argument."}
	replyNeedArgument  = reply{501, "5.5.4", "This command needs an argument."}
	replySenderForm    = reply{501, "5.1.7", "Write MAIL FROM:<address>, or MAIL FROM:<> for the null sender."}
	replyRecipientForm = reply{501, "5.1.3", "Write RCPT TO:<address>."}
	replyParamForm     = reply{501, "5.5.4", "A parameter's value is wrong, or it is there twice."}
	replyChunkForm     = reply{501, "5.5.4", "Write BDAT, the size of the chunk, and LAST with the last."}

	replyNotImplemented = reply{502, "5.5.1", "This command is not available here."}
	replyHelloFirst     = reply{503, "5.5.1", "Say hello first."}
	replyMailFirst      = reply{503, "5.5.1", "Send MAIL first."}
	replyMailAlready    = reply{503, "5.5.1", "There is a sender already; use RSET to start over."}
	replyRcptFirst      = reply{503, "5.5.1", "No recipient was taken."}
	replyInChunks       = reply{503, "5.5.1", "The message has begun with BDAT: only BDAT or RSET can follow."}
	replySecureAlready  = reply{503, "5.5.1", "TLS is on already."}
	replyNeedUTF8       = reply{553, "5.6.7", "An address that is not ASCII needs the parameter SMTPUTF8."}
	replyParamUnknown   = reply{555, "5.5.4", "A parameter is not known here."}

	// Of the listener on which mail is handed in to be sent.
	replyLoggedIn       = reply{235, "2.7.0", "You are logged in."}
	replyLoginLater     = reply{454, "4.7.0", "Logging in does not work now, try again later."}
	replyLoginLimited   = reply{454, "4.7.0", "Too many log-ins from your address have failed, try again later."}
	replyLoginLong      = reply{500, "5.5.6", "The line is too long."}
	replyLoginCoding    = reply{501, "5.5.2", "This is not a name and a key in base64."}
	replyLoginForm      = reply{501, "5.5.4", "Write AUTH PLAIN or AUTH LOGIN."}
	replyLoginCancelled = reply{501, "5.7.0", "Logging in was cancelled."}
	replyLoginAlready   = reply{503, "5.5.1", "You are logged in already."}
	replyLoginLate      = reply{503, "5.5.1", "A message has begun; RSET ends it."}
	replySecureLate     = reply{503, "5.5.1", "TLS comes before logging in."}
	replyLoginUnknown   = reply{504, "5.5.4", "Only PLAIN and LOGIN are known here."}
	replyTLSFirst       = reply{530, "5.7.0", "Must issue a STARTTLS command first."}
	replyLoginFirst     = reply{530, "5.7.0", "Log in first: AUTH with an address as the name and its key as the " +
		"password."}
	replyLoginWrong = reply{535, "5.7.8", "Address and key do not fit, or this mailbox cannot send."}
	replyLoginPlain = reply{538, "5.7.11", "A key is taken only over TLS: STARTTLS first."}

	// The last words of a session: the host's name is put before the text (RFC 5321 4.2.3).
	replyStopping       = reply{421, "4.3.2", "is shutting down, try again."}
	replyTimeout        = reply{421, "4.4.2", "waited too long."}
	replyPanic          = reply{421, "4.3.0", "has a problem, try again later."}
	replyTooManyConns   = reply{421, "4.7.0", "has too many connections, try again later."}
	replyTooManyFromYou = reply{421, "4.7.0", "has too many connections from your address, try again later."}
	replyTooManyErrors  = reply{421, "4.7.0", "has seen too many errors."}
	replyTooManyLogins  = reply{421, "4.7.0", "has seen too many wrong keys."}
	replyTooManyMails   = reply{421, "4.7.0", "has taken enough messages from this connection, open another."}
	replyOutOfStep      = reply{421, "4.7.0", "closes: there is no telling where the next command begins."}
	replyEndless        = reply{421, "4.7.0", "closes on a line without an end."}
	replyNotHTTP        = reply{421, "4.7.0", "speaks SMTP, not HTTP."}
	replyTooEarly       = reply{421, "4.7.0", "closes: the message came before the answer to DATA."}
	replyBeforeTLS      = reply{421, "4.7.0", "closes: nothing may follow STARTTLS before the handshake."}
)

// with puts the host's name before the text.
func (r reply) with(host string) reply {
	r.text = host + " " + r.text
	return r
}

func (r reply) class() int { return r.code / 100 }

// String is the line without its end.
func (r reply) String() string {
	return strings.TrimSuffix(string(r.appendTo(nil)), "\r\n")
}

func (r reply) appendTo(b []byte) []byte {
	b = strconv.AppendInt(b, int64(r.code), 10)
	if r.status != "" {
		b = append(append(b, ' '), r.status...)
	}
	b = append(append(b, ' '), r.text...)
	return append(b, "\r\n"...)
}

// replyFor is what the client is told of a Backend's error. Text beyond ASCII needs utf8 (RFC 6531 3.7.4).
func replyFor(err error, stage string, utf8 bool) reply {
	var e *mailbox.Error
	if !errors.As(err, &e) || e.Kind == mailbox.Internal || int(e.Kind) >= len(kindReplies) {
		return kindReplies[mailbox.Internal]
	}
	r := kindReplies[e.Kind]
	if e.Kind == mailbox.Invalid && stage == stageData {
		r = replyDataInvalid
	}
	if text := oneLine(e.Message, utf8); text != "" && e.Kind != mailbox.KeyLost { // no sender can do anything about it
		r.text = text
	}
	return r
}

// replyFor is the same for the session's own listener.
func (s *session) replyFor(err error, stage string, utf8 bool) reply {
	r := replyFor(err, stage, utf8)
	if !s.submits() {
		return r
	}
	kind := mailbox.KindOf(err)
	own, other := submissionReplies[kind]
	switch {
	case stage == stageAuth && (other || kind == mailbox.Denied):
		return replyLoginWrong // which of them, and why, is nobody's business
	case stage == stageAuth && kind == mailbox.Limited:
		return replyLoginLimited
	case stage == stageAuth:
		return replyLoginLater
	case other:
		r.code, r.status = own.code, own.status
		if r.text == kindReplies[kind].text {
			r.text = own.text
		}
	}
	return r
}

// textMax leaves room for the codes in a reply line of 512 bytes (RFC 5321 4.5.3.1.5).
const textMax = 400

// oneLine makes text fit for a reply: one line, printable, of bounded length.
func oneLine(text string, allowUTF8 bool) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case unicode.IsControl(c) || unicode.Is(unicode.Zl, c) || unicode.Is(unicode.Zp, c):
			c = ' '
		case c == utf8.RuneError || c >= utf8.RuneSelf && !allowUTF8:
			c = '?'
		}
		if b.Len()+utf8.RuneLen(c) > textMax {
			break
		}
		b.WriteRune(c)
	}
	return strings.TrimSpace(b.String())
}
