package service

import (
	"context"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Fetcher gets a file from a URL of the outside: with the guard of webhooks, and no redirects.
type Fetcher interface {
	// Fetch reads at most that many bytes. What went wrong is said in a sentence for the caller.
	Fetch(ctx context.Context, url string, limit int64) (bytes []byte, mediaType, problem string)
}

// FetchFile gets a file that a message is to have as an attachment. It is never one of this machine: the address must
// be one that a webhook may have.
func (s *Service) FetchFile(ctx context.Context, in Access, url string, limit int64) (bytes []byte, mediaType string,
	err error) {
	fetcher, ok := s.opt.Poster.(Fetcher)
	if !ok || !in.Caller.May(mailbox.SendMail) && !in.Caller.May(mailbox.DraftMail) {
		return nil, "", mailbox.Errorf(mailbox.Unimplemented, "webhooks_unavailable", "This service does not fetch "+
			"files.")
	}
	if err := s.checkWebhook(url); err != nil {
		return nil, "", mailbox.InvalidField("attachments", "%s", strings.ReplaceAll(sentence(err), "webhook_url",
			"The address of an attachment"))
	}
	if !s.trials.enter(in.Box.Address) {
		return nil, "", &mailbox.Error{Kind: mailbox.Limited, Code: "too_many_attempts",
			Message: "Too many files of this mailbox are being fetched; wait for one to end."}
	}
	defer s.trials.leave(in.Box.Address)
	bytes, mediaType, problem := fetcher.Fetch(ctx, url, limit)
	if problem != "" {
		return nil, "", mailbox.InvalidField("attachments", "An attachment could not be fetched: %s", problem)
	}
	return bytes, mediaType, nil
}

// sentence is what an error says to people.
func sentence(err error) string {
	if known, ok := err.(*mailbox.Error); ok {
		return known.Message
	}
	return err.Error()
}
