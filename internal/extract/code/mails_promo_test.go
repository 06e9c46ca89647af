package code

// promoMails have codes, but to pay less, to be let in, or to fetch something.
var promoMails = []sample{
	{name: "your code inside", mail: Mail{Subject: "Your code inside", Text: "Hi Jo, here's your code: XMAS50. Save " +
		"50% on your next purchase. Shop now!"}},
	{name: "black friday is here", mail: Mail{Subject: "Black Friday is here", Text: "Enter BFCM24 at checkout to " +
		"get 30% off sitewide. Ends Monday."}},
	{name: "nur heute: 10 € geschenkt", mail: Mail{Subject: "Nur heute: 10 € geschenkt",
		Text: "Dein Code: SOMMER10\n\nJetzt einkaufen und sparen. Gültig bis 31.08.2024. Mindestbestellwert 50 €."}},
	{name: "-20% sur tout le site", mail: Mail{Subject: "-20% sur tout le site", Text: "Utilisez le code NOEL23 pour " +
		"bénéficier de -20% sur votre prochain achat."}},
	{name: "¡20% de descuento!", mail: Mail{Subject: "¡20% de descuento!", Text: "Usa el código VERANO24 y ahorra un " +
		"20% en tu próxima compra. Válido hasta el 31 de agosto."}},
	{name: "скидка 20%", mail: Mail{Subject: "Скидка 20%", Text: "Введите код ZIMA2024 при оформлении заказа и " +
		"получите скидку 20%."}},
	{name: "a free coffee for you", mail: Mail{Subject: "A free coffee for you", Text: "Happy birthday! Show this " +
		"code at the counter for a free coffee:\n\nKX44-12PQ\n\nValid until 31 March 2024 in all stores."}},
	{name: "your netflix gift", mail: Mail{Subject: "Your Netflix gift", Text: "You've received a gift. Redeem with " +
		"this code: 4481 2055 3382"}},
	{name: "invite your friends", mail: Mail{Subject: "Invite your friends", Text: "Your friends get $10 when they " +
		"sign up with your code: JO8842"}},
	{name: "cupom de 15%", mail: Mail{Subject: "Cupom de 15%", Text: "Use o cupom PRIMEIRA15 ou o código 884210 na " +
		"sua primeira compra!"}},
	{name: "codice sconto per te", mail: Mail{Subject: "Codice sconto per te", Text: "Inserisci il codice ESTATE24 " +
		"nel carrello per ottenere il 15% di sconto"}},
	{name: "kod rabatowy -10%", mail: Mail{Subject: "Kod rabatowy -10%", Text: "Wpisz kod LATO2024 w koszyku i " +
		"odbierz 10% rabatu na zakupy."}},
	{name: "kortingscode voor jou", mail: Mail{Subject: "Kortingscode voor jou", Text: "Gebruik code LENTE24 bij het " +
		"afrekenen voor 10% korting."}},
	{name: "限时优惠", mail: Mail{Subject: "限时优惠", Text: "使用优惠码 SALE24 立减20元，仅限今天。"}},
	{name: "クーポン", mail: Mail{Subject: "クーポン", Text: "コード HARU24 を入力すると10%オフ！"}},
	{name: "할인 쿠폰", mail: Mail{Subject: "할인 쿠폰", Text: "코드 SPRING24 입력 시 10% 할인"}},
	{name: "your acme ticket", mail: Mail{Subject: "Your Acme ticket", Text: "Your ticket for Coldplay, 12 March " +
		"2024. Barcode 448120559. Entry code: 8842"}},
	{name: "join our webinar", mail: Mail{Subject: "Join our webinar", Text: "Register now. Webinar ID 812 345 678, " +
		"passcode 448120."}},
	{name: "your license", mail: Mail{Subject: "Your license", Text: "Thanks for your purchase. Your activation key: " +
		"AB12-CD34-EF56"}},
	{name: "class tomorrow", mail: Mail{Subject: "Class tomorrow", Text: "Join with class code 4x7kq2p. See you!"}},
	{name: "your parcel", mail: Mail{Subject: "Your parcel", Text: "Ihr Paket liegt bereit. PIN für die " +
		"Packstation: 448120"}},
	{name: "kahoot", mail: Mail{Subject: "Kahoot", Text: "Join at kahoot.it with Game PIN: 4481205"}},
	{name: "wi-fi at the hotel", mail: Mail{Subject: "Wi-Fi at the hotel", Text: "Network: Guest, Password: " +
		"44812055, Room 1204"}},
	{name: "job alert", mail: Mail{Subject: "Job alert", Text: "New job: Verification Engineer, ref. 448120. Apply " +
		"with code REF4481"}},
	{name: "order update", mail: Mail{Subject: "Order update", Text: "Your order 448120 needs no action. Give the " +
		"driver this delivery code: 8842"}},
	{name: "travel", mail: Mail{Subject: "Travel", Text: "Your confirmation code is KXQT4P for the flight LIS-FRA on " +
		"12 March. Check-in opens 24 hours before."}},
	{name: "your rental", mail: Mail{Subject: "Your rental", Text: "Reservation confirmed. Confirmation code: " +
		"44812055. Pick-up 12 March 10:00."}},
	{name: "gutschein", mail: Mail{Subject: "Gutschein", Text: "Einlöse-Code: 4481-2055-3382, PIN 8842. Viel Spaß " +
		"beim Shoppen"}},
	{name: "ihre buchung", mail: Mail{Subject: "Ihre Buchung", Text: "Ihr Buchungscode lautet KXQT4P. Check-in ab 23 " +
		"Stunden vor Abflug."}},
	{name: "votre réservation", mail: Mail{Subject: "Votre réservation", Text: "Code de réservation : KXQT4P. Vol " +
		"AF1234 du 12 mars 2024."}},
	{name: "tu reserva", mail: Mail{Subject: "Tu reserva", Text: "Código de reserva: KXQT4P. Vuelo IB1234."}},
	{name: "when a friend uses it", mail: Mail{Subject: "Tell a friend", Text: "Hi Jo!\nDo you like our " +
		"letters?\nWhy not share them?\nThere is 15% off\nfor you when a friend uses the code\nJOJO15X!\nBest, Acme"}},
	{name: "code to pass on", mail: Mail{Subject: "Give $20, get $20", Text: "Give your friends $20 for their first " +
		"box. Here's your code to pass on:\n\n338120"}},
	{name: "signs up with it", mail: Mail{Subject: "Refer a friend", Text: "When somebody signs up with the code " +
		"below, both of you get $10.\n\nK3X81Q\n\nAcme"}},
	{name: "de friends", mail: Mail{Subject: "10 € für euch beide", Text: "Lade Freunde ein. Dein persönlicher " +
		"Code:\n\n338120"}},
	{name: "fr friends", mail: Mail{Subject: "Merci", Text: "Invitez vos proches et recevez 10 € chacun. Votre code " +
		":\n\n338120"}},
	{name: "es friends", mail: Mail{Subject: "Gracias", Text: "Invita a tus amigos y os damos 10 € a los dos. Tu " +
		"código:\n\nK3X81Q"}},
	{name: "pt friends", mail: Mail{Subject: "Obrigado", Text: "Indique um amigo. Quando um amigo usar o seu código, " +
		"cada um recebe R$ 20: 338120"}},
	{name: "it friends", mail: Mail{Subject: "Grazie", Text: "Porta un amico e ricevete entrambi 10 €. Il tuo " +
		"codice:\n\n338120"}},
	{name: "nl friends", mail: Mail{Subject: "Bedankt", Text: "Nodig je vrienden uit en krijg allebei € 10. Jouw " +
		"code:\n\n338120"}},
	{name: "sv friends", mail: Mail{Subject: "Tack", Text: "Bjud in en vän så får ni 100 kr var. Din kod: K3X81Q"}},
	{name: "pl friends", mail: Mail{Subject: "Dziękujemy", Text: "Zaproś znajomych. Gdy znajomy użyje Twojego kodu, " +
		"dostaniesz 20 zł. Twój kod: 338120"}},
	{name: "ru friends", mail: Mail{Subject: "Спасибо", Text: "Приглашайте друзей и получайте по 500 ₽. Ваш " +
		"код:\n\n338120"}},
	{name: "tr friends", mail: Mail{Subject: "Teşekkürler", Text: "Arkadaşlarını davet et, ikiniz de 50 TL kazanın. " +
		"Kodun: K3X81Q"}},
	{name: "zh friends", mail: Mail{Subject: "谢谢", Text: "邀请好友，双方各得10元。您的代码：338120"}},
	{name: "ja friends", mail: Mail{Subject: "ありがとうございます", Text: "友達を招待して500円もらおう。あなたのコード：K3X81Q"}},
	{name: "ko friends", mail: Mail{Subject: "감사합니다", Text: "친구를 초대하고 5,000원을 받으세요. 회원님의 코드: 338120"}},
}
