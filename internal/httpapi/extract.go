package httpapi

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// extract answers the structured data of a message: the best record of one kind, or all that was found (API 8).
func (a *API) extract(c *call) error {
	kind, err := c.fields.word("type")
	if err != nil {
		return err
	}
	pick, known := extractions[kind]
	if !known {
		return mailbox.InvalidField("type", "The type is order, receipt, shipping, calendar, code or all.")
	}
	value, err := c.fields.word("email_id")
	if err != nil {
		return err
	}
	if value == "" {
		return mailbox.InvalidField("email_id", "The field email_id is missing.")
	}
	id, err := parseID("Email", value)
	if err != nil {
		return err
	}
	x, err := a.svc.Extract(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.Extraction{EmailID: wire.ID(x.ID), Extraction: pick(x)})
}

// extractions gives what is answered for each type. Where there is nothing, everything in the record is null.
var extractions = map[string]func(service.Extraction) any{
	"order":    func(x service.Extraction) any { return wire.NewOrder(best(x.Found.Orders)) },
	"receipt":  func(x service.Extraction) any { return wire.NewPaymentReceipt(best(x.Found.Receipts)) },
	"shipping": func(x service.Extraction) any { return wire.NewShipping(best(x.Found.Shippings)) },
	"calendar": func(x service.Extraction) any { return wire.NewAppointment(best(x.Found.Calendars)) },
	"code":     func(x service.Extraction) any { return wire.NewCodeRecord(x.Code, x.Links) },
	"all":      everything,
	"":         everything,
}

func best[T any](list []T) (first T) {
	if len(list) > 0 {
		first = list[0]
	}
	return first
}

func everything(x service.Extraction) any {
	all := []any{}
	for _, o := range x.Found.Orders {
		all = append(all, wire.NewOrder(o))
	}
	for _, r := range x.Found.Receipts {
		all = append(all, wire.NewPaymentReceipt(r))
	}
	for _, s := range x.Found.Shippings {
		all = append(all, wire.NewShipping(s))
	}
	for _, c := range x.Found.Calendars {
		all = append(all, wire.NewAppointment(c))
	}
	if x.Code != "" {
		all = append(all, wire.NewCodeRecord(x.Code, x.Links))
	}
	return all
}
