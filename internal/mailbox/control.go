package mailbox

import "encoding/json"

// Control is what the people behind an agent have decided about its mailbox. The agent's own key reads it and cannot
// change it. The zero value is a mailbox about which nothing was decided.
type Control struct {
}

// Encode gives it as one text, for a store. The zero value is empty.
func (c Control) Encode() string { return encode(c) }

// DecodeControl reads what Encode wrote.
func DecodeControl(text string) (c Control) {
	_ = json.Unmarshal([]byte(text), &c) // what an older version wrote and cannot be read is not decided
	return c
}
