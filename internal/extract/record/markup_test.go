package record

import (
	"strings"
	"testing"
)

// block puts JSON-LD into HTML.
func block(json string) string {
	return `<html><head><script type="application/ld+json">` + json + `</script></head><body><p>Hello</p></body></html>`
}

const goodOrder = `order 123 539.00 USD "Shop.com" 2026-03-13 [1×Shirt 20.00]`

func TestJSONLD(t *testing.T) {
	const order = `"@context":"http://schema.org","@type":"Order","merchant":{"@type":"Organization","name":"Shop.com"},"orderNumber":"123","priceCurrency":"USD","price":"539.00","orderDate":"2026-03-13T10:00:00Z","acceptedOffer":[{"@type":"Offer","itemOffered":{"@type":"Product","name":"Shirt"},"price":"20.00","priceCurrency":"USD","eligibleQuantity":{"@type":"QuantitativeValue","value":"1"}}]`
	for _, c := range []mailCase{
		{"as it should be", Mail{View: seen(block(`{` + order + `}`))}, goodOrder},
		{"array", Mail{View: seen(block(`[{` + order + `}]`))}, goodOrder},
		{"graph", Mail{View: seen(block(`{"@context":"http://schema.org","@graph":[{"@type":"WebPage"},{` + order +
			`}]}`))}, goodOrder},
		{"trailing commas", Mail{View: seen(block(`{` + strings.ReplaceAll(order, `}]`, `,},]`) + `,}`))}, goodOrder},
		{"comments", Mail{View: seen(block("// the order\n{/* one */" + order + "<!-- end -->}"))}, goodOrder},
		{"CDATA", Mail{View: seen(block("//<![CDATA[\n{" + order + "}\n//]]>"))}, goodOrder},
		{"CDATA without comment", Mail{View: seen(block("<![CDATA[{" + order + "}]]>"))}, goodOrder},
		{"single quotes", Mail{View: seen(block(strings.ReplaceAll(`{`+order+`}`, `"`, `'`)))}, goodOrder},
		{"curly quotes", Mail{View: seen(block(strings.ReplaceAll(`{`+order+`}`, `"`, `”`)))}, goodOrder},
		{"entities all over", Mail{View: seen(block(strings.ReplaceAll(`{`+order+`}`, `"`, `&quot;`)))}, goodOrder},
		{"no quotes on keys", Mail{View: seen(block(strings.NewReplacer(`"price"`, `price`, `"orderNumber"`,
			` orderNumber `).Replace(`{` + order + `}`)))}, goodOrder},
		{"numbers", Mail{View: seen(block(strings.NewReplacer(`"539.00"`, `539.00`, `"1"`,
			`1`).Replace(`{` + order + `}`)))}, goodOrder},
		{"brackets missing at the end", Mail{View: seen(block(`{` + order))}, goodOrder},
		{"array bracket missing", Mail{View: seen(block(`{` + strings.TrimSuffix(order, "]") + `}`))}, goodOrder},
		{"commas missing", Mail{View: seen(block(strings.ReplaceAll(`{`+order+`}`, `","`, "\"\n\"")))}, goodOrder},
		{"line end in a text", Mail{View: seen(block(strings.Replace(`{`+order+`}`, "Shop.com", "Shop.com\r\n", 1)))},
			goodOrder},
		{"a tab and a backslash", Mail{View: seen(block(strings.Replace(`{`+order+`}`, "Shop.com", "\tShop\\.com",
			1)))}, goodOrder},
		{"quotes in a text", Mail{View: seen(block(strings.Replace(`{`+order+`}`, "Shirt", `The "best" Shirt`, 1)))},
			`order 123 539.00 USD "Shop.com" 2026-03-13 [1×The "best" Shirt 20.00]`},
		{"entities in a text", Mail{View: seen(block(strings.Replace(`{`+order+`}`, "Shirt", `Shirt &amp; Tie`, 1)))},
			`order 123 539.00 USD "Shop.com" 2026-03-13 [1×Shirt & Tie 20.00]`},
		{"escapes", Mail{View: seen(block(strings.Replace(`{`+order+`}`, "Shirt", `\u0048emd \ud83d\udc55`, 1)))},
			`order 123 539.00 USD "Shop.com" 2026-03-13 [1×Hemd 👕 20.00]`},
		{"two documents", Mail{View: seen(block(`{` + order + `}{` + strings.Replace(order, `"123"`, `"124"`, 1) +
			`}`))}, goodOrder + "\n" + strings.Replace(goodOrder, "123", "124", 1)},
		{"two in an array without comma", Mail{View: seen(block(`[{` + order + `}{` + strings.Replace(order, `"123"`,
			`"124"`, 1) + `}]`))}, goodOrder + "\n" + strings.Replace(goodOrder, "123", "124", 1)},
		{"two blocks", Mail{View: seen(block(`{`+order+`}`) + block(`{`+strings.Replace(order, `"123"`, `"124"`, 1)+
			`}`))}, goodOrder + "\n" + strings.Replace(goodOrder, "123", "124", 1)},
		{"junk before and after", Mail{View: seen(block(`var x = {` + order + `};`))}, goodOrder},
		{"type as an address", Mail{View: seen(block(strings.Replace(`{`+order+`}`, `"Order"`,
			`"https://schema.org/Order"`, 1)))}, goodOrder},
		{"type with a prefix, in an array", Mail{View: seen(block(strings.Replace(`{`+order+`}`, `"Order"`,
			`["schema:Order"]`, 1)))}, goodOrder},
		{"the type attribute with more", Mail{View: seen(strings.Replace(block(`{`+order+`}`), `ld+json"`,
			`LD+JSON; charset=utf-8"`, 1))}, goodOrder},
		{"reference", Mail{View: seen(block(`[{"@type":"Order","orderNumber":"123","seller":{"@id":"#s"},"price":"5","priceCurrency":"EUR"},{"@type":"Organization","@id":"#s","name":"Shop"}]`))}, `order 123 5 EUR "Shop" - []`},
		{"reference to itself", Mail{View: seen(block(
			`{"@type":"Order","@id":"#o","orderNumber":"123","seller":{"@id":"#o"},"partOfInvoice":{"@id":"#o"}}`))},
			`order 123 - - "" - []`},
		{"price with its sign", Mail{View: seen(block(`{"@type":"Order","orderNumber":"123","price":"1.234,56 €"}`))},
			`order 123 1234.56 EUR "" - []`},
		{"order items", Mail{View: seen(block(`{"@type":"Order","orderNumber":"9","seller":"Shop","orderedItem":[{"@type":"OrderItem","orderQuantity":3,"orderedItem":{"@type":"Product","name":"Cup","offers":{"price":"4.50","priceCurrency":"EUR"}}}]}`))}, `order 9 - EUR "Shop" - [3×Cup 4.50]`},
		{"nothing in it", Mail{View: seen(block(``))}, ``},
		{"no record", Mail{View: seen(block(`{"@type":"EmailMessage","potentialAction":{"@type":"ViewAction","url":"https://a.example"}}`))}, ``},
		{"a product is no order", Mail{View: seen(
			block(`{"@type":"Product","name":"Shirt","offers":{"@type":"Offer","price":"20.00","priceCurrency":"USD"}}`))}, ``},
	} {
		c.run(t)
	}
}

