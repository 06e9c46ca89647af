// Package webhook brings events to the places that mailboxes have named for them. A Poster posts one signed event to
// one target, safely; a Runner works through the service's queue of them.
//
// # The runner
//
// The service writes a hook for each event and target, in the event's own transaction, and wakes the runner. One
// goroutine takes what is due and notes what became of what was taken before, both in one transaction
// (service.WorkHooks); each post has a goroutine of its own. A hook is leased while it is taken, so that one that was
// cut off, by a crash or a stop, is tried again. When it is tried next, and what a failure means for its target, is
// decided in package mailbox.
//
// Nobody waits for somebody else's receiver (scheduler.go). A target has few posts at a time, and fewer while it does
// not answer; a mailbox has few over all its targets; those that are slow can take most of the places together, but
// never all; those that did not answer the last time share a few places of their own, and a post leaves its place when
// it has had no answer for a second; and mailboxes take turns. What a target has waiting stays in the store, where it
// is one row to the query for what is due.
//
// # What the caller of a Poster may rely on
//
// Post makes one attempt and says how it went; when to try again, and what a failure means for the target, is not its
// business. A 2xx answer within Options.Timeout is success and nothing else is (SPEC 6.1); the time is for the whole
// exchange, from the lookup of the name to the last byte of the answer that is read. An answer is read up to 64 KB, its
// first KB is kept. Redirects are answers like any other, so they are failures; proxies are not used; certificates are
// verified. What went wrong is told in one sentence that may be shown to the mailbox's owner: it names no address, no
// file and nothing else of this machine or its network. The details go to the log, without the URL's path, query and
// user, which may hold secrets.
//
// Every event carries two signatures (signature.go): that of SPEC 6.1 with the deployment's secret, and that of
// Standard Webhooks with the mailbox's own. Without both secrets nothing is sent.
//
// # The guard
//
// A mailbox's owner chooses the target, and must not reach through it what only this machine can reach: its own
// services, the private network, a cloud's metadata. The check when the URL is set (service.ChangeMailbox) reads only
// what is written there. Here the decision is made on the address of the socket, after the name was resolved and
// right before the connection is opened (guard.go), so it does not matter how the address was spelled, what the name
// resolved to a moment ago, or how many addresses it has: each is decided for itself. There is no way round it: a
// Poster has one transport, and each connection that it keeps open was opened under the same guard.
//
// A kept connection may be found closed by the receiver; then the same attempt goes on over a new one. So, as over
// retries, an event can arrive twice, with the same webhook-id.
package webhook
