package api

// ListEntry is an entry of an allow or block list.
type ListEntry struct {
	Value     string `json:"value"` // an address, a domain, or "*." and a domain
	Note      string `json:"note"`
	ExpiresAt Time   `json:"expires_at"` // null: never
	CreatedAt Time   `json:"created_at"`
}

// ListEntries is a page of a list.
type ListEntries struct {
	Entries []ListEntry `json:"entries"`
	Next    NullString  `json:"next_cursor"`
}
