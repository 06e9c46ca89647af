package record

import "testing"

func TestMailsGermanic(t *testing.T) {
	for _, c := range []mailCase{
		{"Bestellung", Mail{From: "Zalando <info@service-mail.zalando.de>", Subject: "Danke für deine Bestellung!",
			Text: `
Hallo Alex,
vielen Dank für deine Bestellung. Wir sagen dir Bescheid, sobald dein Paket unterwegs ist.

Bestellnummer: 10101234567890
Bestelldatum: 13. März 2026

1 x Jacke, blau          79,95 €
2 x T-Shirt              19,90 €

Zwischensumme            119,75 €
Versandkosten              0,00 €
Gesamtsumme (inkl. MwSt.) 119,75 €
Zahlungsart: PayPal
`}, `order 10101234567890 119.75 EUR "Zalando" 2026-03-13 [1×Jacke, blau 79.95; 2×T-Shirt 19.90]`},
		{"Bestellung, Tausender", Mail{From: "OTTO <service@otto.de>", Subject: "Bestellbestätigung", Text: `
Ihre Bestellung vom 12.03.2026
Bestell-Nr.: 4711-0815
Waschmaschine
Menge: 1
Preis: 1.049,00 €
Gesamtbetrag: 1.078,95 EUR
`}, `order 4711-0815 1078.95 EUR "OTTO" 2026-03-12 [1×Waschmaschine 1049.00]`},
		{"Rechnung", Mail{From: "Stadtwerke Musterstadt <rechnung@stadtwerke.example>",
			Subject: "Ihre Rechnung März 2026", Text: `
Sehr geehrte Frau Doe,
anbei erhalten Sie Ihre Rechnung.
Rechnungsnummer: R-2026-0042
Rechnungsdatum: 10.03.2026
Rechnungsbetrag: 86,40 €
Zahlungsart: Lastschrift
`}, `receipt 86.40 EUR "Stadtwerke Musterstadt" 2026-03-10 "Lastschrift" -`},
		{"PayPal", Mail{From: "service@paypal.de <service@paypal.de>", Subject: "Beleg für Ihre Zahlung an " +
			"Musikhaus GmbH", Text: `
Hallo Alex Doe!
Sie haben eine Zahlung über 49,00 EUR an Musikhaus GmbH gesendet.
Transaktionscode: 1AB23456CD789012E
Datum: 11. März 2026
`}, `receipt 49.00 EUR "Musikhaus GmbH" 2026-03-11 "" -`},
		{"Paket DHL", Mail{From: "DHL Paket <noreply@dhl.de>", Subject: "Ihr DHL Paket kommt am Montag", Text: `
Ihr Paket ist unterwegs.
Sendungsnummer: 00340434161094015902
Voraussichtliche Zustellung: Montag, 16.03.2026
Sendung verfolgen: https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=00340434161094015902
`}, `shipping 00340434161094015902 "DHL" shipped 2026-03-16 https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=00340434161094015902`},
		{"Paket DPD heute", Mail{From: "DPD <noreply@service.dpd.de>", Subject: "Ihr Paket wird heute zugestellt",
			Text: `
Ihr DPD Paket kommt heute zwischen 11:00 und 12:00 Uhr.
Paketnummer: 01505012345678
`}, `shipping 01505012345678 "DPD" out_for_delivery 2026-03-14 -`},
		{"Zustellversuch", Mail{From: "Hermes <noreply@paketankuendigung.myhermes.de>",
			Subject: "Ihre Sendung konnte nicht zugestellt werden", Text: `
Leider haben wir Sie nicht angetroffen. Sendungsnummer: 12345678901234
`}, `shipping 12345678901234 "Hermes" exception - -`},
		{"Termin", Mail{From: "Praxis Dr. Müller <praxis@dr-mueller.example>", Subject: "Terminbestätigung", Text: `
Ihr Termin wurde bestätigt:
Datum: Mittwoch, 25. März 2026
Uhrzeit: 14:30 Uhr
Ort: Hauptstraße 5, 10115 Berlin
`}, `calendar 2026-03-25 14:30 - - "Terminbestätigung" "Hauptstraße 5, 10115 Berlin" -`},
		{"Besprechung im Satz", Mail{From: "Eva <eva@example.de>", Subject: "Besprechung", Text: `
Hallo Alex, die Besprechung ist am 20.03.2026 um 10.30 Uhr in Raum 3.`}, `calendar 2026-03-20 10:30 - - "Besprechung" "" -`},
		{"Schweiz", Mail{From: "Digitec <info@digitec.ch>", Subject: "Bestellbestätigung 12345678", Text: `
Vielen Dank für Ihre Bestellung.
Bestellnummer 12345678
Total CHF 1’249.–
Bestellt am 13.3.2026
`}, `order 12345678 1249 CHF "Digitec" 2026-03-13 []`},
		{"bestelling", Mail{From: "bol <automail@bol.com>", Subject: "Bedankt voor je bestelling", Text: `
Bedankt voor je bestelling!
Bestelnummer: C0001A2B3C
Besteldatum: 13 maart 2026
Koptelefoon
Aantal: 1
€ 59,99
Subtotaal € 59,99
Verzendkosten € 2,99
Totaal € 62,98
Betaalmethode: iDEAL
`}, `order C0001A2B3C 62.98 EUR "bol" 2026-03-13 [1×Koptelefoon 59.99]`},
		{"pakket", Mail{From: "PostNL <noreply@postnl.nl>", Subject: "Je pakket wordt morgen bezorgd", Text: `
Je pakket is onderweg.
Track & trace-code: 3SABCD123456789
Verwachte bezorging: maandag 16 maart
`}, `shipping 3SABCD123456789 "PostNL" shipped 2026-03-16 -`},
		{"orderbekräftelse", Mail{From: "Elgiganten <kundtjanst@elgiganten.se>", Subject: "Orderbekräftelse 301234567",
			Text: `
Tack för din beställning!
Ordernummer: 301234567
Orderdatum: 2026-03-13
1 st Hörlurar           1 299 kr
Frakt                      49 kr
Totalt att betala       1 348 kr
Betalningssätt: Klarna
`}, `order 301234567 1348 SEK "Elgiganten" 2026-03-13 [1×Hörlurar 1299]`},
		{"pieces behind the name", Mail{From: "Nordljus <order@nordljus.se>", Subject: "Orderbekräftelse 102938",
			Text: `
Ordernummer: 102938
Orderdatum: 2026-03-12
Taklampa Dimma, 1 st, 1 495,00 kr
Lampfot, 2 st, 100,00 kr
Att betala: 1 695,00 kr
`}, `order 102938 1695.00 SEK "Nordljus" 2026-03-12 [1×Taklampa Dimma 1495.00; 2×Lampfot 100.00]`},
		{"order number behind the thanks", Mail{From: "Rösterei <shop@roesterei.example>",
			Subject: "Bestellbestätigung", View: seen(
				`<p>Vielen Dank für Ihre Bestellung <b>B-2026-331</b> vom 13.03.2026.</p>
<table><tr><th>Artikel</th><th>Anzahl</th><th>Preis</th></tr><tr><td>Espresso 1kg</td><td>2 Stk.</td><td>24,90 €</td></tr><tr><td>Gesamt</td><td></td><td>49,80 €</td></tr></table>`)},
			`order B-2026-331 49.80 EUR "Rösterei" 2026-03-13 [2×Espresso 1kg 24.90]`},
		{"morgen", Mail{From: "PostNL <noreply@postnl.nl>", Subject: "Je pakket komt morgen",
			Text: "Je pakket wordt morgen bezorgd.\nTrack & trace: 3SABCD1234567"},
			`shipping 3SABCD1234567 "PostNL" - 2026-03-15 -`},
		{"försändelse", Mail{From: "PostNord <no-reply@postnord.se>", Subject: "Ditt paket är på väg", Text: `
Din försändelse är på väg.
Kolli-ID: UA123456785SE
Beräknad leverans: 17 mars 2026
`}, `shipping UA123456785SE "PostNord" shipped 2026-03-17 -`},
		{"ordrebekræftelse", Mail{From: "Coolshop <info@coolshop.dk>", Subject: "Ordrebekræftelse", Text: `
Tak for din ordre
Ordrenummer: 8812345
Ordredato: 13. marts 2026
I alt inkl. moms: 1.299,00 kr.
`}, `order 8812345 1299.00 DKK "Coolshop" 2026-03-13 []`},
		{"kvittering", Mail{From: "Vy <noreply@vy.no>", Subject: "Kvittering for kjøp", Text: `
Takk for kjøpet! Her er din kvittering.
Dato: 13.03.2026
Totalt: kr 299,-
Betalt med: Visa **** 1234
`}, `receipt 299 NOK "Vy" 2026-03-13 "Visa 1234" -`},
		{"tilausvahvistus", Mail{From: "Verkkokauppa.com <asiakaspalvelu@verkkokauppa.com>", Subject: "Tilausvahvistus",
			Text: `
Kiitos tilauksestasi!
Tilausnumero: 87654321
Tilauspäivä: 13.3.2026
Yhteensä: 129,90 €
`}, `order 87654321 129.90 EUR "Verkkokauppa.com" 2026-03-13 []`},
	} {
		c.run(t)
	}
}

