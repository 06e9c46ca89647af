package api

// Secret is a secret of the deployment, without what it is.
type Secret struct {
	Name          string `json:"name"`                      // token, root, webhook or mailbox-webhooks
	Source        string `json:"source"`                    // file: of the data folder; settings; database
	CreatedAt     Time   `json:"created_at"`                // or first seen; zero: not known
	PreviousUntil Time   `json:"previous_until"`            // until when the one before is taken; zero: it is not
	Overdue       bool   `json:"overdue,omitempty"`         // that time is over, and somebody has to end it
	SettingsOld   bool   `json:"settings_behind,omitempty"` // the settings of the node that answers have the one before
}

// Secrets are the secrets of the deployment.
type Secrets struct {
	Secrets []Secret `json:"secrets"`
}

// RotatedSecret is a secret that has just replaced another.
type RotatedSecret struct {
	Secret
	Value string `json:"value,omitempty"` // shown once; empty: it is in the data folder and nobody needs to know it
	Next  string `json:"next"`            // what is left to do
}
