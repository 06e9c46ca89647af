package record

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// merchantPhrases are words after which a mail names who was paid, or who sold. They are folded.
type merchantPhrases []string

var (
	orderMerchant = merchantPhrases{"your order from ", "your order with ", "your purchase from ", "order at ",
		"ihre bestellung bei ", "deine bestellung bei ", "votre commande chez ", "votre commande sur ",
		"tu pedido en ", "il tuo ordine su ", "je bestelling bij ", "uw bestelling bij ", "din bestallning hos ",
		"din ordre hos ", "seu pedido na ", "twoje zamowienie w "}
	receiptMerchant = merchantPhrases{"receipt from ", "your receipt for ", "payment to ", "paid to ", "purchase from ",
		"purchase at ", "your payment to ", "invoice from ", "zahlung an ", "beleg von ", "rechnung von ",
		"paiement a ", "recu de ",
		"facture de ", "pago a ", "recibo de ", "factura de ", "pagamento a ", "ricevuta da ", "fattura da ",
		"betaling aan ", "betaling till ", "betalning till ", "kvitto fran ", "kvittering fra ", "platnosc dla "}
)

// relays are senders that write for others, so that the name of the sender says little.
const relays = " stripe.com paypal.com paypal.de paypal.co.uk paypal.fr squareup.com square.com shopify.com " +
	"shopifyemail.com klarna.com klarna.de mercury.com gumroad.com paddle.com fastspring.com adyen.com mollie.com " +
	"sumup.com lemonsqueezy.com wise.com venmo.com revolut.com razorpay.com "

// merchant returns who sold: by what the mail says if the sender writes for others, else by the sender.
func (r *reader) merchant(phrases merchantPhrases) string {
	domain := r.registered()
	relay := domain != "" && strings.Contains(relays, " "+domain+" ")
	named, paid := "", false
	for i := 0; i < len(r.page.lines) && i < 30 && named == ""; i++ {
		named, paid = r.namedAfter(&r.page.lines[i], phrases)
	}
	if isForward(r.mail.Subject) {
		return named
	}
	if named != "" && (relay || paid || r.mail.FromName == "") && !strings.HasPrefix(r.mail.FromName, named) {
		return named
	}
	if own, _, _ := strings.Cut(domain, "."); relay && strings.EqualFold(own, r.sender()) {
		return ""
	}
	return either(r.sender(), named)
}

// registered returns the domain that the sender has registered.
func (s *scene) registered() string {
	domain, err := publicsuffix.EffectiveTLDPlusOne(s.domain)
	if err != nil {
		return s.domain
	}
	return domain
}

// namedAfter returns the name after one of the phrases, or the one that a sentence about a payment says was paid.
func (r *reader) namedAfter(l *line, phrases merchantPhrases) (name string, paid bool) {
	for _, phrase := range phrases {
		if at := strings.Index(l.folded, phrase); at >= 0 {
			if name = nameAt(l.original(at+len(phrase), len(l.folded))); name != "" {
				return name, false
			}
		}
	}
	if at := strings.Index(l.folded, " has charged "); at > 0 && at < 60 {
		return nameAt(l.original(0, at)), true
	}
	for _, h := range l.hits {
		if !h.is(paidSaid) || len(l.amounts()) == 0 {
			continue
		}
		for _, word := range []string{" by ", " to ", " with ", " at ", " from "} {
			if at := strings.Index(l.folded[h.from:], word); at >= 0 && at < 60 {
				if name = nameAt(l.original(h.from+at+len(word), len(l.folded))); name != "" {
					return name, word != " at " && word != " from "
				}
			}
		}
	}
	return "", false
}

// nameAt returns the name at the front of a text: it begins with a capital letter or a digit and ends with the
// sentence.
func nameAt(text string) string {
	end := len(text)
	for _, stop := range []string{"\t", " #", " (", " for ", " on ", " via ", " using ", " with ", " has ", " is ",
		" was ", " - ", " – ", " | ", ":", "!", "?", ";", ", ", " über ", " für ", " vom ", " de ", " del ", " pour ",
		" will ", " your ", " in "} {
		if at := strings.Index(text[:end], stop); at >= 0 {
			end = at
		}
	}
	if dot := strings.Index(text[:end], ". "); dot > 3 { // not that of "St. John"
		end = dot
	}
	name := strings.TrimRight(text[:end], ". ,")
	first, _ := utf8.DecodeRuneInString(name)
	if strings.Contains(paymentRails, " "+strings.ToLower(name)+" ") {
		return ""
	}
	if countLetters(name) < 2 || len(name) > 60 || !unicode.IsUpper(first) && !unicode.IsDigit(first) &&
		!isDense(first) || strings.Contains(name, "@") {
		return ""
	}
	return name
}

// paymentRails are names that stand where a merchant's would, and say how the money went.
const paymentRails = " ach wire sepa visa mastercard paypal card bank credit debit account "

// rolesOfSenders are words that senders add to their name.
var rolesOfSenders = []string{"customer service", "customer support", "customer care", "order confirmation",
	"order confirmations", "notifications", "notification", "no-reply", "noreply", "do not reply", "donotreply",
	"support", "orders",
	"order", "billing", "receipts", "receipt", "shipping", "shipment", "service", "team", "info", "kundenservice",
	"kundenbetreuung", "bestellungen", "bestellung", "service client", "atención al cliente", "bestellservice",
	"invoices", "payments", "auto-confirm", "online store", "the "}

// sender returns the name of the sender without what is no part of it, else the name of its domain.
func (s *scene) sender() string {
	label, _, _ := strings.Cut(s.registered(), ".")
	if isFreeMail(label) {
		return ""
	}
	name := squeeze(strings.Trim(s.mail.FromName, `"' `))
	for _, via := range []string{" via ", " (via ", " über ", " durch "} {
		if before, _, ok := strings.Cut(name, via); ok {
			name = before
		}
	}
	for _, role := range rolesOfSenders {
		lower := strings.ToLower(name)
		switch {
		case lower == strings.TrimSpace(role):
			name = ""
		case strings.HasSuffix(lower, " "+role) && len(lower) == len(name):
			name = strings.TrimRight(name[:len(name)-len(role)], " -|:,")
		}
	}
	if name != "" && !strings.Contains(name, "@") {
		return name
	}
	if label == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(label)
	return string(unicode.ToUpper(first)) + label[size:]
}

func isFreeMail(label string) bool {
	return strings.Contains(" gmail googlemail outlook hotmail yahoo gmx web icloud aol live ", " "+label+" ")
}