func TestSchema(t *testing.T) {
	for _, c := range []mailCase{
		{"invoice", Mail{View: seen(block(`{"@type":"Invoice","broker":{"name":"ACME Bank"},"paymentDueDate":"2026-04-01","totalPaymentDue":{"@type":"PriceSpecification","price":200.00,"priceCurrency":"USD"},"paymentMethod":"http://purl.org/goodrelations/v1#VISA","referencesOrder":{"@type":"Order","orderNumber":"77","orderedItem":{"name":"Boiler"}}}`))},
			`order 77 - - "ACME Bank" - [-×Boiler -]
			receipt 200.00 USD "ACME Bank" 2026-04-01 "VISA" 77`},
		{"invoice of nothing", Mail{View: seen(block(
			`{"@type":"Invoice","provider":"A","totalPaymentDue":{"@type":"MonetaryAmount","value":0.00,"currency":"EUR"}}`))}, `receipt 0.00 EUR "A" - "" -`},
		{"parcel", Mail{View: seen(block(`{"@type":"ParcelDelivery","carrier":{"@type":"Organization","name":"FedEx Home Delivery"},"expectedArrivalFrom":"2026-03-16T12:00:00-08:00","expectedArrivalUntil":"2026-03-18T12:00:00-08:00","trackingNumber":"986578788855","trackingUrl":"https://fedex.com/track/986578788855","itemShipped":{"@type":"Product","name":"iPod"},"partOfOrder":{"@type":"Order","orderNumber":"176057","merchant":{"name":"Bob"},"orderStatus":"http://schema.org/OrderInTransit"}}`))},
			`order 176057 - - "Bob" - [-×iPod -]
			shipping 986578788855 "FedEx" in_transit 2026-03-18 https://fedex.com/track/986578788855`},
		{"parcel without a carrier", Mail{View: seen(
			block(`{"@type":"ParcelDelivery","trackingNumber":"1Z999AA10123456784"}`))},
			`shipping 1Z999AA10123456784 "UPS" - - -`},
		{"event", Mail{View: seen(block(`{"@type":"MusicEvent","name":"Concert","startDate":"2026-05-01T20:00","endDate":"2026-05-01T23:00","location":{"@type":"Place","name":"Arena","address":"Main Street 1"},"eventStatus":"https://schema.org/EventCancelled"}`))},
			`calendar 2026-05-01 20:00 2026-05-01T23:00:00 - "Concert" "Arena, Main Street 1" CANCEL`},
		{"online event", Mail{View: seen(block(`{"@type":"Event","name":"Webinar","startDate":"2026-05-01","location":{"@type":"VirtualLocation","url":"https://meet.example/x"}}`))}, `calendar 2026-05-01 - - - "Webinar" "https://meet.example/x" -`},
		{"flight", Mail{View: seen(block(`{"@type":"FlightReservation","reservationNumber":"RXJ34P","underName":{"name":"Eva Green"},"reservationFor":{"@type":"Flight","flightNumber":"110","airline":{"name":"United","iataCode":"UA"},"departureAirport":{"name":"San Francisco Airport","iataCode":"SFO"},"departureTime":"2027-03-04T20:15:00-08:00","arrivalAirport":{"name":"JFK Airport","iataCode":"JFK"},"arrivalTime":"2027-03-05T06:30:00-05:00"}}`))},
			`calendar 2027-03-04 20:15 2027-03-05T06:30:00-05:00 -08:00 "UA 110 San Francisco Airport (SFO) → JFK Airport (JFK)" "San Francisco Airport (SFO)" -`},
		{"flight for two", Mail{View: seen(block(`[{"@type":"FlightReservation","reservationNumber":"X","underName":"A","reservationFor":{"flightNumber":"LH1","departureTime":"2027-03-04T20:15"}},{"@type":"FlightReservation","reservationNumber":"X","underName":"B","reservationFor":{"flightNumber":"LH1","departureTime":"2027-03-04T20:15"}}]`))},
			`calendar 2027-03-04 20:15 - - "LH1" "" -`},
		{"train", Mail{View: seen(block(`{"@type":"TrainReservation","reservationId":"A","reservationFor":{"@type":"TrainTrip","trainName":"ICE","trainNumber":"75","departureStation":{"name":"Berlin Hbf"},"arrivalStation":{"name":"Basel SBB"},"departureTime":"2026-04-01T08:00:00+02:00","arrivalTime":"2026-04-01T15:30:00+02:00"}}`))},
			`calendar 2026-04-01 08:00 2026-04-01T15:30:00+02:00 +02:00 "ICE 75 Berlin Hbf → Basel SBB" "Berlin Hbf" -`},
		{"hotel", Mail{View: seen(block(`{"@type":"LodgingReservation","reservationNumber":"H1","reservationStatus":"http://schema.org/ReservationCancelled","checkinTime":"2026-06-15T14:00:00+00:00","checkoutTime":"2026-06-18","reservationFor":{"@type":"LodgingBusiness","name":"Grand","address":{"streetAddress":"1 High St","addressLocality":"London"}}}`))},
			`calendar 2026-06-15 14:00 2026-06-18 UTC "Grand" "Grand, 1 High St, London" CANCEL`},
		{"rental car", Mail{View: seen(block(`{"@type":"RentalCarReservation","reservationId":"C","pickupTime":"2026-08-05T16:00","dropoffTime":"2026-08-06T20:00","pickupLocation":{"name":"Airport"},"reservationFor":{"@type":"RentalCar","name":"Compact","rentalCompany":{"name":"Hertz"}}}`))}, `calendar 2026-08-05 16:00 2026-08-06T20:00:00 - "Compact" "Airport" -`},
		{"table", Mail{View: seen(block(`{"@type":"FoodEstablishmentReservation","startTime":"2026-04-10T19:00:00+02:00","partySize":"2","reservationFor":{"@type":"FoodEstablishment","name":"Trattoria","address":"Via Roma 1"}}`))}, `calendar 2026-04-10 19:00 - +02:00 "Trattoria" "Trattoria, Via Roma 1" -`},
		{"several in a package", Mail{View: seen(block(
			`{"@type":"ReservationPackage","subReservation":[{"@type":"BusReservation","reservationFor":{"departureBusStop":{"name":"A"},"arrivalBusStop":{"name":"B"},"departureTime":"2026-04-01T08:00"}},{"@type":"EventReservation","reservationFor":{"@type":"Event","name":"Show","startDate":"2026-04-02"}}]}`))},
			`calendar 2026-04-01 08:00 - - "Bus A → B" "A" -
			calendar 2026-04-02 - - - "Show" "" -`},
		{"days that can be misread", Mail{View: seen(
			block(`{"@type":"FlightReservation","ticketNumber":"20180204 EW8103","reservationFor":{"flightNumber":"EW8103","departureTime":"02-04-2018 20:40"}}`))}, `calendar 2018-02-04 20:40 - - "EW8103" "" -`},
		{"an event without a day", Mail{View: seen(
			block(`{"@type":"RsvpAction","event":{"@type":"SportsEvent","name":"NBA finals"}}`))}, ``},
	} {
		c.run(t)
	}
}

