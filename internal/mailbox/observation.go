package mailbox

// Topic is what one report to the owner of a domain is about: its mail of a UTC day, as it was seen here.
type Topic struct {
	Day    int64 // since 1970
	Kind   ReportKind
	Domain string // that the report is about, and whose DNS says who wants it
}

// Observation is how often a fact was seen that a report on a topic will contain.
type Observation struct {
	Topic
	Fact  string // what was seen, in the form of package aggregate
	Count int64
}
