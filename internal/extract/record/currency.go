package record

import (
	"strings"
	"sync"
)

// currencyCodes are those of ISO 4217 that are in use.
const currencyCodes = " AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN " +
	"BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ " +
	"GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL " +
	"LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN " +
	"PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD " +
	"TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG "

// isCurrency says whether s is a code.
func isCurrency(s string) bool {
	return len(s) == 3 && strings.Contains(currencyCodes, " "+s+" ")
}

// currencySigns returns for signs and words, folded, the currency. Those that are several countries' begin with "?".
var currencySigns = sync.OnceValue(func() map[string]string {
	signs := map[string]string{}
	for _, row := range pairs(currencyTable) {
		for sign := range strings.FieldsSeq(row[1]) {
			signs[fold(sign)] = row[0]
		}
	}
	return signs
})

// currencyOf returns the code of a currency that was read: of a shared sign by the code that the mail names elsewhere,
// by the sender's country, by the language, else the one that is most usual.
func (s *scene) currencyOf(sign string) string {
	if !strings.HasPrefix(sign, "?") {
		return sign
	}
	for _, rule := range sharedSigns {
		if rule.sign == sign && s.named[rule.code] {
			return rule.code
		}
	}
	for _, rule := range sharedSigns {
		if rule.sign == sign && (rule.tld == "" || rule.tld == s.tld) && (rule.lang == "" || rule.lang == s.lang) {
			return rule.code
		}
	}
	return ""
}

var sharedSigns = []struct{ sign, tld, lang, code string }{
	{"?$", "ca", "", "CAD"}, {"?$", "au", "", "AUD"}, {"?$", "nz", "", "NZD"}, {"?$", "mx", "", "MXN"},
	{"?$", "ar", "", "ARS"}, {"?$", "cl", "", "CLP"}, {"?$", "co", "es", "COP"},
	{"?$", "hk", "", "HKD"}, {"?$", "sg", "", "SGD"}, {"?$", "tw", "", "TWD"}, {"?$", "uy", "", "UYU"},
	{"?$", "br", "", "BRL"}, {"?$", "", "pt", "BRL"}, {"?$", "", "", "USD"},
	{"?kr", "se", "", "SEK"}, {"?kr", "dk", "", "DKK"}, {"?kr", "no", "", "NOK"}, {"?kr", "is", "", "ISK"},
	{"?kr", "", "is", "ISK"}, {"?kr", "", "da", "DKK"}, {"?kr", "", "nb", "NOK"}, {"?kr", "", "", "SEK"},
	{"?rial", "ir", "", "IRR"}, {"?rial", "", "fa", "IRR"}, {"?rial", "", "", "SAR"},
	{"?¥", "cn", "", "CNY"}, {"?¥", "jp", "", "JPY"}, {"?¥", "", "zh", "CNY"}, {"?¥", "", "", "JPY"},
	{"?rs", "pk", "", "PKR"}, {"?rs", "lk", "", "LKR"}, {"?rs", "", "", "INR"},
	{"?r", "za", "", "ZAR"},
}

// safeCodes are codes that are no words of any language, so that they count in lower case as well.
const safeCodes = " eur usd gbp chf pln czk sek nok dkk cad aud jpy brl inr mxn huf "
