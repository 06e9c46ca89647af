package api

// Route is a webhook besides the mailbox's own: for the messages with a label, or one with an id.
type Route struct {
	ID                  string   `json:"id,omitempty"` // empty: its label names it
	Label               string   `json:"label"`        // empty: it is for all messages
	WebhookURL          string   `json:"webhook_url"`
	CreatedAt           Time     `json:"created_at"`
	Status              string   `json:"status"` // active, failed or disabled
	ConsecutiveFailures int      `json:"consecutive_failures"`
	LastAttemptAt       Time     `json:"last_attempt_at"`
	LastError           string   `json:"last_error"`
	Events              []string `json:"events,omitempty"` // none: those that every webhook gets
	Form                string   `json:"form,omitempty"`   // of the body: v1, resend or agentmail
	Secret              string   `json:"secret,omitempty"` // that verifies what is posted
	HeaderNames         []string `json:"header_names,omitempty"`
	Warning             string   `json:"warning,omitempty"` // why it may never be used; empty: nothing speaks against it
}

// Routes are a mailbox's webhooks besides its own.
type Routes struct {
	Mailbox string  `json:"mailbox"`
	Routes  []Route `json:"routes"`
}

// RouteChange is a webhook that is to be set besides the mailbox's own. With neither ID nor Label it is a new one, with
// an id and a secret of its own. Empty fields of one that has an ID stay.
type RouteChange struct {
	ID           string            `json:"id,omitempty"`
	Label        string            `json:"label,omitempty"`
	OwnSecret    bool              `json:"own_secret,omitempty"` // one with a label gets an id and a secret as well
	WebhookURL   string            `json:"webhook_url,omitempty"`
	Events       []string          `json:"events,omitempty"`
	Form         string            `json:"form,omitempty"` // v1, resend or agentmail
	Headers      map[string]string `json:"headers,omitempty"`
	Status       string            `json:"status,omitempty"` // active or disabled
	RotateSecret bool              `json:"rotate_secret,omitempty"`
}

// RouteSet is a route that was set.
type RouteSet struct {
	Mailbox     string   `json:"mailbox"`
	ID          string   `json:"id,omitempty"`
	Label       string   `json:"label"`
	WebhookURL  string   `json:"webhook_url"`
	Events      []string `json:"events,omitempty"` // none: those that every webhook gets
	Form        string   `json:"form,omitempty"`   // of the body: v1, resend or agentmail
	Secret      string   `json:"secret,omitempty"` // that verifies what is posted
	HeaderNames []string `json:"header_names,omitempty"`
	Warning     string   `json:"warning,omitempty"` // why it may never be used; empty: nothing speaks against it
}

// WebhookDelivery is an event that was posted, or is to be.
type WebhookDelivery struct {
	ID        string           `json:"id"`
	WebhookID string           `json:"webhook_id"` // the header webhook-id
	Event     string           `json:"event"`
	EmailID   string           `json:"email_id"`
	URL       string           `json:"url"`
	Status    string           `json:"status"` // pending, delivered, failed or held
	CreatedAt Time             `json:"created_at"`
	NextAt    Time             `json:"next_attempt_at"`
	Attempts  []WebhookAttempt `json:"attempts"`
}

// WebhookAttempt is how an attempt to post an event went.
type WebhookAttempt struct {
	Time       Time       `json:"time"`
	Status     NullInt    `json:"status"` // of HTTP; 0: there was no answer
	DurationMS float64    `json:"duration_ms"`
	Error      NullString `json:"error"` // empty: it arrived
	Response   string     `json:"response,omitempty"`
	Replay     bool       `json:"replay,omitempty"`
}

// WebhookDeliveries is a page of the log.
type WebhookDeliveries struct {
	Deliveries []WebhookDelivery `json:"deliveries"`
	Next       NullString        `json:"next_cursor"`
}

// PostedWebhook is an event of the log with what was sent.
type PostedWebhook struct {
	WebhookDelivery
	Request WebhookRequest `json:"request"`
}

// WebhookRequest is what was sent, at the latest attempt.
type WebhookRequest struct {
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"` // none before the first attempt
	Body    string            `json:"body"`
}

// WebhookTrial is a single attempt that somebody asked for.
type WebhookTrial struct {
	OK  bool   `json:"ok"` // it arrived
	URL string `json:"url"`
	WebhookAttempt
	Delivery *WebhookDelivery `json:"delivery,omitempty"` // as it is after a replay
}

// WebhookReset is which webhooks are active again.
type WebhookReset struct {
	OK    bool     `json:"ok"`
	Reset []string `json:"reset"`
}

// WebhookSecret is what a mailbox's owner verifies its events with.
type WebhookSecret struct {
	Secret string `json:"secret"`
	// until when events are signed with the one before as well; zero: they are not
	PreviousUntil Time `json:"previous_until"`
}

// WebhooksReplayed is what became of the events that did not arrive since a time.
type WebhooksReplayed struct {
	Queued  int  `json:"queued"`  // they are posted again, as new events are
	Skipped int  `json:"skipped"` // their webhook is not active, or is no more
	More    bool `json:"more"`    // there are more: ask again
}
