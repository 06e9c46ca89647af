package zone

import (
	"fmt"
	"slices"
	"strings"
)

// Finding is what the DNS has of a record.
type Finding struct {
	Record   Record
	Found    []string // what is there, for people: bounded and printable
	Verified bool
	Problem  string // why it is not verified, a sentence; empty where it is, or where Err is set
	Err      error  // it could not be found out
}

// Findings are those of all records of a plan, in their order.
type Findings []Finding

// What is shown of what was found.
const (
	maxFound      = 10
	maxFoundBytes = 1024
)

// bound makes a finding fit to be shown.
func (f *Finding) bound() {
	f.Found = slices.Clone(f.Found[:min(len(f.Found), maxFound)])
	for i := range f.Found {
		f.Found[i] = printable(f.Found[i], maxFoundBytes)
	}
}

// Holds says whether there are records of a kind and all of them are verified.
func (f Findings) Holds(kind string) bool {
	any := false
	for _, one := range f {
		if one.Record.Kind == kind {
			if any = true; !one.Verified {
				return false
			}
		}
	}
	return any
}

// Knows says whether all records of a kind could be looked up.
func (f Findings) Knows(kind string) bool {
	return !slices.ContainsFunc(f, func(one Finding) bool { return one.Record.Kind == kind && one.Err != nil })
}

// Complete says whether the domain can be used: dns_verified.
func (f Findings) Complete(p Plan) bool {
	return (p.Own || f.Holds(KindOwnership)) && f.Holds(KindMX) && f.Holds(KindSPF) && f.Holds(KindDKIM)
}

// Unknown says whether something could not be found out, so that a record that is missing now may be there all the
// same.
func (f Findings) Unknown() bool {
	return slices.ContainsFunc(f, func(one Finding) bool { return one.Err != nil })
}

// Message tells a person how far the domain is. lapsed says what is so of one that was verified and is not any more;
// one that is inUse stays so, whatever else is missing.
func (f Findings) Message(p Plan, inUse bool, lapsed string) string {
	var open, advised []string
	for _, one := range f {
		if one.Verified {
			continue
		}
		problem := one.Problem
		if one.Err != nil {
			problem = "It could not be looked up; try again later."
		}
		line := fmt.Sprintf("%s at %s: %s", one.Record.Type, one.Record.Host, problem)
		if one.Record.Kind == KindDMARC || one.Record.Kind == KindDKIMEd25519 {
			advised = append(advised, line)
		} else {
			open = append(open, line)
		}
	}
	var parts []string
	switch {
	case lapsed != "":
		parts = append(parts, lapsed)
	case len(open) == 0 && f.Complete(p):
		parts = append(parts, "The domain is verified.")
	case inUse:
		parts = append(parts, "The domain stays verified, but not all of its records are there or could be looked up.")
	default:
		parts = append(parts, "The domain is not verified yet.")
	}
	parts = append(parts, open...)
	if len(advised) > 0 {
		parts = append(append(parts, "Advised, but not needed:"), advised...)
	}
	return strings.Join(parts, " ")
}
