// Package smtpd is the door through which mail comes in: an SMTP server for the MX port and an LMTP server for use
// behind another MTA. It speaks the protocol and decides nothing: whether an address is ours, and what becomes of a
// message, are questions to a Backend.
//
// NewSubmission makes the same server for the other way: programs that only speak SMTP hand in mail to be sent. They
// log in with an address and its key over TLS, and who may send what to whom are questions to a Submitter. What is said
// below of Receive holds for Submit.
//
// # What both sides may rely on
//
// A 2xx after the message is sent only when Backend.Receive has returned success, so 250 means durable. The message
// is streamed: at most one buffer of it is in memory. The reader that Receive gets ends with io.EOF only if the client
// said so, by CR LF . CR LF or by BDAT LAST; when the connection is lost, times out or is reset in the middle it ends
// with io.ErrUnexpectedEOF, and above Config.MaxSize with a mailbox.Error of kind TooLarge. What came before such an
// end must not be stored.
//
// Bytes come through as they were sent, bare CR, bare LF and NUL included; the only ones taken away are the dots that
// RFC 5321 4.5.2 adds. Nothing but CR LF . CR LF ends DATA, and the bytes of a BDAT chunk are never read as commands,
// also when the chunk is refused: both are ways to smuggle a second message into the first.
//
// Every reply is made in reply.go: one table from mailbox.Kind, and the fixed ones by name. An error that is not a
// mailbox.Error, or is of kind Internal, goes to the log, and the client sees a fixed sentence.
//
// # How it is made
//
// Server accepts, counts and stops. Each connection is a session with a goroutine of its own: wire has the bytes (lines
// in, replies out, deadlines, the large buffer that is borrowed only while a message comes in), command.go the table of
// commands, transaction the envelope that is being built. DATA calls Receive in the session's goroutine. BDAT comes in
// several commands, so Receive runs alongside the session and reads from a pipe; the session waits for it before it
// ends.
//
// Every read and write has a deadline. Shutdown has two stages: sessions that wait for a command are told 421 at
// once, those in the middle of a message finish it first, unless their client stands still; when the caller's
// patience ends, connections are closed and the contexts of the Backend calls are cancelled.
package smtpd
