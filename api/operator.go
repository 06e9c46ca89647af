package api

// Operator is a named operator of the deployment; never the key.
type Operator struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Role       string `json:"role"`              // view, moderate or admin
	Email      string `json:"email,omitempty"`   // with which the operator may sign in at the provider
	Subject    string `json:"subject,omitempty"` // issuer and name there, of one who has signed in at the provider
	Prefix     string `json:"prefix"`            // how the key begins; empty: there is none, and sessions alone
	CreatedAt  Time   `json:"created_at"`
	ExpiresAt  Time   `json:"expires_at"`
	LastUsedAt Time   `json:"last_used_at"`
	Sessions   int    `json:"sessions"` // that are open
}

// Operators are the named operators, all of them.
type Operators struct {
	Operators []Operator `json:"operators"`
}

// NewOperator is an operator to be made.
type NewOperator struct {
	Name      string `json:"name"`
	Role      string `json:"role"`
	Email     string `json:"email,omitempty"`
	ExpiresAt Time   `json:"expires_at,omitzero"`
}

// OperatorChange is what is to be different about an operator. What is nil stays; a pointer to the zero time or to an
// empty address takes that away.
type OperatorChange struct {
	Name      *string `json:"name,omitempty"`
	Role      *string `json:"role,omitempty"`
	Email     *string `json:"email,omitempty"`
	ExpiresAt *Time   `json:"expires_at,omitempty"`
}

// CreatedOperator is a new operator with the key, which is shown this once.
type CreatedOperator struct {
	APIKey string `json:"api_key"`
	Operator
}

// Session is a sign-in of an operator that has not ended.
type Session struct {
	ID         string `json:"id"`
	OperatorID string `json:"operator_id"`
	Name       string `json:"name"` // of the operator
	Role       string `json:"role"`
	Email      string `json:"email,omitempty"`
	Subject    string `json:"subject"` // issuer and name there
	Client     string `json:"client"`  // address that it was begun from
	CreatedAt  Time   `json:"created_at"`
	ExpiresAt  Time   `json:"expires_at"`
	LastUsedAt Time   `json:"last_used_at"`
	Current    bool   `json:"current"` // the request was made in it
}

// Sessions are those that are open, all of them.
type Sessions struct {
	Sessions []Session `json:"sessions"`
}

// EndedSessions tells how many sessions have ended.
type EndedSessions struct {
	OK    bool `json:"ok"`
	Ended int  `json:"ended"`
}

// SignedOut is a session that has ended, and where the person can sign out at the provider.
type SignedOut struct {
	OK          bool   `json:"ok"`
	Deleted     string `json:"deleted"`
	ProviderURL string `json:"provider_url,omitempty"` // empty: the provider has no such page
}

// OwnOperator is the operator who asks.
type OwnOperator struct {
	ID      string `json:"id,omitempty"`   // none: the operator credential of the deployment
	Name    string `json:"name,omitempty"` // likewise
	Role    string `json:"role"`
	Session bool   `json:"session,omitempty"` // signed in at the provider
}