func TestMicrodata(t *testing.T) {
	for _, c := range []mailCase{
		{"order", Mail{View: seen(`<div itemscope itemtype="http://schema.org/Order"><div itemprop="merchant" itemscope itemtype="http://schema.org/Organization"><meta itemprop="name" content="Shop.com"/></div>
			<meta itemprop="orderNumber" content="123"/><meta itemprop="priceCurrency" content="USD"/><meta itemprop="price" content="539.00"/><time itemprop="orderDate" datetime="2026-03-13">13 March</time>
			<div itemprop="acceptedOffer" itemscope itemtype="http://schema.org/Offer"><div itemprop="itemOffered" itemscope itemtype="http://schema.org/Product"><span itemprop="name">Shirt</span></div><meta itemprop="price" content="20.00"/>
			<div itemprop="eligibleQuantity" itemscope itemtype="http://schema.org/QuantitativeValue"><meta itemprop="value" content="1"/></div></div></div>`)}, goodOrder},
		{"a paragraph with blocks in it", Mail{View: seen(
			`<p itemscope itemtype="http://schema.org/EventReservation">No. <span itemprop="reservationNumber">1</span><div itemprop="reservationFor" itemscope itemtype="http://schema.org/Event"><b itemprop="name">Show</b><time itemprop="startDate" datetime="2026-05-15T08:30:00-08:00">May</time></div></p>`)},
			`calendar 2026-05-15 08:30 - -08:00 "Show" "" -`},
		{"closed elements", Mail{View: seen(`<div itemscope itemtype="http://schema.org/Event"><time itemprop="startDate" datetime="2026-05-15"/><div itemprop="name" content="Show"/><div itemprop="location" itemscope itemtype="http://schema.org/Place"><span itemprop="name">Hall</span></div></div>`)},
			`calendar 2026-05-15 - - - "Show" "Hall" -`},
		{"broken around it", Mail{View: seen(`<tag1></tag2><div itemscope itemtype="http://schema.org/ParcelDelivery"><link itemprop="trackingUrl" href="https://a.example/t"><meta itemprop="trackingNumber" content="RB123456785GB"></span></div></b>`)},
			`shipping RB123456785GB "Royal Mail" - - https://a.example/t`},
		{"rows that are not closed", Mail{View: seen(
			`<table itemscope itemtype="http://schema.org/Order"><tr><td itemprop="orderNumber">7<tr itemprop="orderedItem" itemscope itemtype="http://schema.org/OrderItem"><td itemprop="name">Cup<td itemprop="orderQuantity">2<tr itemprop="orderedItem" itemscope itemtype="http://schema.org/OrderItem"><td itemprop="name">Pot</table>`)},
			`order 7 - - "" - [2×Cup -; -×Pot -]`},
		{"both kinds of markup", Mail{View: seen(block(
			`{"@type":"Order","orderNumber":"7","price":"5","priceCurrency":"EUR"}`) +
			`<div itemscope itemtype="http://schema.org/Order"><meta itemprop="orderNumber" content="7"><meta itemprop="seller" content="Shop"></div>`)}, `order 7 5 EUR "Shop" - []`},
		{"no scope", Mail{View: seen(`<span itemprop="orderNumber">7</span>`)}, ``},
	} {
		c.run(t)
	}
}

