package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func extractTool() tool {
	return tool{
		name: "extract_data", title: "Extract structured data",
		needs: []string{"read"},
		about: "Take the facts out of a message: order, receipt, shipment, appointment or code, as fields with a " +
			"confidence. What it does not say is null.",
		hints: reads,
		input: arguments{
			emailID("id of the message"),
			{name: "type", among: []string{api.ExtractAll, api.ExtractOrder, api.ExtractShipping, api.ExtractCalendar,
				api.ExtractReceipt, api.ExtractCode},
				about: "which kind"},
			offset("records to leave out"),
		},
		run: extract,
	}
}

func extract(ctx context.Context, c *client.Client, in args) (result, error) {
	x, err := c.Extract(ctx, in.text("email_id"), in.text("type"))
	if err != nil {
		return result{}, err
	}
	offset := min(in.number("offset"), len(x.Records))
	shown := []fields{}
	budget := mostBudget
	for _, r := range x.Records[offset:] {
		f, err := record(r)
		if err != nil {
			return result{}, err
		}
		n := costIn(f)
		if len(shown) > 0 && n > budget {
			break
		}
		budget -= n
		shown = append(shown, f)
	}
	out := fields{"email_id": x.EmailID, "extraction": shown, "total": len(x.Records), "continue": nil}
	if next := offset + len(shown); next < len(x.Records) {
		out["continue"] = fmt.Sprintf("There are more: call extract_data with email_id=%s, type=%s, offset=%d.",
			x.EmailID, in.text("type"), next)
	}
	return result{fields: out, fromMail: true}, nil
}

// record is a record as a result has it: no text in it is long, and no list.
func record(r api.Record) (fields, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	var all map[string]any
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	out := make(fields, len(all))
	for name, v := range all {
		list, ok := v.([]any)
		if !ok {
			out[name] = trimmed(v)
			continue
		}
		kept := beginning(list, valuesBudget)
		out[name] = kept
		if left := len(list) - len(kept); left > 0 {
			out[name+"_left_out"] = left
		}
	}
	return out, nil
}

// valuesBudget is for one list of a record, such as the lines of an order.
const valuesBudget = 3000

// beginning takes values of a list as long as they are within a budget.
func beginning(list []any, budget int) []any {
	kept := []any{}
	for _, v := range list {
		v = trimmed(v)
		if budget -= costIn(v) + 1; budget < 0 {
			break
		}
		kept = append(kept, v)
	}
	return kept
}

// trimmed is a value of a record with its texts on one line.
func trimmed(v any) any {
	switch v := v.(type) {
	case string:
		return oneLine(v)
	case map[string]any:
		out := make(fields, len(v))
		for name, value := range v {
			out[name] = trimmed(value)
		}
		return out
	}
	return v
}
