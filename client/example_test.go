package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// In these examples, serviceURL is the address of a Mailkin, such as https://mail.example.com, and operatorToken what
// "mailkin secret show token" prints there.
var serviceURL, operatorToken = func() string { return shared().URL }, token

// From nothing to a verification code.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := client.New(serviceURL(), "")
	if err != nil {
		log.Fatal(err)
	}
	made, err := c.Bootstrap(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	c = c.WithKey(made.APIKey)

	// Here a program would sign up somewhere as made.Mailbox. This is what it would be sent:
	arrive(made.Mailbox, "Welcome", "Your verification code is 482913.")

	code, err := c.WaitForCode(ctx, client.CodeQuery{From: "shop.example"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(code.Code, "from", code.From)
	// Output: 482913 from ann@shop.example
}

func ExampleClient_InboxAll() {
	ctx := context.Background()
	c := newMailbox("example-inbox")
	for _, subject := range []string{"first", "second", "third"} {
		arrive("example-inbox@"+domain, subject, "Hello.")
	}
	for m, err := range c.InboxAll(ctx, client.InboxQuery{Query: "from:ann is:unseen", Page: client.Page{Limit: 2}}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Subject)
	}
	// Output:
	// third
	// second
	// first
}

func ExampleClient_Send() {
	ctx := context.Background()
	c := newMailbox("example-send")
	file, err := os.Open("doc.go")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	sent, err := c.Send(ctx, client.Draft{
		To:      []string{"Kim Lee <kim@else.example>"},
		Subject: "The manual",
		Text:    "It is attached.",
		Files:   []client.File{{Name: "manual.txt", Type: "text/plain", Content: file}},
	})
	if err != nil {
		log.Fatal(err)
	}
	mail, err := c.Email(ctx, sent.ID, client.EmailOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sent.Status, mail.Deliveries[0].Recipient, mail.AttachmentNames)
	// Output: queued kim@else.example [manual.txt]
}

func ExampleClient_Attachment() {
	ctx := context.Background()
	c := newMailbox("example-attachment")
	id := arrive("example-attachment@"+domain, "A file", "See there.")
	mail, err := c.Email(ctx, id, client.EmailOptions{})
	if err != nil {
		log.Fatal(err)
	}
	file, err := c.Attachment(ctx, mail.Attachments[0].ID, client.Range{Offset: 4})
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, of %d bytes, from the fifth on: %s\n", file.Name, file.Size, content)
	// Output: a.txt, of 10 bytes, from the fifth on: 456789
}

func ExampleClient_Events() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := newMailbox("example-events")
	arrive("example-events@"+domain, "Hello", "Hello.")
	for e, err := range c.Events(ctx, client.EventOptions{Types: []string{api.MessageReceived}}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Event, e.Subject)
		break // or go on for as long as ctx
	}
	// Output: message.received Hello
}

func ExampleError() {
	ctx := context.Background()
	c := newMailbox("example-error")
	_, err := c.Send(ctx, client.Draft{To: []string{"nobody"}, Subject: "Hello", Text: "Hello."})
	var refused *client.Error
	switch {
	case errors.Is(err, client.ErrRateLimited):
		fmt.Println("come back later")
	case errors.As(err, &refused):
		fmt.Println(refused.Status, refused.Code, refused.Field)
	}
	// Output: 400 invalid_to to
}

func ExampleClient_For() {
	ctx := context.Background()
	newMailbox("example-for")
	operator, err := client.New(serviceURL(), operatorToken)
	if err != nil {
		log.Fatal(err)
	}
	stats, err := operator.For("example-for@" + domain).Stats(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stats.Mailbox, stats.TotalEmails)
	// Output: example-for@mailkin.localhost 0
}

func ExampleReadWebhook() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := newMailbox("example-webhook")
	secret, err := c.WebhookSecret(ctx)
	if err != nil {
		log.Fatal(err)
	}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := client.ReadWebhook(r, secret)
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Println(event.Event)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()

	if _, err := c.SetWebhook(ctx, receiver.URL); err != nil {
		log.Fatal(err)
	}
	trial, err := c.TestWebhook(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(trial.Status)
	// Output:
	// message.received
	// 204
}

// newMailbox makes a mailbox and returns a client with its key.
func newMailbox(name string) *client.Client {
	operator, err := client.New(serviceURL(), operatorToken)
	if err != nil {
		log.Fatal(err)
	}
	made, err := operator.CreateMailbox(context.Background(), api.NewMailbox{Name: name})
	if err != nil {
		log.Fatal(err)
	}
	return operator.WithKey(made.APIKey)
}

// arrive has mail come to a mailbox, from Ann and with a small file, and returns its id.
func arrive(to, subject, text string) string {
	operator, err := client.New(serviceURL(), operatorToken)
	if err != nil {
		log.Fatal(err)
	}
	kept, err := operator.Ingest(context.Background(), to, strings.NewReader(letter(to, subject, text)))
	if err != nil {
		log.Fatal(err)
	}
	return kept.ID
}
