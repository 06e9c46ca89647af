package code

// mailsWithout have no verification code, though much in them looks like one.
var mailsWithout = []sample{
	{name: "order", mail: Mail{From: "auto-confirm@amazon.com", Subject: "Your Amazon.com order of \"USB cable\"",
		Text: "Hello Jo,\n\nThank you for shopping with us. We'll send a confirmation when your item ships.\n\nOrder " +
			"#112-4482913-0021945\nArriving: Tuesday, March 12\nShip to: Jo Doe, 1200 Main St, Springfield IL " +
			"62704\nOrder Total: $18.99"}},
	{name: "order number alone", mail: Mail{Subject: "Order confirmation", Text: "Thank you for your order!\n\nYour " +
		"order number is\n\n448120\n\nWe will let you know when it ships."}},
	{name: "invoice", mail: Mail{Subject: "Invoice 2024-0412", Text: "Dear customer,\n\nplease find attached invoice " +
		"no. 20240412 over EUR 1190.00, due 14 days from now.\nCustomer number: 104482\nVAT ID: DE123456789\nIBAN " +
		"DE89 3704 0044 0532 0130 00"}},
	{name: "receipt", mail: Mail{Subject: "Your receipt from Acme [#1482-9120]", Text: "Receipt from Acme\nReceipt " +
		"number 1482-9120\nInvoice number 8A2B11C4-0003\nPaid March 12, 2024\nVisa - 4242\n$20.00"}},
	{name: "tracking", mail: Mail{Subject: "Your parcel is on its way", Text: "Your parcel will be delivered today " +
		"between 10:00 and 12:00.\nTracking number: 00340434161094\nTrack code 7712044\nDelivery to 10115 Berlin"}},
	{name: "pickup code", mail: Mail{Subject: "Your parcel is ready", Text: "Your parcel is waiting in the locker. " +
		"Pickup code: 448120. Bring it within 3 days."}},
	{name: "tracking code alone", mail: Mail{Subject: "Shipped!", Text: "Your package has shipped. Tracking " +
		"code:\n\nRB448120559CN\n\nTrack it at https://example.com/t/RB448120559CN"}},
	{name: "ups", mail: Mail{Subject: "UPS Ship Notification, Tracking Number 1Z9999W99999999999",
		Text: "Your package is scheduled. Reference Number 1: 448120\nUPS Service: UPS Ground\nNumber of packages: 1"}},
	{name: "promo save20", mail: Mail{Subject: "Spring sale!", Text: "Your discount code SAVE20 is waiting. Use code " +
		"SAVE20 at checkout for 20% off. Offer ends 31 March 2024."}},
	{name: "promo alone", mail: Mail{Subject: "A gift for you", Text: "Here's 10% off your first order. Enter this " +
		"code at checkout:\n\nWELCOME10\n\nUnsubscribe"}},
	{name: "promo digits", mail: Mail{Subject: "We miss you", Text: "Enjoy $15 off. Your promo " +
		"code:\n\n558120\n\nShop now. Terms apply."}},
	{name: "voucher", mail: Mail{Subject: "Dein Gutschein", Text: "Dein Gutscheincode: HERBST24\n\nEinlösbar bis " +
		"31.12.2024 im Onlineshop."}},
	{name: "gift card", mail: Mail{Subject: "You received a gift card",
		Text: "Your gift card code:\n\nXK42-99PL-7QMZ\n\nPIN: 4412\nRedeem at checkout."}},
	{name: "referral", mail: Mail{Subject: "Invite friends", Text: "Share your referral code JO4482 with friends and " +
		"you both get $10."}},
	{name: "booking pnr", mail: Mail{Subject: "Your booking confirmation X4G7PQ", Text: "Thank you for booking with " +
		"us.\n\nBooking reference: X4G7PQ\nFlight LH1234 from FRA to LIS\nDeparture 12MAR24 10:40\nSeat 14C, Ticket " +
		"number 220-2412345678"}},
	{name: "pnr alone", mail: Mail{Subject: "Booking confirmed", Text: "Your trip is booked!\n\nConfirmation " +
		"code\n\nHMX4TQ\n\nCheck in opens 24 hours before departure. Flight AC 0845 to Toronto."}},
	{name: "airbnb", mail: Mail{Subject: "Reservation confirmed for Lisbon",
		Text: "You're going to Lisbon!\n\nConfirmation code\nHMABK4TN2X\n\nCheck-in Friday, March 15, after 3:00 " +
			"PM\nGuests 2\nTotal €448.20"}},
	{name: "hotel", mail: Mail{Subject: "Hotel reservation 4482913", Text: "Reservation number 4482913\nRoom 1204, 2 " +
		"nights, 448 EUR\nPIN code for your booking is shown at the desk."}},
	{name: "appointment", mail: Mail{Subject: "Appointment reminder", Text: "You have an appointment with Dr. Smith " +
		"on 03/12/2024 at 1430 in room 2210. Call 555-0142 to change it."}},
	{name: "phone", mail: Mail{Subject: "Call me", Text: "Hi, my new number is 5550142. Old was 415-555-2671. " +
		"Call me! Jo"}},
	{name: "phone lines", mail: Mail{Subject: "Contact", Text: "Jo Doe\nSales\n\nT 030 448120\nM 0171 5591204\nF " +
		"030 448121"}},
	{name: "zoom", mail: Mail{Subject: "Team sync", Text: "Jo is inviting you to a scheduled Zoom meeting.\n\nJoin " +
		"Zoom Meeting\nhttps://us02web.zoom.us/j/81234567890?pwd=abc\n\nMeeting ID: 812 3456 7890\nPasscode: " +
		"448120\n\nOne tap mobile\n+16465588656,,81234567890#,,,,*448120# US (New York)"}},
	{name: "teams", mail: Mail{Subject: "Microsoft Teams meeting", Text: "Join on your computer or mobile app\nClick " +
		"here to join the meeting\nMeeting ID: 338 201 771 20\nPasscode: aB3dE9\nOr call in (audio only)\n+49 69 " +
		"1234567,,44812055#\nPhone Conference ID: 448 120 55#"}},
	{name: "meet", mail: Mail{Subject: "Invitation: Weekly",
		Text: "Join with Google Meet\nmeet.google.com/abc-defg-hij\nJoin by phone (US) +1 413-555-0142 PIN: 448120559#"}},
	{name: "postcode", mail: Mail{Subject: "New address", Text: "We moved! Find us at Friedrichstraße 44, 10117 " +
		"Berlin, or write to PO Box 4482, Springfield, IL 62704-1234."}},
	{name: "zip code", mail: Mail{Subject: "Deals in your area", Text: "Stores near zip code 94105:\n\n94105\n94107"}},
	{name: "year footer", mail: Mail{Subject: "Your account", Text: "You can manage your verification code settings " +
		"in your account.\n\nCopyright 2024 Acme. All rights reserved. © 2019-2024"}},
	{name: "cve", mail: Mail{Subject: "Security advisory CVE-2024-3094", Text: "A malicious code was found in xz " +
		"5.6.0 and 5.6.1 (CVE-2024-3094). Remote code execution is possible. See bug 1068024."}},
	{name: "ticket", mail: Mail{Subject: "[Ticket #448120] We received your request",
		Text: "Hi Jo,\n\nyour request (448120) has been received. Our team will get back to you. Please keep the " +
			"ticket number 448120 in the subject."}},
	{name: "case", mail: Mail{Subject: "Case 00448120 updated", Text: "Your case number is 00448120. Security team " +
		"has verified your login problem."}},
	{name: "2fa on", mail: Mail{Subject: "Two-factor authentication enabled", Text: "Hi Jo,\n\nTwo-factor " +
		"authentication was turned on for your account on March 12, 2024 at 14:05 UTC. From now on you will be asked " +
		"for a verification code when you sign in.\n\nIf this was not you, contact support."}},
	{name: "new sign-in", mail: Mail{Subject: "New sign-in to your account", Text: "We noticed a new sign-in to your " +
		"Google Account on a Windows device. If this was you, you don't need to do anything.\n\nTime: 12 March 2024 " +
		"14:05:22\nIP: 203.0.113.99\nDevice: Windows 10\n\nYou can also see security activity " +
		"at\nhttps://myaccount.google.com/notifications"}},
	{name: "warning without code", mail: Mail{Subject: "Protect your account", Text: "Never share your verification " +
		"code with anyone. Our staff will never ask for your OTP or PIN. Report fraud at 18005550199 or text SCAM " +
		"to 7726."}},
	{name: "warning with years", mail: Mail{Subject: "Stay safe in 2024", Text: "In 2023 we blocked 448120 fraud " +
		"attempts. Do not tell anyone your one-time password.\n\nYour security team"}},
	{name: "reset link", mail: Mail{Subject: "Reset your password", Text: "Someone asked to reset your password. " +
		"Click the link below:\n\nhttps://example.com/reset?token=448120&id=5591\n\nThis link is valid for 60 " +
		"minutes. If you did not ask for it, ignore this mail."}},
	{name: "verify link", mail: Mail{Subject: "Verify your email", Text: "Please verify your email address by " +
		"clicking this link:\n\nhttps://example.com/v/AB12CD\n\nThe link expires in 24 hours.\nAcme, 548 Market St " +
		"#44812, San Francisco, CA 94104"}},
	{name: "statement", mail: Mail{Subject: "Your statement is ready", Text: "Your statement for the account ending " +
		"in 1234 is ready. New balance: $448.12. Minimum due 35.00 by 04/12/2024. Card ****5591."}},
	{name: "payment", mail: Mail{Subject: "Payment received", Text: "We received your payment of 2500 USD. " +
		"Transaction ID: 8AB44812KX. Authorization code: 044812. Thank you."}},
	{name: "version", mail: Mail{Subject: "Acme 2024.1 released", Text: "Version 10.15.7 (build 19H2026) fixes login " +
		"with a verification code. Download acme-4812.tar.gz."}},
	{name: "commit", mail: Mail{Subject: "[acme/app] fix login code (a1b2c3d)",
		Text: "Branch: refs/heads/main\nCommit: a1b2c3d4e5f6a7b8c9d0\nAuthor: Jo\n\nfix login code, closes #4481\n\n " +
			" M src/auth/code.go"}},
	{name: "pull request", mail: Mail{Subject: "Re: [acme/app] Code review (PR #4812)",
		Text: "@jo approved this pull request.\n\n> the code at line 1204 should verify the token\n\n448 additions, " +
			"1204 deletions"}},
	{name: "error code", mail: Mail{Subject: "Login problems", Text: "Hi, when I sign in I get error code 448120. " +
		"Can you help? Jo"}},
	{name: "source code", mail: Mail{Subject: "Code freeze", Text: "The code freeze starts at 1800. Source code of " +
		"release 2024 has 448120 lines."}},
	{name: "ordinary", mail: Mail{Subject: "Lunch?", Text: "Hi Jo,\n\nlunch at 1230? I booked a table for 4 at 1204 " +
		"Elm Street.\n\nJo"}},
	{name: "personal door code", mail: Mail{Subject: "Keys", Text: "Hey, the door code is 4812, wifi password is " +
		"hunter22. The alarm code is 5591. Have fun!"}},
	{name: "newsletter", mail: Mail{Subject: "Top stories", Text: "448120 people signed the petition. In 2024, " +
		"559120 homes were built. Read more. Unsubscribe."}},
	{name: "job id", mail: Mail{Subject: "New jobs for you", Text: "Software engineer (Job ID 448120)\nSecurity " +
		"analyst (Requisition R-55912)\nApply with your login."}},
	{name: "survey", mail: Mail{Subject: "Your opinion", Text: "Survey number: 448120\nYour access is valid until " +
		"31.12.2024."}},
	{name: "loyalty", mail: Mail{Subject: "Your points", Text: "Member number 448120559. You have 4481 points. Enter " +
		"the store and save."}},
	{name: "bounce", mail: Mail{From: "mailer-daemon@example.com", Subject: "Undelivered Mail Returned to Sender",
		Text: "<jo@example.net>: host mx.example.net[203.0.113.9] said: 550 5.1.1 User unknown (in reply to RCPT TO " +
			"command)\n\nReporting-MTA: dns; mail.example.com\nX-Postfix-Queue-ID: 4CF2E1A0B3\nStatus: " +
			"5.1.1\nDiagnostic-Code: smtp; 550 5.1.1"}},
	{name: "autoreply", mail: Mail{Subject: "Out of office", Text: "I am away until 4 April 2024. In urgent cases " +
		"call 0171 4481205. Jo"}},
	{name: "stock", mail: Mail{Subject: "Your trade", Text: "You sold 1500 shares of ACME at 44.81. Settlement " +
		"03142024. Ref 5591204."}},
	{name: "tax", mail: Mail{Subject: "Tax documents", Text: "Form 1099 and form W-8BEN are ready. Employer ID " +
		"12-3456789. Control number 448120."}},
	{name: "subscription", mail: Mail{Subject: "License key", Text: "Thank you for buying Acme Pro. Your license key " +
		"is ABCD1-EFGH2-IJKL3-MNOP4-QRST5. Serial number: 448120."}},
	{name: "sort code", mail: Mail{Subject: "Bank details", Text: "Please pay to sort code 204481, account number " +
		"55912044, reference JO448."}},
	{name: "dial code", mail: Mail{Subject: "Conference call", Text: "Dial +1 646 558 8656 and enter access code " +
		"448120#. Moderator PIN 5591."}},
	{name: "qr", mail: Mail{Subject: "Your tickets", Text: "Show this QR code at the entrance. Ticket 44812055, " +
		"Block 112, Row 12, Seat 1204."}},
	{name: "class code", mail: Mail{Subject: "Join the class", Text: "Course CS1010, section 4481. Product code: " +
		"55912. Dress code: casual. Area code 0307."}},
	{name: "insurance", mail: Mail{Subject: "Your policy", Text: "Policy number 44812055 starts 01012025. Claim no. " +
		"559120."}},
	{name: "game patch", mail: Mail{Subject: "Patch notes", Text: "Damage reduced from 1200 to 1100. Season code " +
		"named AURORA. RTX4090 supported, 1080p and 1440p."}},
	{name: "account number", mail: Mail{Subject: "Your account is verified", Text: "Congratulations, your account is " +
		"verified. Account number: 44812055. You can now log in."}},
	{name: "de order", mail: Mail{Subject: "Bestellbestätigung 448120", Text: "Vielen Dank für Ihre " +
		"Bestellung!\n\nBestellnummer: 448120\nKundennummer: 559120\nRechnungsnummer: 2024-4481\nGesamtbetrag: 49,90 " +
		"€\nLieferung an 10115 Berlin"}},
	{name: "de parcel", mail: Mail{Subject: "Ihr Paket kommt", Text: "Ihre Sendung 00340434161094 kommt heute. " +
		"Abholcode: 448120. PLZ 10115"}},
	{name: "fr order", mail: Mail{Subject: "Confirmation de commande", Text: "Votre commande n° 448120 est " +
		"confirmée.\nCode postal : 75001\nCode promo : BIENVENUE10\nMontant : 49,90 €"}},
	{name: "fr rdv", mail: Mail{Subject: "Votre rendez-vous", Text: "Rendez-vous le 12 mars 2024 à 14h30. Dossier " +
		"448120. Téléphone 01 44 81 20 55."}},
	{name: "es order", mail: Mail{Subject: "Tu pedido", Text: "Gracias por tu compra. Número de pedido: 448120. " +
		"Código postal 28013. Código de descuento: VERANO24. Total 59,00 €."}},
	{name: "es tracking", mail: Mail{Subject: "Tu envío", Text: "Código de seguimiento: 44812055. Llega el 12 de " +
		"marzo de 2024."}},
	{name: "pt order", mail: Mail{Subject: "Pedido confirmado", Text: "Seu pedido 448120 foi confirmado. Código de " +
		"rastreio: 5591204. CEP 01310-100. Nota fiscal 4481."}},
	{name: "it order", mail: Mail{Subject: "Conferma ordine", Text: "Il tuo ordine n. 448120 è confermato. Codice " +
		"fiscale RSSMRA80. CAP 20121. Codice sconto: ESTATE24."}},
	{name: "nl order", mail: Mail{Subject: "Je bestelling", Text: "Bestelnummer: 448120\nKlantnummer: " +
		"559120\nKortingscode: LENTE24\nTotaal € 49,90"}},
	{name: "sv order", mail: Mail{Subject: "Orderbekräftelse", Text: "Ordernummer: 448120\nRabattkod: " +
		"VAR24\nPostnummer 11122 Stockholm"}},
	{name: "pl order", mail: Mail{Subject: "Zamówienie 448120", Text: "Numer zamówienia: 448120. Kod pocztowy " +
		"00-624. Kod rabatowy: WIOSNA24. Kod odbioru: 559120."}},
	{name: "cs order", mail: Mail{Subject: "Objednávka", Text: "Číslo objednávky: 448120. Variabilní symbol 5591204. " +
		"Slevový kód: JARO24. PSČ 11000."}},
	{name: "ru order", mail: Mail{Subject: "Заказ 448120 оформлен", Text: "Номер заказа: 448120. Трек-номер 5591204. " +
		"Промокод: VESNA24. Код получения: 4481. Индекс 119021."}},
	{name: "uk order", mail: Mail{Subject: "Замовлення", Text: "Номер замовлення 448120. Промокод ZYMA24. Номер " +
		"накладної 20450559120448."}},
	{name: "hu order", mail: Mail{Subject: "Rendelés",
		Text: "Rendelésszám: 448120. Kuponkód: TAVASZ24. 1051 Budapest."}},
	{name: "ro order", mail: Mail{Subject: "Comanda ta", Text: "Comanda nr. 448120 a fost expediată. AWB 5591204. " +
		"Cod promoțional: VARA24."}},
	{name: "el order", mail: Mail{Subject: "Η παραγγελία σας", Text: "Αριθμός παραγγελίας: 448120. Κωδικός έκπτωσης: " +
		"KALOKAIRI. ΤΚ 10431."}},
	{name: "tr order", mail: Mail{Subject: "Siparişiniz", Text: "Sipariş numaranız: 448120. Kargo takip kodu: " +
		"5591204. İndirim kodu: YAZ24. Posta kodu 34000."}},
	{name: "ar order", mail: Mail{Subject: "طلبك", Text: "رقم الطلب: 448120. رقم التتبع: 5591204. كود الخصم: SALE24."}},
	{name: "fa order", mail: Mail{Subject: "سفارش شما", Text: "شماره سفارش: ۴۴۸۱۲۰. کد رهگیری: ۵۵۹۱۲۰۴. کد تخفیف: " +
		"NOROOZ."}},
	{name: "he order", mail: Mail{Subject: "ההזמנה שלך",
		Text: "מספר הזמנה: 448120. קוד קופון: KAYITZ24. מיקוד 6423806."}},
	{name: "hi order", mail: Mail{Subject: "आपका ऑर्डर", Text: "ऑर्डर संख्या: 448120. कूपन कोड: DIWALI24. पिन कोड " +
		"110001."}},
	{name: "th order", mail: Mail{Subject: "คำสั่งซื้อของคุณ", Text: "หมายเลขคำสั่งซื้อ: 448120 หมายเลขพัสดุ 5591204 " +
		"รหัสไปรษณีย์ 10110 โค้ดส่วนลด SALE24"}},
	{name: "vi order", mail: Mail{Subject: "Đơn hàng", Text: "Mã đơn hàng: 448120. Mã vận đơn: 5591204. Mã giảm " +
		"giá: TET24."}},
	{name: "id order", mail: Mail{Subject: "Pesanan Anda", Text: "Nomor pesanan: 448120. Nomor resi: 5591204. Kode " +
		"promo: HEMAT24. Kode pos 12190."}},
	{name: "zh order", mail: Mail{Subject: "订单确认", Text: "您的订单号：448120，快递单号5591204，取件码4481，优惠码：SALE24，邮编100080。"}},
	{name: "zh pickup", mail: Mail{Text: "【菜鸟驿站】您的包裹已到站，凭6-2-3011到店领取，取货码448120。"}},
	{name: "zh bank", mail: Mail{Text: "【工商银行】您尾号4481的储蓄卡3月12日14:05支出人民币1500.00元，余额5591.20元。"}},
	{name: "ja order", mail: Mail{Subject: "ご注文ありがとうございます", Text: "注文番号：448120\nお問い合わせ番号 " +
		"5591204\nクーポンコード：HARU24\n郵便番号 150-0002\n合計 4,481円"}},
	{name: "ko order", mail: Mail{Subject: "주문 확인", Text: "주문번호: 448120\n운송장번호 5591204\n쿠폰번호: SALE24\n우편번호 06236\n합계 " +
		"44,812원"}},
	{name: "shortcode", mail: Mail{Text: "Reply YES to 448120 to confirm your subscription. Msg & data rates may " +
		"apply. Text STOP to 55912."}},
	{name: "bank alert", mail: Mail{Text: "Acct XX4481 debited INR 5591.00 on 12-Mar-24. UPI Ref 407244812055. Not " +
		"you? SMS BLOCK 4481 to 9215676766."}},
	{name: "flight status", mail: Mail{Text: "Your flight UA1204 departs at 1405 from gate C12. Confirmation: KXQT4P"}},
	{name: "backup codes", mail: Mail{Subject: "Your backup codes", Text: "Keep these backup codes in a safe place. " +
		"Each can be used once to sign in.\n\n4481 2055\n5591 2044\n3382 0177\n7712 0466\n1183 0299\n"}},
	{name: "recovery codes", mail: Mail{Subject: "Recovery codes for two-factor authentication",
		Text: "Your recovery codes:\n\nk3m9t-q7xz2\np4w8n-r6yb5\nh2j7d-v9cs3\nf8g4l-t5mk6\n\nStore them safely."}},
	{name: "empty"},
	{name: "only words", mail: Mail{Subject: "Your verification code", Text: "Open the app to see your verification " +
		"code. IMPORTANT: it is only shown there."}},
	{name: "code by app", mail: Mail{Subject: "Sign-in blocked", Text: "A sign-in with a wrong verification code was " +
		"blocked. Five wrong codes were entered between 1400 and 1500 from 203.0.113.9 near Berlin."}},
	{name: "raffle", mail: Mail{Subject: "You are in!", Text: "Your lucky number is 448120. The draw is on 31 " +
		"December 2024."}},
	{name: "students", mail: Mail{Subject: "Enrollment", Text: "Student ID: 448120. Login with your student ID and " +
		"your password. Semester 2024."}},
	{name: "iban", mail: Mail{Subject: "Transfer", Text: "Please transfer 1500 EUR to DE89 3704 0044 0532 0130 00, " +
		"BIC COBADEFFXXX, reference 448120."}},
	{name: "codes are counted", mail: Mail{Subject: "Two-step verification in numbers",
		Text: "In 2024 we sent 338120 verification codes. 99100 of our users now sign in with passkeys."}},
	{name: "passwords are counted", mail: Mail{Subject: "Newsletter", Text: "Attackers stole 338120 one-time " +
		"passwords last year, says a report."}},
	{name: "codes are spoken of", mail: Mail{Subject: "Why codes are no longer enough",
		Text: "In 2024, 120000 accounts were taken over with stolen one-time codes. Read issue 318."}},
	{name: "vendor code", mail: Mail{Subject: "Welcome", Text: "Your vendor code is 338120. Use it on all invoices."}},
	{name: "agent code", mail: Mail{Subject: "Welcome",
		Text: "Your agent code is A33812. Share it with your clients."}},
	{name: "industry code", mail: Mail{Subject: "Your firm", Text: "NAICS code 541511 and SIC code 7371 apply to " +
		"your firm."}},
	{name: "store code", mail: Mail{Subject: "Opening hours", Text: "Store code 3381: closing early on 24 December."}},
	{name: "de customer code", mail: Mail{Subject: "Willkommen", Text: "Ihr Kundencode: 338120"}},
	{name: "de item code", mail: Mail{Subject: "Angebot", Text: "Artikelcode: 338120, Farbcode 4412"}},
	{name: "fr product code", mail: Mail{Subject: "Catalogue",
		Text: "Votre code produit : 338120, code magasin : 4412"}},
	{name: "es product code", mail: Mail{Subject: "Catálogo", Text: "Código de producto: 338120. Código de " +
		"tienda: 4412."}},
	{name: "it product code", mail: Mail{Subject: "Catalogo", Text: "Codice prodotto: 338120, codice fornitore: 4412"}},
	{name: "pt product code", mail: Mail{Subject: "Catálogo",
		Text: "Código do produto: 338120. Código da loja: 4412."}},
	{name: "nl customer code", mail: Mail{Subject: "Welkom", Text: "Uw klantcode: 338120, productcode 4412"}},
	{name: "pl product code", mail: Mail{Subject: "Oferta", Text: "Kod produktu: 338120, kod sklepu: 4412"}},
	{name: "ru item code", mail: Mail{Subject: "Каталог", Text: "Код товара: 338120. Код магазина: 4412."}},
	{name: "sv item code", mail: Mail{Subject: "Katalog", Text: "Artikelkod: 338120, butikskod: 4412"}},
	{name: "fi product code", mail: Mail{Subject: "Luettelo", Text: "Tuotekoodi: 338120, asiakaskoodi: 4412"}},
	{name: "tr product code", mail: Mail{Subject: "Katalog", Text: "Ürün kodu: 338120, mağaza kodu: 4412"}},
	{name: "vi product code", mail: Mail{Subject: "Danh mục", Text: "Mã sản phẩm: 338120"}},
	{name: "ja customer code", mail: Mail{Subject: "ご案内", Text: "顧客コード：338120"}},
	{name: "zh product code", mail: Mail{Subject: "目录", Text: "产品代码：338120"}},
	{name: "card slip", mail: Mail{Subject: "Your receipt", Text: "Store 0417 Reg 03\nMilk 1.29\nTOTAL 3.78\nVISA " +
		"************4471\nAuth code: 038122\nThank you!"}},
	{name: "card slip in capitals", mail: Mail{Subject: "Card receipt", Text: "AUTHORIZATION CODE: 338120\nTOTAL " +
		"$12.50\nThank you for shopping"}},
	{name: "es card slip", mail: Mail{Subject: "Recibo", Text: "Código de autorización: 338120. Importe 12,50 EUR. " +
		"Tarjeta 4412."}},
	{name: "pl card slip", mail: Mail{Subject: "Paragon", Text: "Kod autoryzacji: 338120. Kwota 12,50 PLN."}},
	{name: "ru card slip", mail: Mail{Subject: "Чек", Text: "Код авторизации: 338120. Сумма 450 руб."}},
	{name: "ja card slip", mail: Mail{Subject: "領収書", Text: "承認番号：338120　金額：1,200円"}},
	{name: "departure", mail: Mail{Subject: "Flight", Text: "Confirmation code: ABX9QP. Depart 08:15 gate 22."}},
	{name: "de locker", mail: Mail{Text: "Öffnungscode: 338120\n\n+00 555 0142"}},
	{name: "nl locker", mail: Mail{Text: "Kluiscode: 338120\n\n+00 555 0142"}},
	{name: "sv locker", mail: Mail{Text: "Skåpkod: 338120\n\n+00 555 0142"}},
	{name: "da locker", mail: Mail{Text: "Leveringskode: 338120\n\n+00 555 0142"}},
	{name: "no locker", mail: Mail{Text: "Utleveringskode: 338120\n\n+00 555 0142"}},
	{name: "is locker", mail: Mail{Text: "Afhendingarkóði: 338120\n\n+00 555 0142"}},
	{name: "fi locker", mail: Mail{Text: "Lokerokoodi: 338120\n\n+00 555 0142"}},
	{name: "et locker", mail: Mail{Text: "Kapikood: 338120\n\n+00 555 0142"}},
	{name: "lv locker", mail: Mail{Text: "Izņemšanas kods: 338120\n\n+00 555 0142"}},
	{name: "lt locker", mail: Mail{Text: "Atsiėmimo kodas: 338120\n\n+00 555 0142"}},
	{name: "pl locker", mail: Mail{Text: "Kod dostawy: 338120\n\n+00 555 0142"}},
	{name: "cs locker", mail: Mail{Text: "Kód pro vyzvednutí: 338120\n\n+00 555 0142"}},
	{name: "sk locker", mail: Mail{Text: "PIN na prevzatie: 338120\n\n+00 555 0142"}},
	{name: "sl locker", mail: Mail{Text: "Koda za prevzem: 338120\n\n+00 555 0142"}},
	{name: "hr locker", mail: Mail{Text: "Kod za preuzimanje: 338120\n\n+00 555 0142"}},
	{name: "sr locker", mail: Mail{Text: "Код за преузимање: 338120\n\n+00 555 0142"}},
	{name: "hu locker", mail: Mail{Text: "Csomagátvételi kód: 338120\n\n+00 555 0142"}},
	{name: "ro locker", mail: Mail{Text: "Cod de ridicare: 338120\n\n+00 555 0142"}},
	{name: "it locker", mail: Mail{Text: "Codice armadietto: 338120\n\n+00 555 0142"}},
	{name: "fr locker", mail: Mail{Text: "Code du casier: 338120\n\n+00 555 0142"}},
	{name: "es locker", mail: Mail{Text: "Código de la taquilla: 338120\n\n+00 555 0142"}},
	{name: "pt locker", mail: Mail{Text: "PIN de levantamento: 338120\n\n+00 555 0142"}},
	{name: "ca locker", mail: Mail{Text: "Codi de recollida: 338120\n\n+00 555 0142"}},
	{name: "el locker", mail: Mail{Text: "Κωδικός θυρίδας: 338120\n\n+00 555 0142"}},
	{name: "ru locker", mail: Mail{Text: "Код ячейки: 338120\n\n+00 555 0142"}},
	{name: "uk locker", mail: Mail{Text: "Код видачі: 338120\n\n+00 555 0142"}},
	{name: "bg locker", mail: Mail{Text: "Код за получаване: 338120\n\n+00 555 0142"}},
	{name: "tr locker", mail: Mail{Text: "Teslim alma kodu: 338120\n\n+00 555 0142"}},
	{name: "ar locker", mail: Mail{Text: "رمز الاستلام: 338120\n\n+00 555 0142"}},
	{name: "he locker", mail: Mail{Text: "קוד לוקר: 338120\n\n+00 555 0142"}},
	{name: "hi locker", mail: Mail{Text: "पिकअप कोड: 338120\n\n+00 555 0142"}},
	{name: "th locker", mail: Mail{Text: "รหัสรับสินค้า: 338120\n\n+00 555 0142"}},
	{name: "vi locker", mail: Mail{Text: "Mã nhận hàng: 338120\n\n+00 555 0142"}},
	{name: "id locker", mail: Mail{Text: "Kode pengambilan: 338120\n\n+00 555 0142"}},
	{name: "ms locker", mail: Mail{Text: "Kod ambilan: 338120\n\n+00 555 0142"}},
	{name: "ja locker", mail: Mail{Text: "ロッカーの暗証番号: 338120\n\n+00 555 0142"}},
	{name: "ko locker", mail: Mail{Text: "보관함 비밀번호: 338120\n\n+00 555 0142"}},
	{name: "zh locker", mail: Mail{Text: "开柜码: 338120\n\n+00 555 0142"}},
	{name: "zh-TW locker", mail: Mail{Text: "取貨代碼: 338120\n\n+00 555 0142"}},
	{name: "it courier", mail: Mail{Text: "Comunica il codice 3381 al corriere per ricevere il pacco."}},
	{name: "pl courier", mail: Mail{Text: "Podaj kurierowi kod 3381, aby odebrać przesyłkę."}},
	{name: "ru courier", mail: Mail{Text: "Назовите курьеру код 3381 при получении заказа."}},
	{name: "cs courier", mail: Mail{Text: "Kurýrovi sdělte kód 3381 pro převzetí zásilky."}},
	{name: "ro courier", mail: Mail{Text: "Comunică curierului codul 3381 pentru a primi coletul."}},
	{name: "id courier", mail: Mail{Text: "Berikan kode 3381 kepada kurir saat paket tiba."}},
	{name: "ar courier", mail: Mail{Text: "أعط المندوب الرمز 3381 عند استلام الشحنة."}},
	{name: "he courier", mail: Mail{Text: "מסרו לשליח את הקוד 3381 לקבלת החבילה."}},
	{name: "el courier", mail: Mail{Text: "Πείτε τον κωδικό 3381 στον κούριερ για να παραλάβετε το δέμα."}},
	{name: "courier", mail: Mail{Text: "Give the courier this code: 3381 when your package arrives."}},
	{name: "delivery otp", mail: Mail{Text: "Your delivery is arriving today. Share OTP 338120 with the delivery " +
		"agent to receive your package."}},
	{name: "at the counter", mail: Mail{Text: "Show code 3381 at the counter to pick up your burger. Order 88."}},
	{name: "code for the garage", mail: Mail{Subject: "Re: Sunday", Text: "The code for the garage is 3381. Keys are " +
		"under the mat. See you Sunday!"}},
	{name: "advisor code", mail: Mail{Subject: "Enrollment confirmed", Text: "CSC 2104 Data Structures (CRN " +
		"44812)\n\nTerm 202610. Advisor code: 3381. Registration questions: 555-0144."}},
	{name: "procedure codes", mail: Mail{Subject: "Your test results", Text: "Patient ID 4481203\nICD-10 code: " +
		"J45.909\nCPT code 33812\n\nLog on to the portal to view."}},
	{name: "issue in brackets", mail: Mail{Subject: "[acme/auth] Verification code is not sent (#33812)",
		Text: "jo commented on issue #33812:\n\n> After signup the verification code never arrives.\n\nFixed in " +
			"3f9c21ab."}},
	{name: "key of a ticket", mail: Mail{Subject: "[IT-338120] Password reset", Text: "Case 338120: your password " +
		"reset request was completed by Jo in IT."}},
	{name: "payment approved", mail: Mail{Subject: "Payment approved", Text: "Transaction approved\nAuthorization " +
		"code: 033812\nCard ending 4410\nAmount $45.99"}},
	{name: "code signing", mail: Mail{Subject: "Device reset", Text: "Reset complete. Device SN 44812099, firmware " +
		"2.14. Code signing certificate 5F2A99 valid until 2027."}},
	{name: "logins are counted", mail: Mail{Subject: "Monthly login report", Text: "Login time report: 338120 logins " +
		"in October, 4417 failed."}},
	{name: "de meeting", mail: Mail{Subject: "Elternabend", Text: "Am 20.11.2025 um 19:30 Uhr in Raum 2204. " +
		"Konferenz-ID 448 120 993, Kenncode 338120 für die Videoteilnahme."}},
	{name: "de short number", mail: Mail{Subject: "Neue Absendernummer", Text: "Unsere SMS-Codes kommen künftig von " +
		"der Kurzwahl 33812."}},
	{name: "ja room", mail: Mail{Subject: "ご予約完了のお知らせ",
		Text: "予約番号：77140221\n暗証番号：3381（客室入口用）\nチェックイン 2025年12月5日 15:00"}},
	{name: "zh-TW invoice", mail: Mail{Subject: "訂單成立通知", Text: "訂單編號 448120\n取貨代碼：7714402\n發票號碼 AB-44812099\n隨機碼 " +
		"3381\n統編 12345678"}},
	{name: "nl code of no list", mail: Mail{Subject: "Uw afspraak", Text: "Donderdag 20 november 10.20 uur, balie 4. " +
		"Afspraakcode: K3381. Neem uw ID mee."}},
	{name: "sv code of no list", mail: Mail{Subject: "Kallelse", Text: "Tid 2025-11-20 10:20. Incheckningskod: 3381. " +
		"Avgift 275 kr."}},
	{name: "uz invoice", mail: Mail{Subject: "INV-03381 to'lovi qabul qilindi", Text: "Hurmatli Jo,\n\nSana: " +
		"2026-03-16\nRaqami: INV-03381\n\nHavola: INV-03381."}},
	{name: "uz invoice without letters", mail: Mail{Subject: "To'lov", Text: "Hisob-fakturaning raqami: 03381"}},
	{name: "uz invoice, another apostrophe", mail: Mail{Subject: "Toʻlov", Text: "Toʻlov raqami: 338120"}},
	{name: "ja document", mail: Mail{Subject: "株式会社アクメ", Text: "番号：ORD-33812\n2026年3月16日"}},
	{name: "ko document", mail: Mail{Subject: "아크메", Text: "번호: RE-33812\n2026-03-16"}},
	{name: "vi document", mail: Mail{Subject: "Acme", Text: "Mã số: BILL-33812\n16/03/2026"}},
	{name: "fr document", mail: Mail{Subject: "FAC-33812", Text: "Votre code : FAC-33812"}},
	{name: "document without a hyphen", mail: Mail{Subject: "Acme", Text: "Code: INV03381\n\n16 March 2026"}},
}
