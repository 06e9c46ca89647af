package record

import "strings"

// parcel reads a ParcelDelivery. inside is the order or the item of an order that it delivers.
func (r *schema) parcel(n, inside *node) {
	s := Shipping{Source: r.source, Confidence: r.confidence}
	s.TrackingNumber = n.text("trackingNumber", "trackingId")
	s.Carrier = carrierName(n.text("carrier", "provider", "hasDeliveryMethod", "deliveryMethod"))
	s.ETA = r.moment(n, "expectedArrivalUntil", "expectedArrivalFrom", "expectedArrival", "deliveryDate").date()
	s.URL = n.text("trackingUrl", "trackingURL")
	status := n.text("deliveryStatus", "status")
	if event := n.node("deliveryStatus"); event != nil && status == "" {
		status = event.text("description", "eventStatus")
	}
	order := n.node("partOfOrder")
	s.Status = either(parcelStatus(status), parcelStatus(order.text("orderStatus")),
		parcelStatus(inside.text("orderItemStatus", "orderStatus")))
	if s.TrackingNumber == "" && s.URL == "" && s.ETA == "" && s.Carrier == "" {
		return
	}
	if s.Carrier == "" {
		s.Carrier = soleCarrier(identify(s.TrackingNumber))
	}
	if s.TrackingNumber == "" {
		s.Confidence = lower(s.Confidence)
	}
	if len(r.found.Shippings) < maxFound {
		r.found.Shippings = append(r.found.Shippings, s)
	}
	r.parcelOrder(n, order)
}

// parcelOrder adds to an order what only the parcel says: the goods in it.
func (r *schema) parcelOrder(n, order *node) {
	if order == nil || order.all("acceptedOffer", "orderedItem") != nil {
		return
	}
	for _, item := range n.all("itemShipped") {
		order.add("orderedItem", item)
	}
}

// parcelStatus returns the step that a status of schema.org is.
func parcelStatus(s string) Status {
	s = strings.ToLower(plain(s))
	switch {
	case s == "":
		return ""
	case strings.Contains(s, "outfordelivery"), strings.Contains(s, "out for delivery"),
		strings.Contains(s, "pickupavailable"):
		return OutForDelivery
	case strings.Contains(s, "intransit"), strings.Contains(s, "in transit"):
		return InTransit
	case strings.Contains(s, "delivered"):
		return Delivered
	case strings.Contains(s, "problem"), strings.Contains(s, "returned"), strings.Contains(s, "cancel"),
		strings.Contains(s, "exception"), strings.Contains(s, "delay"):
		return Exception
	case strings.Contains(s, "shipped"), strings.Contains(s, "dispatched"):
		return Shipped
	}
	return ""
}