// What the text says completes the markup, and does not contradict it.
func TestMarkupWithText(t *testing.T) {
	for _, c := range []mailCase{
		{"the text has the sum", Mail{Subject: "Order 123 confirmed",
			View: seen(block(`{"@type":"Order","orderNumber":"123","seller":"Shop"}`) +
				`<p>Thank you for your order!<p>Order number: 123<p>Order total: $45.00`)},
			`order 123 45.00 USD "Shop" - []`},
		{"another number in the text", Mail{Subject: "Order confirmed",
			View: seen(block(`{"@type":"Order","orderNumber":"123","seller":"Shop"}`) +
				`<p>Thank you for your order!<p>Order number: 555123<p>Order total: $45.00`)},
			`order 123 - - "Shop" - []`},
		{"another sum in the text", Mail{Subject: "Order 123 confirmed",
			View: seen(block(`{"@type":"Order","orderNumber":"123","seller":"Shop","price":"97.60","priceCurrency":"USD"}`) + `<p>Thank you for your order!<p>Order number: 123<p>Order total: $45.00`)}, `order 123 45.00 USD "" - []`},
		{"another sum in hidden microdata", Mail{Subject: "Order 123 confirmed",
			View: seen(`<div itemscope itemtype="http://schema.org/Order" style="display:none"><meta itemprop="orderNumber" content="77-3981"><meta itemprop="price" content="97.60"><meta itemprop="priceCurrency" content="USD"></div><p>Thank you for your order!<p>Order number: 48-2210<p>Order total: $45.00`)}, `order 48-2210 45.00 USD "" - []`},
		{"hidden text", Mail{Subject: "Order confirmed",
			View: seen(`<style>.x{display:none}</style><p>Thank you for your order!<div class=x><p>Order number: 77-3981<p>Order total: $97.60</div><p>Order number: 48-2210<p>Order total: $45.00`)}, `order 48-2210 45.00 USD "" - []`},
		{"status by the subject", Mail{Subject: "Your parcel has been delivered",
			View: seen(block(`{"@type":"ParcelDelivery","trackingNumber":"RB123456785GB"}`) +
				`<p>Tracking number: RB123456785GB`)}, `shipping RB123456785GB "Royal Mail" delivered - -`},
		{"calendar part and markup", Mail{View: seen(
			block(`{"@type":"Event","name":"Lunch","startDate":"2026-03-20T12:00","location":"Cafe"}`)),
			Calendars: []string{"BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1\nSUMMARY:Lunch\nDTSTART:20260320T120000\nEND:VEVENT\nEND:VCALENDAR"}},
			`calendar 2026-03-20 12:00 - - "Lunch" "Cafe" REQUEST`},
	} {
		c.run(t)
	}
}

func TestRepairedIsLessSure(t *testing.T) {
	good := Find(Mail{View: seen(block(`{"@type":"Order","orderNumber":"1"}`))})
	broken := Find(Mail{View: seen(block(`{"@type":"Order","orderNumber":"1",}`))})
	if len(good.Orders) != 1 || len(broken.Orders) != 1 || good.Orders[0].Confidence <= broken.Orders[0].Confidence ||
		broken.Orders[0].Confidence < 0.9 {
		t.Errorf("got %+v and %+v", good, broken)
	}
	if good.Orders[0].Source != FromJSONLD {
		t.Errorf("source %q", good.Orders[0].Source)
	}
}
