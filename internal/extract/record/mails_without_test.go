package record

import "testing"

// Mails that are about none of these things, though they speak of them.
func TestMailsWithout(t *testing.T) {
	for _, c := range []mailCase{
		{"newsletter with prices", Mail{From: "Acme <news@acme.com>", Subject: "Spring sale: up to 50% off", Text: `
New arrivals are here! Shop now and save up to 50%.
Blue Shirt
$20.00
Wool Socks
$9.50
Free shipping on orders over $50. Order now: https://acme.com/sale
Offer ends March 20, 2026. Unsubscribe here.`}, ``},
		{"newsletter, German", Mail{From: "Shop <newsletter@shop.de>", Subject: "Nur heute: 20 % auf alles", Text: `
Jetzt bestellen und sparen!
Jacke statt 99,95 € nur 79,95 €
Ab 50 € Bestellwert versandkostenfrei. Gutscheincode: SPRING26
Newsletter abmelden`}, ``},
		{"newsletter, Japanese", Mail{From: "ショップ <mag@shop.jp>", Subject: "【本日限定】タイムセール開催中", Text: `
今すぐ購入！ ワイヤレスイヤホン 5,980円 送料無料
メールマガジンの配信停止はこちら`}, ``},
		{"code", Mail{From: "Acme <no-reply@acme.com>", Subject: "Your verification code", Text: `
Your verification code is 483920. It expires in 10 minutes.
If you did not request it, ignore this mail.`}, ``},
		{"code for an order", Mail{From: "Bank <no-reply@bank.com>", Subject: "Security code for your purchase", Text: `
Use code 839201 to confirm your purchase of $45.00 at Acme. Do not share it.`}, ``},
		{"cart", Mail{From: "Acme <hello@acme.com>", Subject: "You left something in your cart", Text: `
Still interested? Complete your order before it is gone.
Blue Shirt
Qty: 1
$20.00
Total: $20.00
Complete your purchase`}, ``},
		{"review", Mail{From: "Acme <hello@acme.com>", Subject: "How was your order?", Text: `
Hi Alex, please rate your recent purchase. Leave a review of Blue Shirt.
Order number: 12345678`}, ``},
		{"a person writes of money", Mail{From: "Sam <sam@example.com>", Subject: "Lunch", Text: `
I got the tickets, that is $45.00 for you. Pay me when we meet.`}, ``},
		{"a person writes of a parcel", Mail{From: "Mum <mum@example.com>", Subject: "Hi", Text: `
Did the package arrive? I will send the next one when I have time.`}, ``},
		{"password", Mail{From: "Acme <no-reply@acme.com>", Subject: "Reset your password", Text: `
We received a request to reset your password on March 13, 2026 at 10:15 AM.
Click https://acme.com/reset?token=1Z999AA1`}, ``},
		{"sign-in notice", Mail{From: "Acme <security@acme.com>", Subject: "New sign-in to your account", Text: `
When: March 13, 2026 at 10:58 AM
Where: Berlin, Germany
Device: Chrome on Linux
If this was not you, change your password.`}, ``},
		{"terms of delivery", Mail{From: "Acme <info@acme.com>", Subject: "Changes to our terms", Text: `
Orders will be shipped within two days. Once your order has shipped you will receive a tracking number.
Total refunds are paid within 14 days.`}, ``},
		{"bounce", Mail{From: "Mail Delivery Subsystem <mailer-daemon@example.com>",
			Subject: "Undeliverable: Your order", Text: `
Your message could not be delivered. The delivery failed on March 13, 2026.
Original order number: 12345`}, ``},
		{"job", Mail{From: "Jobs <alerts@jobs.com>", Subject: "12 new jobs for you", Text: `
Shipping clerk, $20.00 per hour, posted March 12, 2026
Order picker, $18.50 per hour`}, ``},
		{"statement", Mail{From: "Bank <info@bank.com>", Subject: "Your statement is ready", Text: `
Your statement for March is now available. Sign in to online banking to read it.`}, ``},
		{"social", Mail{From: "Social <notify@social.com>", Subject: "Alex commented on your post", Text: `
Alex: "That was in 2024, on March 3, I think!" Reply to the comment. Unsubscribe.`}, ``},
		{"version numbers", Mail{From: "CI <ci@example.com>", Subject: "Build 20260313.4 shipped", Text: `
Release 14.03.2026 was deployed. 1.2.3 → 1.2.4, 32 tests passed in 12.40 s.`}, ``},
		{"event in a newsletter", Mail{From: "Acme <news@acme.com>", Subject: "Our newsletter: what's new", Text: `
Trending now. Don't miss our exclusive offers.
In other news, our shop moves to Main Street on April 1, 2026.`}, ``},
		{"quote", Mail{From: "Builder <office@builder.com>", Subject: "Your quote", Text: `
Thank you for asking. Your quote no. 2026-17:
Total: $4,500.00
The quotation is valid for 30 days.`}, ``},
		{"tracking of mails", Mail{From: "Acme <news@acme.com>", Subject: "We care about privacy", Text: `
This mail contains no tracking: pixels, links or cookies. Reference 20260313123456.`}, ``},
		{"not shipped yet, German", Mail{From: "Shop <info@shop.de>", Subject: "Gut zu wissen",
			Text: "Sobald Ihre Bestellung von uns versandt wurde, erhalten Sie eine Mail. Die Ware wird am Montag " +
				"verschickt."}, ``},
		{"not shipped yet, Japanese", Mail{From: "店 <info@shop.jp>", Subject: "ご案内",
			Text: "商品を発送しましたらメールでお知らせいたします。荷物は発送され次第追跡できます。"}, ``},
		{"not shipped yet, Chinese", Mail{From: "店 <info@shop.cn>", Subject: "温馨提示", Text: "订单将在付款成功后发货。包裹已发货后请注意查收。"},
			``},
		{"not shipped yet, French", Mail{From: "Boutique <info@boutique.fr>", Subject: "À savoir",
			Text: "Dès que votre colis sera expédié, vous recevrez un numéro de suivi."}, ``},
		{"nothing", Mail{}, ``},
	} {
		c.run(t)
	}
}