func TestMailsRomance(t *testing.T) {
	for _, c := range []mailCase{
		{"n° is not no", Mail{From: "Colissimo <notification@colissimo.fr>", Subject: "Votre colis arrive",
			Text: "Votre Colissimo n° 6A12345678901 est en cours d'acheminement. Il sera livré le lundi 16 mars."},
			`shipping 6A12345678901 "Colissimo" in_transit 2026-03-16 -`},
		{"n° without a space", Mail{From: "Fleurs <bonjour@fleurs.example>", Subject: "Merci pour votre commande",
			Text: "Commande n°FC99812\n1 × Bouquet — 39,00 €\nTotal : 39,00 €"},
			`order FC99812 39.00 EUR "Fleurs" - [1×Bouquet 39.00]`},
		{"bill with its day behind the number", Mail{From: "Ginásio Vital <faturas@vital.example>",
			Subject: "Fatura-recibo FR 2026/331", Text: "Segue a sua fatura-recibo FR 2026/331 de 01-03-2026.\nValor " +
				"total: 39,90 €"},
			`receipt 39.90 EUR "Ginásio Vital" 2026-03-01 "" -`},
		{"commande", Mail{From: "Fnac <noreply@fnac.com>", Subject: "Confirmation de votre commande", Text: `
Bonjour,
Merci pour votre commande.
Commande n° 2FK4H5J6K7L8M
Date de commande : 12 mars 2026
Casque audio
Quantité : 1
Prix : 1 234,56 €
Sous-total : 1 234,56 €
Frais de livraison : 4,99 €
Montant total : 1 239,55 €
Mode de paiement : Carte bancaire
`}, `order 2FK4H5J6K7L8M 1239.55 EUR "Fnac" 2026-03-12 [1×Casque audio 1234.56]`},
		{"colis", Mail{From: "Colissimo <noreply@notif-colissimo-laposte.info>",
			Subject: "Votre colis est en cours de livraison", Text: `
Bonjour, votre colis n° 6A12345678901 sera livré aujourd'hui.
Suivre mon colis : https://www.laposte.fr/outils/suivre-vos-envois?code=6A12345678901
`}, `shipping 6A12345678901 "Colissimo" out_for_delivery 2026-03-14 https://www.laposte.fr/outils/suivre-vos-envois?code=6A12345678901`},
		{"facture", Mail{From: "OVH <support@ovh.com>", Subject: "Votre facture FR1234567", Text: `
Bonjour, votre facture est disponible.
Numéro de facture : FR1234567
Date : 1 mars 2026
Total TTC : 11,99 EUR
Moyen de paiement : Visa se terminant par 4242
`}, `receipt 11.99 EUR "OVH" 2026-03-01 "Visa 4242" -`},
		{"rendez-vous", Mail{From: "Doctolib <no-reply@doctolib.fr>", Subject: "Votre rendez-vous est confirmé", Text: `
Votre rendez-vous est confirmé.
Date et heure : jeudi 26 mars 2026 à 15h30
Lieu : 10 rue de la Paix, 75002 Paris
`}, `calendar 2026-03-26 15:30 - - "Votre rendez-vous est confirmé" "10 rue de la Paix, 75002 Paris" -`},
		{"pedido", Mail{From: "Zara <noreply@zara.com>", Subject: "Confirmación de pedido nº 52012345678", Text: `
Gracias por tu compra
Número de pedido: 52012345678
Fecha del pedido: 13 de marzo de 2026
Importe total: 45,90 €
`}, `order 52012345678 45.90 EUR "Zara" 2026-03-13 []`},
		{"compra en México", Mail{From: "Mercado Libre <info@mercadolibre.com.mx>",
			Subject: "Compraste Audífonos inalámbricos", Text: `
¡Gracias por tu compra!
Compra #2000001234567890
Audífonos inalámbricos
Cantidad: 1
$ 1,299.00
Envío $ 0.00
Total $ 1,299.00
Llega el martes 17 de marzo
`}, `order 2000001234567890 1299.00 MXN "Mercado Libre" - [1×Audífonos inalámbricos 1299.00]`},
		{"envío", Mail{From: "Correos <noreply@correos.es>", Subject: "Tu envío está en reparto", Text: `
Tu envío PQ4F6P0704104480178750C está en reparto.
Entrega prevista: 14/03/2026
`}, `shipping PQ4F6P0704104480178750C "Correos" out_for_delivery 2026-03-14 -`},
		{"recibo", Mail{From: "Spotify <no-reply@spotify.com>", Subject: "Tu recibo de Spotify", Text: `
Recibo
Fecha: 5 de marzo de 2026
Total: 11,99 €
Método de pago: Mastercard terminada en 5555
`}, `receipt 11.99 EUR "Spotify" 2026-03-05 "Mastercard 5555" -`},
		{"cita", Mail{From: "Clínica Sol <citas@clinicasol.es>", Subject: "Recordatorio de cita", Text: `
Le recordamos su cita:
Fecha y hora: 27/03/2026 a las 9:15
Lugar: Calle Mayor 1, Madrid
`}, `calendar 2026-03-27 09:15 - - "Recordatorio de cita" "Calle Mayor 1, Madrid" -`},
		{"ordine", Mail{From: "ePRICE <ordini@eprice.it>", Subject: "Conferma ordine n. 12345678", Text: `
Grazie per il tuo ordine!
Numero ordine: 12345678
Data ordine: 13 marzo 2026
2 x Lampada da tavolo    € 24,50
Subtotale: € 49,00
Spese di spedizione: € 5,90
Totale ordine: € 54,90
`}, `order 12345678 54.90 EUR "ePRICE" 2026-03-13 [2×Lampada da tavolo 24.50]`},
		{"spedizione", Mail{From: "BRT <noreply@brt.it>", Subject: "La tua spedizione è in consegna", Text: `
Spedizione in consegna oggi.
Numero di spedizione: 123456789012
Corriere: BRT
`}, `shipping 123456789012 "BRT" out_for_delivery 2026-03-14 -`},
		{"pedido no Brasil", Mail{From: "Magalu <pedidos@magazineluiza.com.br>", Subject: "Pedido confirmado!", Text: `
Recebemos o seu pedido!
Número do pedido: 1098765432
Data do pedido: 13/03/2026
1x Cafeteira    R$ 249,90
Frete    R$ 10,00
Valor total: R$ 259,90
Forma de pagamento: Pix
`}, `order 1098765432 259.90 BRL "Magalu" 2026-03-13 [1×Cafeteira 249.90]`},
		{"objeto postado", Mail{From: "Loja <contato@loja.com.br>", Subject: "Seu pedido foi enviado", Text: `
Seu pedido está a caminho!
Código de rastreio: AA123456785BR
Previsão de entrega: 20/03/2026
`}, `shipping AA123456785BR "Correios" shipped 2026-03-20 -`},
		{"comandă", Mail{From: "eMAG <comenzi@emag.ro>", Subject: "Confirmare comandă", Text: `
Îți mulțumim pentru comandă!
Număr comandă: 123456789
Data comenzii: 13 martie 2026
Total de plată: 1.249,99 lei
`}, `order 123456789 1249.99 RON "eMAG" 2026-03-13 []`},
	} {
		c.run(t)
	}
}

