package record

import "testing"

// Mails as the programs of shops, carriers and booking sites lay them out.
func TestMailsShops(t *testing.T) {
	for _, c := range []mailCase{
		{"table with a foot", Mail{From: "My Shop <shop@wooshop.com>", Subject: "Your My Shop order has been received!",
			View: seen(`<div><h1>Thank you for your order</h1><p>Hi Alex,</p><p>Just to let you know — we've received your order #2451, and it is now being processed:</p><h2>[Order #2451] (March 13, 2026)</h2>
<table><thead><tr><th>Product</th><th>Quantity</th><th>Price</th></tr></thead><tbody><tr><td>Happy Ninja (#SKU-12)</td><td>2</td><td><span>$</span>36.00</td></tr><tr><td>Logo</td><td>1</td><td><span>$</span>15.00</td></tr></tbody>
<tfoot><tr><th colspan="2">Subtotal:</th><td><span>$</span>51.00</td></tr><tr><th colspan="2">Shipping:</th><td>Free shipping</td></tr><tr><th colspan="2">Payment method:</th><td>Direct bank transfer</td></tr><tr><th colspan="2">Total:</th><td><span>$</span>51.00</td></tr></tfoot></table></div>`)},
			`order 2451 51.00 USD "My Shop" 2026-03-13 [2×Happy Ninja (#SKU-12) 18.00; 1×Logo 15.00]`},
		{"paragraphs in cells", Mail{From: "Main Store <sales@store.com>",
			Subject: "Your Main Store order confirmation",
			View: seen(`<table><tr><td><p>Thank you for your order from Main Store. Once your package ships we will send you a tracking number.</p></td></tr><tr><td><h1>Your Order <span>#000000123</span></h1><p>Placed on <span>Mar 13, 2026, 9:15:00 AM</span></p></td></tr>
<tr><td><table><thead><tr><th>Items</th><th>Qty</th><th>Price</th></tr></thead><tbody><tr><td><p>Joust Duffle Bag</p><p>SKU: 24-MB01</p></td><td>1</td><td><span>$34.00</span></td></tr></tbody><tfoot><tr><th colspan="2">Subtotal</th><td>$34.00</td></tr><tr><th colspan="2">Shipping &amp; Handling</th><td>$5.00</td></tr><tr><th colspan="2">Grand Total</th><td>$39.00</td></tr></tfoot></table></td></tr></table>`)},
			`order 000000123 39.00 USD "Main Store" 2026-03-13 [1×Joust Duffle Bag 34.00]`},
		{"five columns, number of letters", Mail{From: "Ma boutique <contact@boutique.fr>",
			Subject: "[Ma boutique] Confirmation de commande",
			View:    seen(`<p>Merci d'avoir effectué vos achats sur Ma boutique!</p><p>Détails de la commande</p><p>Commande : ABCDEFGHI passée le 13/03/2026 10:12:00</p><p>Paiement : Carte bancaire</p><table><tr><th>Référence</th><th>Produit</th><th>Prix unitaire</th><th>Quantité</th><th>Prix total</th></tr><tr><td>demo_1</td><td>T-shirt imprimé colibri</td><td>22,94 €</td><td>2</td><td>45,88 €</td></tr><tr><td colspan="4">Produits</td><td>45,88 €</td></tr><tr><td colspan="4">Livraison</td><td>8,40 €</td></tr><tr><td colspan="4">Total payé</td><td>54,28 €</td></tr></table>`)},
			`order ABCDEFGHI 54.28 EUR "Ma boutique" 2026-03-13 [2×T-shirt imprimé colibri 22.94]`},
		{"columns of text", Mail{From: "Musterladen <shop@musterladen.de>", Subject: "Ihre Bestellung 4711 bei " +
			"Musterladen", Text: "Guten Tag,\n\nwir haben Ihre Bestellung erhalten.\n\nPos. Artikel Menge Preis\n1 " +
			"Kaffeetasse 2 19,80 EUR\n2 Löffel 4 12,00 EUR\n\nVersandkosten 4,90 EUR\nGesamtsumme 36,70 EUR\n"},
			`order 4711 36.70 EUR "Musterladen" - [2×Kaffeetasse 9.90; 4×Löffel 3.00]`},
		{"no subject, prices apart", Mail{View: seen(
			`<html><body><div style="display:none">Your order is confirmed</div><h1>Order confirmed</h1><p>Hi Alex, thank you for your purchase. We'll let you know when it ships.</p><p>Order No. 00023456</p><p>Placed March 12, 2026</p><table><tr><td><img></td><td><p>Ceramic Vase</p><p>Qty: 2</p></td><td><p>$48.00</p></td></tr><tr><td><img></td><td><p>Candle</p><p>Qty: 1</p></td><td><p>$16.00</p></td></tr></table>
<table><tr><td>Subtotal</td><td>$64.00</td></tr><tr><td>Shipping</td><td>$8.00</td></tr><tr><td>Taxes</td><td>$5.12</td></tr><tr><td><b>Total</b></td><td><b>$77.12</b></td></tr></table><p>Paid with Visa •••• 4242</p></body></html>`)},
			`order 00023456 77.12 USD "" 2026-03-12 [2×Ceramic Vase 24.00; 1×Candle 16.00]`},
		{"title in the head", Mail{View: seen(`<html><head><title>Order confirmation</title></head><body><p>Order number: 5512001</p><p>Total: €12.00</p></body></html>`)}, `order 5512001 12.00 EUR "" - []`},
		{"billing", Mail{From: "Acme <billing@acme.com>", Subject: "Billing",
			View: seen(`<table><tr><td>$33.98 Paid</td></tr><tr><td>Thanks for using Acme Inc.</td></tr><tr><td>Lee<br>Invoice #12345<br>March 01 2026</td></tr><tr><td>Service 1</td><td>$ 19.99</td></tr><tr><td>Total</td><td>$ 33.98</td></tr></table>`)}, `receipt 33.98 USD "Acme" 2026-03-01 "" -`},
		{"card charged", Mail{From: "Mercury <hello@mercury.com>", Subject: "Your card has been charged $656.71 " +
			"by Upwork", Text: "Hi Alex,\nYour Mercury debit card ••4605 was charged for $656.71 by Upwork.\nIf you " +
			"have any questions, just reply."}, `receipt 656.71 USD "Upwork" - "Debit card 4605" -`},
		{"transaction", Mail{From: "Bank <alerts@bank.com>", Subject: "Your $52.10 transaction with WHOLE FOODS",
			Text: "You made a $52.10 transaction with WHOLE FOODS\nAccount: Visa ending in 1234"},
			`receipt 52.10 USD "WHOLE FOODS" - "Visa 1234" -`},
		{"subscription", Mail{From: "GitHub <noreply@github.com>", Subject: "[GitHub] Payment Receipt for alexdoe",
			Text: "We received payment for your GitHub.com subscription.\n\nGitHub Developer Plan: $4.00 " +
				"USD*\n\nTax: $0.00 USD\nTotal: $4.00 USD*\n\nCharged to: Visa (4*** **** **** 4242)\nTransaction " +
				"ID: 0ABC123D\nDate: 10 Mar 2026 05:06AM PST\n"}, `receipt 4.00 USD "GitHub" 2026-03-10 "Visa 4242" -`},
		{"on its way", Mail{View: seen(`<h1>Your order is on the way</h1><p>Order 1042</p><p>Estimated delivery March 18, 2026</p><a href="https://shop.com/track/abc">Track shipment</a><p>Carrier: DHL Express</p><p>Tracking: 3318810025</p>`)}, `shipping 3318810025 "DHL" shipped 2026-03-18 https://shop.com/track/abc`},
		{"delivered", Mail{View: seen(`<h1>Delivered!</h1><p>Your order #8812 has been delivered.</p><p>Left at front door on March 13, 2026.</p>`)}, "order 8812 - - \"\" - []\nshipping - \"\" delivered - -"},
		{"a link to follow it", Mail{From: "Amazon.de <versandbestaetigung@amazon.de>",
			Subject: "Ihre Amazon.de Bestellung (Nr. 302-1234567-1234567) wurde versandt!",
			Text: "Ihre Sendung ist unterwegs.\nZustellung: Montag, 16. März\nIhr Paket verfolgen " +
				"https://www.amazon.de/progress-tracker/package?orderId=302\nBestellung " +
				"#302-1234567-1234567\nGesamtbetrag der Sendung: EUR 23,98\n"},
			"order 302-1234567-1234567 23.98 EUR \"Amazon.de\" - []\nshipping - \"\" shipped 2026-03-16 " +
				"https://www.amazon.de/progress-tracker/package?orderId=302"},
		{"span of days over two months", Mail{From: "AliExpress <transaction@notice.aliexpress.com>",
			Subject: "Order 8123456789012345: order shipped", Text: "Package on the way\nTracking number " +
				"LP00123456789012\nOrder ID: 8123456789012345\nEstimated delivery: Mar. 25 - Apr. 02\n"},
			"order 8123456789012345 - - \"AliExpress\" - []\nshipping LP00123456789012 \"Cainiao\" shipped 2026-04-02 -"},
		{"number with signs of no width", Mail{Subject: "Your order has shipped!",
			View: seen("<p>order number : A8\u200c0SD99<p>Date shipped : aug 2\u200c8, 2026")},
			"order A80SD99 - - \"\" - []\nshipping - \"\" shipped - -"},
		{"calendar notice", Mail{From: "Google Calendar <calendar-notification@google.com>",
			Subject: "Notification: Team sync @ Fri Mar 20, 2026 10am - 11am (CET) (alex@example.com)",
			Text: "Team sync\nWhen\nFri Mar 20, 2026 10am – 11am Central European Time - Berlin\nWhere\nRoom 4, " +
				"Main Street 1\n"}, `calendar 2026-03-20 10:00 2026-03-20T11:00:00 Europe/Berlin "Team sync" "Room 4, Main Street 1" -`},
		{"meeting on screens", Mail{From: "Zoom <no-reply@zoom.us>", Subject: "Meeting invitation - Weekly",
			Text: "Alex is inviting you to a scheduled Zoom meeting.\n\nTopic: Weekly\nTime: Mar 18, 2026 03:00 PM " +
				"Berlin\n\nJoin Zoom Meeting\nhttps://zoom.us/j/123456789\n\nPasscode: 123456"},
			`calendar 2026-03-18 15:00 - - "Weekly" "https://zoom.us/j/123456789" -`},
		{"stay", Mail{From: "Airbnb <automated@airbnb.com>", Subject: "Reservation confirmed for Lisbon",
			Text: "Your reservation is confirmed\nCheck-in\nFri, May 1, 2026\n3:00 PM\nCheckout\nMon, May 4, " +
				"2026\n11:00 AM\nAddress: Rua Augusta 1, Lisbon\nConfirmation code: HMABCDEF12"},
			`calendar 2026-05-01 15:00 2026-05-04 - "Reservation confirmed for Lisbon" "Rua Augusta 1, Lisbon" -`},
		{"flight", Mail{From: "Air <x@airline.com>", Subject: "Your flight to Rome is confirmed",
			Text: "Booking reference: ABC123\nDepart: Berlin (BER) 02 Apr 2026 07:15\nArrive: Rome (FCO) 02 Apr 2026 " +
				"09:20\n"}, `calendar 2026-04-02 07:15 2026-04-02T09:20:00 - "Your flight to Rome is confirmed" "" -`},
		{"day without a year", Mail{From: "Dental <noreply@dental.com>", Subject: "Reminder",
			Text: "You have an appointment on Tue 3/24 at 2:30pm with Dr. Lee. Reply C to confirm."},
			`calendar 2026-03-24 14:30 - - "Reminder" "" -`},
		{"cancelled", Mail{From: "City Dental <hello@citydental.com>", Subject: "Appointment cancelled",
			Text: "Your appointment has been cancelled.\nWhen: March 24, 2026 at 3:30 PM"},
			`calendar 2026-03-24 15:30 - - "Appointment cancelled" "" CANCEL`},
		{"what was quoted is of another mail", Mail{From: "Alex <alex@example.com>", Subject: "Re: Question",
			Text: "Hi, where is it?\n\n> Thank you for your order\n> Order number: 12345678\n> Total: $40.00"}, ``},
		{"what was forwarded is of this one", Mail{From: "Alex <alex@example.com>", Subject: "Fwd: Your order",
			Text: "See below\n\n> Thank you for your order\n> Order number: 12345678\n> Total: $40.00"},
			`order 12345678 40.00 USD "" - []`},
	} {
		c.run(t)
	}
}
