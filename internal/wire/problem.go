package wire

// Problem is something about the deployment that its operator should do something about.
type Problem struct {
	Check  string `json:"check"`
	Status string `json:"status"` // fail or warn
	Found  string `json:"found"`
	Next   string `json:"next"`
}

// Problems are all there are.
type Problems struct {
	Problems []Problem `json:"problems"`
}

// NewProblem gives a problem. Severe ones are those because of which mail does not come or go.
func NewProblem(check string, severe bool, found, next string) Problem {
	p := Problem{Check: check, Status: "warn", Found: found, Next: next}
	if severe {
		p.Status = "fail"
	}
	return p
}