func TestMailsEastern(t *testing.T) {
	for _, c := range []mailCase{
		{"штуки", Mail{From: "Чайная лавка <zakaz@tea.example>", Subject: "Ваш заказ № 300812 принят",
			Text: "Чай улун 100 г — 2 шт. × 650 ₽\nЧайник — 1 шт. × 1 890 ₽\nДоставка: 300 ₽\nИтого: 3 490 ₽"},
			`order 300812 3490 RUB "Чайная лавка" - [2×Чай улун 100 г 650; 1×Чайник 1890]`},
		{"kusy", Mail{From: "Knihy <info@knihy.example>", Subject: "Objednávka č. 7765432 byla přijata",
			Text: "Babička - 1 ks - 249 Kč\nSaturnin - 2 ks - 299 Kč\nCelkem k úhradě: 847 Kč"},
			`order 7765432 847 CZK "Knihy" - [1×Babička 249; 2×Saturnin 299]`},
		{"day by which to pay", Mail{From: "Energie <faktury@energie.example>", Subject: "Faktura č. 2026031234",
			Text: "Zasíláme Vám fakturu č. 2026031234 ze dne 1. března 2026.\nČástka k úhradě: 2 345,60 Kč\nDatum " +
				"splatnosti: 15. 3. 2026"},
			`receipt 2345.60 CZK "Energie" 2026-03-01 "" -`},
		{"number that only its carrier vouches for", Mail{From: "InPost <powiadomienia@inpost.pl>",
			Subject: "Paczka czeka w Paczkomacie", Text: "Twoja paczka 620111122223333444455556 czeka na odbiór."},
			`shipping 620111122223333444455556 "InPost" out_for_delivery - -`},
		{"doręczenie", Mail{From: "DPD Polska <powiadomienia@dpd.com.pl>", Subject: "Twoja paczka jest w drodze",
			Text: "Twoja przesyłka o numerze 13029812345678U została nadana. Planowana data doręczenia: 17.03.2026."},
			`shipping 13029812345678U "DPD" shipped 2026-03-17 -`},
		{"zamówienie", Mail{From: "Allegro <powiadomienia@allegro.pl>", Subject: "Potwierdzenie zamówienia", Text: `
Dziękujemy za zakupy!
Numer zamówienia: a1b2c3d4-1234
Data zamówienia: 13 marca 2026
Słuchawki
Ilość: 1
1 234,56 zł
Dostawa: 9,99 zł
Do zapłaty: 1 244,55 zł
Metoda płatności: BLIK
`}, `order a1b2c3d4-1234 1244.55 PLN "Allegro" 2026-03-13 [1×Słuchawki 1234.56]`},
		{"paczka", Mail{From: "InPost <powiadomienia@inpost.pl>", Subject: "Paczka czeka na odbiór w Paczkomacie",
			Text: `
Numer przesyłki: 620012345678901234567890
Twoja paczka czeka na odbiór.
`}, `shipping 620012345678901234567890 "InPost" out_for_delivery - -`},
		{"objednávka", Mail{From: "Alza.cz <alza@alza.cz>", Subject: "Potvrzení objednávky 512345678", Text: `
Děkujeme za vaši objednávku.
Číslo objednávky: 512345678
Datum objednávky: 13. března 2026
Celkem k úhradě: 2 499 Kč
`}, `order 512345678 2499 CZK "Alza.cz" 2026-03-13 []`},
		{"rendelés", Mail{From: "eMAG <rendeles@emag.hu>", Subject: "Rendelés visszaigazolása", Text: `
Köszönjük a rendelésedet!
Rendelésszám: 123456789
Rendelés dátuma: 2026. március 13.
Fizetendő összeg: 24 990 Ft
`}, `order 123456789 24990 HUF "eMAG" 2026-03-13 []`},
		{"παραγγελία", Mail{From: "Skroutz <no-reply@skroutz.gr>", Subject: "Επιβεβαίωση παραγγελίας", Text: `
Σας ευχαριστούμε για την παραγγελία σας!
Αριθμός παραγγελίας: 260313-1234567
Σύνολο: 45,90 €
`}, `order 260313-1234567 45.90 EUR "Skroutz" - []`},
		{"sipariş", Mail{From: "Trendyol <siparis@trendyol.com>", Subject: "Siparişiniz alındı", Text: `
Siparişiniz için teşekkürler!
Sipariş Numarası: 1234567890
Sipariş Tarihi: 13 Mart 2026
Kulaklık
Adet: 2
1.299,90 TL
Toplam Tutar: 2.599,80 TL
`}, `order 1234567890 2599.80 TRY "Trendyol" 2026-03-13 [2×Kulaklık 1299.90]`},
		{"kargo", Mail{From: "Trendyol <siparis@trendyol.com>", Subject: "Siparişiniz kargoya verildi", Text: `
Kargo takip numarası: 7330012345678
Kargo firması: Yurtiçi Kargo
Tahmini teslimat: 17 Mart 2026
`}, `shipping 7330012345678 "Yurtiçi Kargo" shipped 2026-03-17 -`},
		{"заказ", Mail{From: "OZON <mailer@sender.ozon.ru>", Subject: "Ваш заказ оформлен", Text: `
Спасибо за заказ!
Номер заказа: 12345678-0001
Дата заказа: 13 марта 2026 г.
Наушники
Количество: 1
2 499 ₽
Итого к оплате: 2 499 ₽
Способ оплаты: Мир
`}, `order 12345678-0001 2499 RUB "OZON" 2026-03-13 [1×Наушники 2499]`},
		{"посылка", Mail{From: "Почта России <noreply@pochta.ru>", Subject: "Посылка прибыла", Text: `
Ваша посылка ожидает получения в отделении.
Номер отправления: RA123456785RU
`}, `shipping RA123456785RU "Russian Post" out_for_delivery - -`},
		{"замовлення", Mail{From: "Rozetka <noreply@rozetka.com.ua>", Subject: "Ваше замовлення прийнято", Text: `
Дякуємо за замовлення!
Номер замовлення: 712345678
Загальна сума: 1 299 грн
`}, `order 712345678 1299 UAH "Rozetka" - []`},
	} {
		c.run(t)
	}
}
