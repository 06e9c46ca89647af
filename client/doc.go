// Package client speaks to a Mailkin: mail for software agents over HTTP.
//
// A client has the address of the service and a key:
//
//	c, err := client.New("https://mail.example.com", os.Getenv("MAILKIN_API_KEY"))
//	…
//	inbox, err := c.Inbox(ctx, client.InboxQuery{Label: "code"})
//
// Without a key there is [Client.Bootstrap], which makes a temporary mailbox, and the claim, which makes it a permanent
// one. [Client.WithKey] gives a client with the key that came back. A client may be used by many goroutines at a time,
// and needs no closing.
//
// # Mailboxes
//
// A mailbox's own key acts on that mailbox. The operator's token acts on the configured one, unless [Client.For] names
// another. [Client.Moderate] is for what an operator does to a mailbox, paused or not: pause, resume, delete, its keys.
//
// # Lists
//
// A list comes in pages: Inbox, Search, Threads and their like give one, of 20 entries unless [Page] asks for
// more, with the cursor of the next. The method of the same name that ends in All walks over all pages:
//
//	for m, err := range c.InboxAll(ctx, client.InboxQuery{Query: "from:kim is:unseen"}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(m.Subject)
//	}
//
// # Waiting
//
// [Client.WaitForCode] and [Client.WaitForEmail] wait as long as you like, by asking again. [Client.Code] and
// [Client.Wait] ask once, for at most 55 seconds. Nothing came: [ErrTimedOut]. [Client.Events] is what happens in a
// mailbox, as it happens: it connects again by itself, misses nothing that the service still has, and returns no event
// twice.
//
// # Errors
//
// What the service refuses is an [*Error] with its status, its code and a sentence that can be shown. Ask with
// errors.Is for the kind, with errors.As for the rest:
//
//	var refused *client.Error
//	switch {
//	case errors.Is(err, client.ErrNotFound):
//	case errors.As(err, &refused):
//		log.Print(refused.Code, refused.Message)
//	}
//
// # What is tried again
//
// A read that met a busy service (429, 502, 503, 504) or a broken connection is tried again, up to three times, or as
// often as [WithRetries] says. The header Retry-After is obeyed up to 20 seconds; a longer one is for the caller, who
// finds it in the error. [WithWaiting] is told of these waits. So are sends and Bootstrap: each has an Idempotency-Key,
// a random one unless you give it, so that one message leaves however often it was asked for. Everything else is asked
// once.
//
// # Bounds
//
// Every call ends with its context. One that makes no progress for a minute ends by itself, however long it may take in
// all. Answers are bounded: 16 MB, and 256 MB where whole messages are among them; raw messages and attachments are
// streams, in both directions. Redirects are not followed, so that the key goes to nobody else.
//
// # JSON
//
// Answers are types of package api. Each marshals to what the service sent, so a program can hand an answer on. What is
// null in that JSON is the zero value there: see api.Time, api.NullString, api.NullInt and api.Decimal.
//
// # Webhooks
//
// [ReadWebhook] and [VerifyWebhook] are for the other side: they tell whether a posted event is genuine, and give it.
package client
