package api

// MailCheck is what those who test their mail want to know of a message: which features it uses that not every mail
// program shows, and which links it has.
type MailCheck struct {
	EmailID     string         `json:"email_id"`
	HTML        bool           `json:"html"`        // it has HTML
	Complete    bool           `json:"complete"`    // all of its bodies was looked at
	Elements    int            `json:"elements"`    // of its HTML
	Tests       int            `json:"tests"`       // features that were looked for
	Supported   float64        `json:"supported"`   // percent, weighed by how much of the mail uses a feature
	Partial     float64        `json:"partial"`     // percent
	Unsupported float64        `json:"unsupported"` // percent
	Features    []CheckFeature `json:"features"`    // that are used, those with the least support first
	Links       []CheckLink    `json:"links"`
}

// CheckFeature is a feature of HTML or CSS that a message uses.
type CheckFeature struct {
	Slug     string         `json:"slug"`
	Title    string         `json:"title"`
	Advice   string         `json:"advice"`
	Found    int            `json:"found"` // how often
	Programs []CheckProgram `json:"programs"`
}

// CheckProgram is what a mail program does with a feature.
type CheckProgram struct {
	Name    string `json:"name"`
	Support string `json:"support"` // yes, partial or no
}

// CheckLink is a link of a message, or the address of a picture or a style sheet. Nothing is asked of it.
type CheckLink struct {
	URL   string `json:"url"`
	In    string `json:"in"`    // a, img, link or text
	Valid bool   `json:"valid"` // it can be an address
}
