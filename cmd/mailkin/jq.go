package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/itchyny/gojq"
)

// parseJQ reads the expression of --jq. It cannot read files or the environment: nobody told it how.
func parseJQ(expression string) (*gojq.Code, error) {
	if expression == "" {
		return nil, nil
	}
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, usage("--jq: that is no expression of jq: %s", err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, usage("--jq: that is no expression of jq: %s", err)
	}
	return code, nil
}

// json writes a value: as JSON, or what --jq makes of that. A result that is a text is written without quotes.
func (s *session) json(v any) error {
	if s.jq == nil {
		return s.out.json(v)
	}
	plain, err := asPlain(v)
	if err != nil {
		return err
	}
	results := s.jq.RunWithContext(s.ctx, plain)
	for {
		result, more := results.Next()
		if !more {
			return nil
		}
		var halted *gojq.HaltError
		switch r := result.(type) {
		case string:
			err = s.out.text(r + "\n")
		case error:
			if errors.As(r, &halted) && halted.Value() == nil {
				return nil
			}
			if s.ctx.Err() != nil {
				return r
			}
			return usage("--jq: %s", r)
		default:
			err = s.out.json(r)
		}
		if err != nil {
			return err
		}
	}
}

// asPlain is a value as JSON has it.
func asPlain(v any) (plain any, err error) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &plain)
	}
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return plain, nil
}
