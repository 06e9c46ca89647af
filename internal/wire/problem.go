package wire

import "github.com/mailkin/mailkin/api"

// NewProblem returns a problem. Severe ones are those because of which mail does not come or go.
func NewProblem(check string, severe bool, found, next string) api.Problem {
	p := api.Problem{Check: check, Status: "warn", Found: found, Next: next}
	if severe {
		p.Status = "fail"
	}
	return p
}
