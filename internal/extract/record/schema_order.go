package record

import "strings"

// maxOrderItems is how many items of an order are given.
const maxOrderItems = 200

// order reads an Order. One inside an invoice takes its seller from there.
func (r *schema) order(n, inside *node) {
	o := Order{Source: r.source, Confidence: r.confidence}
	o.OrderID = n.text("orderNumber", "confirmationNumber", "orderId", "identifier")
	o.Total, o.Currency = r.price(n, "price", "totalPrice", "priceSpecification", "total", "totalPaymentDue",
		"partOfInvoice")
	if invoice := n.node("partOfInvoice"); invoice != nil && !o.Total.Known() {
		o.Total, o.Currency = r.price(invoice, "totalPaymentDue")
	}
	o.Merchant = n.text("seller", "merchant", "provider", "broker", "vendor")
	if o.Merchant == "" && inside != nil {
		o.Merchant = inside.text("provider", "seller", "broker")
	}
	o.Date = r.moment(n, "orderDate", "orderTime", "dateCreated").date()
	offers := n.nodes("acceptedOffer", "offers")
	for _, offer := range offers {
		o.Merchant = either(o.Merchant, offer.text("seller"))
		r.addItem(&o, offer)
	}
	if len(o.Items) == 0 {
		for _, v := range n.all("orderedItem", "orderItem", "items", "itemOffered") {
			if v.node != nil {
				r.addItem(&o, v.node)
			} else if name := squeeze(v.text); name != "" && len(o.Items) < maxOrderItems {
				o.Items = append(o.Items, Item{Name: name})
			}
		}
	}
	if o.OrderID == "" && !o.Total.Known() && len(o.Items) == 0 {
		return
	}
	if o.OrderID == "" {
		o.Confidence = lower(o.Confidence)
	}
	if len(r.found.Orders) < maxFound {
		r.found.Orders = append(r.found.Orders, o)
	}
}

// addItem reads an Offer, an OrderItem or a Product.
func (r *schema) addItem(o *Order, n *node) {
	product := n.node("itemOffered", "orderedItem", "item", "itemShipped")
	for range 3 { // an offer in an item in an offer
		inner := product.node("itemOffered", "orderedItem")
		if inner == nil {
			break
		}
		product = inner
	}
	item := Item{Name: either(product.text("name"), n.text("name"), product.text("description"), n.text("description"),
		n.text("itemOffered", "orderedItem"))}
	item.Quantity = quantityOf(n)
	if !item.Quantity.Known() {
		item.Quantity = quantityOf(product)
	}
	var currency string
	for _, p := range []*node{n, n.node("acceptedOffer", "offers"), product, product.node("offers")} {
		if p != nil && !item.Price.Known() {
			item.Price, currency = r.price(p, "price", "priceSpecification", "unitPrice")
		}
	}
	o.Currency = either(o.Currency, currency)
	if item.Name != "" && len(o.Items) < maxOrderItems {
		o.Items = append(o.Items, item)
	}
}

// quantityOf returns how many there are of an item.
func quantityOf(n *node) Decimal {
	for _, name := range []string{"eligibleQuantity", "orderQuantity", "quantity", "amountOfThisGood"} {
		for _, v := range n.all(name) {
			text := v.text
			if v.node != nil {
				text = v.node.text("value", "amountOfThisGood", "@value", "maxValue")
			}
			l := newLine(text)
			if list := l.amounts(); len(list) > 0 {
				return list[0].value
			}
		}
	}
	return ""
}

// invoice reads an Invoice.
func (r *schema) invoice(n *node) {
	c := Receipt{Source: r.source, Confidence: r.confidence}
	c.Merchant = n.text("provider", "broker", "seller", "merchant")
	c.Amount, c.Currency = r.price(n, "totalPaymentDue", "price", "total", "amount", "minimumPaymentDue")
	c.Date = r.moment(n, "dateCreated", "dateIssued", "paymentDate", "scheduledPaymentDate", "paymentDueDate",
		"paymentDue").date()
	c.PaymentMethod = plainValue(either(n.text("paymentMethod"), n.text("paymentMethodId")))
	for _, o := range n.nodes("referencesOrder") {
		c.OrderID = either(c.OrderID, o.text("orderNumber"))
		c.Merchant = either(c.Merchant, o.text("seller", "merchant"))
		c.PaymentMethod = either(c.PaymentMethod, plainValue(o.text("paymentMethod")))
	}
	if c.Amount.Known() && len(r.found.Receipts) < maxFound {
		r.found.Receipts = append(r.found.Receipts, c)
	}
}

// plainValue returns a text, and of an address like http://purl.org/goodrelations/v1#PayPal what it names.
func plainValue(s string) string {
	if strings.Contains(s, "://") {
		return plain(s)
	}
	return s
}
