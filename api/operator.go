package api

// Operator is a named operator of the deployment; never the key.
type Operator struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Role       string `json:"role"`              // view, moderate or admin
	Email      string `json:"email,omitempty"`   // with which the operator may sign in at the provider
	Subject    string `json:"subject,omitempty"` // issuer and name there, of one whom the provider's claims made one
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
	Name       string `json:"name"` // of the operator
	Role       string `json:"role"`
	Client     string `json:"client"` // address that it was begun from
	CreatedAt  Time   `json:"created_at"`
	ExpiresAt  Time   `json:"expires_at"`
	LastUsedAt Time   `json:"last_used_at"`
	Current    bool   `json:"current"` // the request was made in it
}

// Sessions are those that are open, all of them.
type Sessions struct {
	Sessions []Session `json:"sessions"`
}

// OwnOperator is the operator who asks.
type OwnOperator struct {
	ID      string `json:"id,omitempty"`   // none: the operator credential of the deployment
	Name    string `json:"name,omitempty"` // likewise
	Role    string `json:"role"`
	Session bool   `json:"session,omitempty"` // signed in at the provider
}
