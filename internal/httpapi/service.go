package httpapi

// Service is what the interface asks of the service, noun by noun: each is declared next to its handlers.
type Service interface {
	gate
	bootstraps
	claims
	linkVerbs
	unsubscribers
	messages
	searches
	originals
	exports
	histories
	checks
	extracts
	ingests
	events
	waits
	sending
	draftVerbs
	providers
	suppressions
	lists
	reviewVerbs
	quarantines
	queues
	threads
	mailboxes
	statistics
	webhooks
	hookLog
	domains
	keys
	operators
	logs
	problems
	reindexing
	secrets
	probes
}
