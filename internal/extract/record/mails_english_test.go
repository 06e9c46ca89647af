package record

import "testing"

func TestMailsEnglish(t *testing.T) {
	for _, c := range []mailCase{
		{"sign of the next amount", Mail{From: "Mugs <orders@mugs.example>", Subject: "Order #7781",
			Text: "Thanks for your order #7781.\n\nBlue mug x2 £18.00\nRed plate x1 £12.50\n\nDelivery £3.95\nTotal " +
				"£34.45"},
			`order 7781 34.45 GBP "Mugs" - [2×Blue mug 9.00; 1×Red plate 12.50]`},
		{"label of the price", Mail{From: "Pet Barn <orders@petbarn.example>", Subject: "Order confirmation 100200",
			Text: "Order number: 100200\nDog food 10 kg, Qty: 2, Price: $45.00\nOrder total: $90.00"},
			`order 100200 90.00 USD "Pet Barn" - [2×Dog food 10 kg 45.00]`},
		{"paid on a day, by a service", Mail{From: "Bharat Store <noreply@store.in>", Subject: "Payment receipt",
			Text: "We have received your payment of ₹1,23,456.00 on 11-Mar-2026 via UPI."},
			`receipt 123456.00 INR "Bharat Store" 2026-03-11 "UPI" -`},
		{"card beside the total", Mail{From: "Rides <receipts@rides.example>", Subject: "Your Tuesday evening trip",
			Text: "Total £14.62\n10 March 2026\nTrip fare £12.10\nMastercard ••••8811  £14.62"},
			`receipt 14.62 GBP "Rides" 2026-03-10 "Mastercard 8811" -`},
		{"donation", Mail{From: "Relief <give@relief.example>", Subject: "Thank you",
			Text: "Thank you for your donation of $50.00 on March 2, 2026.\nPayment method: PayPal"},
			`receipt 50.00 USD "Relief" 2026-03-02 "PayPal" -`},
		{"a date says more than today", Mail{From: "FedEx <updates@fedex.com>", Subject: "Your package is scheduled " +
			"for delivery today", Text: "Tracking number 771239485615\nScheduled delivery: Mon, 03/16/2026 by 8:00 PM"},
			`shipping 771239485615 "FedEx" out_for_delivery 2026-03-16 -`},
		{"marketplace order", Mail{From: "Amazon.com <auto-confirm@amazon.com>",
			Subject: `Your Amazon.com order #113-4567890-1234567`, Text: `
Hello Alex,
Thank you for your order. We'll send a confirmation when your item ships.

Order Details
Order #113-4567890-1234567
Placed on Friday, March 13, 2026

Arriving:
Tuesday, March 17

Item Subtotal:           $39.98
Shipping & Handling:      $0.00
Total Before Tax:        $39.98
Estimated Tax:            $3.30
Order Total:             $43.28
`}, `order 113-4567890-1234567 43.28 USD "Amazon.com" 2026-03-13 []`},
		{"shop order in HTML", Mail{From: "Acme Outfitters <store+123@t.shopifyemail.com>",
			Subject: "Order #1042 confirmed", View: seen(`<html><body>
<table><tr><td><h1>Acme Outfitters</h1></td><td>Order #1042</td></tr></table>
<h2>Thank you for your purchase!</h2><p>Hi Alex, we're getting your order ready to be shipped. We will notify you when it has been sent.</p>
<a href="https://acme.example/orders/abc">View your order</a>
<h3>Order summary</h3>
<table><tr><td><img src="x.png"></td><td><span>Blue Shirt × 2</span><br><span>Medium</span></td><td><p>$40.00</p></td></tr>
<tr><td><img src="y.png"></td><td><span>Wool Socks × 1</span></td><td><p>$9.50</p></td></tr></table>
<table><tr><td><p>Subtotal</p></td><td><strong>$49.50</strong></td></tr><tr><td><p>Shipping</p></td><td><strong>$5.00</strong></td></tr>
<tr><td><p>Total</p></td><td><strong>$54.50 USD</strong></td></tr></table></body></html>`)},
			`order 1042 54.50 USD "Acme Outfitters" - [2×Blue Shirt 20.00; 1×Wool Socks 9.50]`},
		{"auction", Mail{From: "eBay <ebay@ebay.com>", Subject: "Order confirmed: Vintage Camera Lens 50mm", Text: `
Your order is confirmed.
Vintage Camera Lens 50mm
Price: $85.00
Order number: 12-10345-67890
Estimated delivery: Mar 18 - Mar 21
Order total
$92.35
`}, `order 12-10345-67890 92.35 USD "eBay" - []`},
		{"handmade, British", Mail{From: "Etsy Transactions <transaction@etsy.com>",
			Subject: "Your Etsy Purchase from PotteryByJane (1234567890)", Text: `
Thanks for your purchase!
Your order number is 1234567890
Order date: 12/03/2026

Item: Blue mug
Quantity: 2
Price: £14.00

Subtotal: £28.00
Delivery: £3.95
Order total: £31.95
Paid with Visa ending in 4242
`}, `order 1234567890 31.95 GBP "Etsy Transactions" 2026-03-12 [2×Blue mug 14.00]`},
		{"app store receipt", Mail{From: "Apple <no_reply@email.apple.com>", Subject: "Your receipt from Apple.",
			Text: `
Receipt

APPLE ID
alan.turing@example.com

INVOICE DATE
18 Jan 2026

ORDER ID
ML4F5L8522

DOCUMENT NO.
186623754793

BILLED TO
Visa .... 7461 (Apple Pay)
Alan Turing
2125 Chestnut St
San Francisco, CA 94123
USA

App Store

HBO Max: Stream TV & Movies
HBO Max Ad-Free (Monthly)
Renews Aug 20, 2026
Write a Review | Report a Problem

$14.99

TOTAL

$14.99
`}, `order ML4F5L8522 14.99 USD "Apple" 2026-01-18 []
receipt 14.99 USD "Apple" 2026-01-18 "Visa 7461" ML4F5L8522`},
		{"play store", Mail{From: "Google Play <googleplay-noreply@google.com>",
			Subject: "Your Google Play Order Receipt from Mar 13, 2026", Text: `
Thank you. Your subscription from Acme Labs on Google Play has renewed.
Order number: GPA.3312-1234-5678-90123..5
Order date: Mar 13, 2026 8:12:45 AM PDT
Your account: alex@example.com

Item	Price
Acme Pro (Acme App)	$4.99/month
Tax: $0.40
Total: $5.39/month
Payment method:
Mastercard-1234
`}, `order GPA.3312-1234-5678-90123..5 5.39 USD "Google Play" 2026-03-13 [-×Acme Pro (Acme App) 4.99]
receipt 5.39 USD "Google Play" 2026-03-13 "Mastercard" GPA.3312-1234-5678-90123..5`},
		{"wallet", Mail{From: "PayPal <service@paypal.com>", Subject: "Receipt for Your Payment to Acme Games Ltd",
			Text: `
Hello, Alex Doe
You sent a payment of $24.99 USD to Acme Games Ltd

Transaction ID
7AB12345CD678901E
Transaction date
March 12, 2026

Payment method
Visa x-1881
`}, `receipt 24.99 USD "Acme Games Ltd" 2026-03-12 "Visa 1881" -`},
		{"card processor", Mail{From: "Acme Cloud, Inc. <receipts@stripe.com>", Subject: "Your receipt from Acme " +
			"Cloud, Inc. #1234-5678", Text: `
Receipt from Acme Cloud, Inc.
$120.00
Paid March 10, 2026

Receipt number	1234-5678
Invoice number	ABCD1234-0007
Payment method	Visa - 4242

Acme Cloud Pro
Qty 1
$120.00

Total	$120.00
Amount paid	$120.00
`}, `receipt 120.00 USD "Acme Cloud, Inc." 2026-03-10 "Visa" -`},
		{"ride", Mail{From: "Uber Receipts <noreply@uber.com>", Subject: "Your Friday evening trip with Uber", Text: `
Total $18.42
March 13, 2026

Thanks for riding, Alex
Here's your receipt for your ride.

Trip fare $14.00
Booking Fee $2.92
Tip $1.50
Payments
Visa ••••4242
3/13/26 7:45 PM
$18.42
`}, `receipt 18.42 USD "Uber" 2026-03-13 "Visa 4242" -`},
		{"parcel by UPS", Mail{From: "UPS <mcinfo@ups.com>", Subject: "UPS Update: Package Scheduled for Delivery " +
			"Tomorrow", Text: `
Your package is on the way.
Scheduled Delivery Date: Sunday, 03/15/2026
Tracking Number: 1Z999AA10123456784
From ACME INC
https://www.ups.com/track?tracknum=1Z999AA10123456784
`}, `shipping 1Z999AA10123456784 "UPS" shipped 2026-03-15 https://www.ups.com/track?tracknum=1Z999AA10123456784`},
		{"two numbers, one of a parcel", Mail{From: "Acme <orders@acme.com>", Subject: "Your order has shipped", Text: `
Good news! Your order 986578788856 has shipped with FedEx.
Reference: 986578788857
Tracking number: 986578788855
`}, `shipping 986578788855 "FedEx" shipped - -`},
		{"look-alikes: the check digit decides", Mail{From: "Acme <orders@acme.com>", Subject: "Shipped!", Text: `
Your package has shipped.
Tracking numbers: 1Z999AA10123456785, 1Z999AA10123456784
`}, `shipping 1Z999AA10123456784 "UPS" shipped - -`},
		{"postal number in groups", Mail{From: "USPS <auto-reply@usps.com>", Subject: "USPS® Item Delivered, Front " +
			"Door/Porch", Text: `
Your item was delivered at the front door or porch at 2:14 pm on March 13, 2026.
Tracking Number: 9400 1112 0620 6406 2607 87
`}, `shipping 9400111206206406260787 "USPS" delivered - -`},
		{"out for delivery", Mail{From: "FedEx <TrackingUpdates@fedex.com>", Subject: "Your package is out for " +
			"delivery today", Text: `
FedEx
Tracking ID 477179081230
Estimated delivery: today by 8:00pm
`}, `shipping 477179081230 "FedEx" out_for_delivery 2026-03-14 -`},
		{"missed", Mail{From: "Royal Mail <no-reply@royalmail.com>", Subject: "Sorry we missed you", Text: `
We tried to deliver your parcel today but nobody was in.
Your reference number: RB123456785GB
Redeliver at https://www.royalmail.com/redelivery
`}, `shipping RB123456785GB "Royal Mail" exception - -`},
		{"shipped without a number", Mail{From: "Target <orders@target.com>", Subject: "Good news! Items from order " +
			"#912345678901 have shipped.", Text: `
Your items are on the way. Arriving Wednesday, March 18.
Track your package: https://www.target.com/orders/track/xyz
`}, `order 912345678901 - - "Target" - []
shipping - "" shipped 2026-03-18 https://www.target.com/orders/track/xyz`},
		{"appointment", Mail{From: "City Dental <hello@citydental.com>", Subject: "Appointment confirmation", Text: `
Hi Alex, your appointment is confirmed.
When: Tuesday, March 24, 2026 at 3:30 PM
Where: City Dental, 12 Main Street, Springfield
With: Dr. Smith
`}, `calendar 2026-03-24 15:30 - - "Appointment confirmation" "City Dental, 12 Main Street, Springfield" -`},
		{"scheduling tool", Mail{From: "Calendly <notifications@calendly.com>", Subject: "New Event: Alex Doe - " +
			"10:00am Tue, Mar 24, 2026 - 30 Minute Meeting", Text: `
Hi Sam,
A new event has been scheduled.
Event Type:
30 Minute Meeting
Invitee:
Alex Doe
Event Date/Time:
10:00am - Tuesday, March 24, 2026 (Central European Time)
Location:
Google Meet
`}, `calendar 2026-03-24 10:00 - Europe/Berlin "30 Minute Meeting" "Google Meet" -`},
		{"table", Mail{From: "OpenTable <member_services@opentable.com>", Subject: "Your reservation at Chez Panisse " +
			"is confirmed", Text: `
Reservation confirmed
Chez Panisse
Table for 2 on Friday, April 3, 2026 at 7:00 pm
Confirmation #: 12345
1517 Shattuck Ave, Berkeley
`}, `calendar 2026-04-03 19:00 - - "Your reservation at Chez Panisse is confirmed" "" -`},
		{"a person asks", Mail{From: "Sam <sam@example.com>", Subject: "Meeting next week", Text: `
Hi Alex,
can we have a meeting on 24 March 2026 at 14:00 in room 5?
Best, Sam`}, `calendar 2026-03-24 14:00 - - "Meeting next week" "" -`},
		{"hotel", Mail{From: "Booking.com <noreply@booking.com>", Subject: "Your booking is confirmed at Hotel Astoria",
			Text: `
Thanks, Alex! Your booking in Vienna is confirmed.
Hotel Astoria
Check-in	Friday, May 1, 2026 (from 15:00)
Check-out	Sunday, May 3, 2026 (until 11:00)
Address: Kärntner Straße 32, Vienna
Total price	€ 240
`}, `calendar 2026-05-01 15:00 2026-05-03T11:00:00 - "Your booking is confirmed at Hotel Astoria" "Kärntner Straße 32, Vienna" -`},
	} {
		c.run(t)
	}
}
