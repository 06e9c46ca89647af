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
	for _, row := range []struct{ code, signs string }{
		{"EUR", "€ euro euros eur"}, {"USD", "us$ usd u$s $us usd$ us-$ dollars usdollar u.s.$"},
		{"GBP", "£ gbp £gb pounds"},
		{"JPY", "円 jpy 円(税込) jp¥ yen"}, {"CNY", "元 人民币 rmb cn¥ cny 圆"}, {"KRW", "₩ 원 krw"}, {"INR", "₹ inr rupees"},
		{"BRL", "r$ brl reais"},
		{"PLN", "zł pln złotych złote zl"}, {"CZK", "kč kc czk"}, {"HUF", "ft huf"}, {"RON", "lei ron"},
		{"BGN", "лв лв. bgn"}, {"RUB", "₽ руб руб. рублей rub р. рубля"},
		{"UAH", "₴ грн грн. uah гривень"}, {"TRY", "₺ tl try"}, {"CHF", "chf fr. sfr sfr."}, {"SEK", "sek"},
		{"DKK", "dkk"}, {"NOK", "nok"}, {"ISK", "isk"},
		{"CAD", "ca$ c$ cad cdn$ can$ cad$"}, {"AUD", "a$ au$ aud aud$"}, {"NZD", "nz$ nzd"}, {"MXN", "mx$ mxn mex$"},
		{"HKD", "hk$ hkd"}, {"TWD", "nt$ twd ntd 新台幣 新臺幣 nt"}, {"SGD", "s$ sg$ sgd"},
		{"ARS", "ar$ ars"}, {"CLP", "clp clp$"}, {"COP", "cop cop$ col$"}, {"PEN", "s/ s/. pen"}, {"UYU", "$u uyu"},
		{"ILS", `₪ ils ש"ח nis`}, {"THB", "฿ thb บาท"}, {"VND", "₫ đ vnd vnđ đồng"},
		{"IDR", "rp rp. idr"}, {"MYR", "rm myr"}, {"PHP", "₱ php"}, {"ZAR", "zar"}, {"AED", "aed د.إ درهم"},
		{"SAR", "sar ر.س ريال"}, {"EGP", "egp ج.م جنيه"}, {"KZT", "₸ kzt тг"}, {"GEL", "₾ gel"}, {"NGN", "₦ ngn"},
		{"KES", "ksh kes"}, {"RSD", "rsd din."}, {"AZN", "₼ azn"}, {"CRC", "₡ crc"}, {"PYG", "₲ pyg"},
		{"GHS", "gh₵ ghs"}, {"BDT", "৳ bdt"}, {"IRR", "تومان irr"}, {"PKR", "pkr"}, {"LKR", "lkr"}, {"MOP", "mop$"},
		{"?$", "$ ＄ dollar"}, {"?kr", "kr kr. kronor kroner :-"}, {"?¥", "¥ ￥"}, {"?rs", "rs rs."}, {"?r", "r"},
	} {
		for sign := range strings.FieldsSeq(row.signs) {
			signs[fold(sign)] = row.code
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
	{"?kr", "", "da", "DKK"}, {"?kr", "", "nb", "NOK"}, {"?kr", "", "", "SEK"},
	{"?¥", "cn", "", "CNY"}, {"?¥", "jp", "", "JPY"}, {"?¥", "", "zh", "CNY"}, {"?¥", "", "", "JPY"},
	{"?rs", "pk", "", "PKR"}, {"?rs", "lk", "", "LKR"}, {"?rs", "", "", "INR"},
	{"?r", "za", "", "ZAR"},
}

// safeCodes are codes that are no words of any language, so that they count in lower case as well.
const safeCodes = " eur usd gbp chf pln czk sek nok dkk cad aud jpy brl inr mxn huf "
