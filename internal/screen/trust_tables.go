package screen

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// brand is a company whose name is taken in vain, and where it sends from.
type brand struct {
	name    string // folded
	domains string // the first labels of its domains, parted by spaces
}

// owns tells whether a registrable domain is one of the company's.
func (b *brand) owns(domain string) bool {
	l := label(domain)
	for d := range strings.FieldsSeq(b.domains) {
		if l == d {
			return true
		}
	}
	return false
}

var brands = []brand{
	{"paypal", "paypal paypal-communication paypal-exchanges"},
	{"amazon", "amazon amazonses amazonaws awscloud amazonpay"},
	{"microsoft", "microsoft microsoftonline office office365 live outlook azure sharepointonline microsoftsupport " +
		"onmicrosoft"},
	{"apple", "apple icloud me applemusic itunes"}, {"google", "google gmail youtube googlemail withgoogle goog " +
		"googleapis"}, {"netflix", "netflix"},
	{"facebook", "facebook facebookmail meta metamail fb"}, {"instagram", "instagram facebookmail"},
	{"whatsapp", "whatsapp facebookmail meta"},
	{"linkedin", "linkedin"}, {"dropbox", "dropbox dropboxmail dropboxsign"}, {"docusign", "docusign"},
	{"github", "github githubapp"},
	{"stripe", "stripe"}, {"coinbase", "coinbase"}, {"binance", "binance"}, {"dhl", "dhl dhl-news dhlparcel"},
	{"fedex", "fedex"}, {"ups", "ups"},
	{"usps", "usps"}, {"wells fargo", "wellsfargo"}, {"bank of america", "bankofamerica bofa"},
	{"chase", "chase jpmorgan"}, {"hsbc", "hsbc"},
	{"barclays", "barclays barclaycard"}, {"american express", "americanexpress aexp amex"}, {"revolut", "revolut"},
	{"ebay", "ebay"},
	{"walmart", "walmart"}, {"adobe", "adobe adobesign echosign"}, {"zoom", "zoom"}, {"slack", "slack slack-mail"},
	{"spotify", "spotify"},
	{"steam", "steampowered steamcommunity valvesoftware"}, {"airbnb", "airbnb"}, {"uber", "uber"},
	{"booking.com", "booking"}, {"openai", "openai chatgpt"},
	{"deutsche bank", "deutsche-bank db"}, {"sparkasse", "sparkasse s-finanzgruppe"}, {"ing", "ing ing-diba"},
	{"santander", "santander gruposantander"},
	{"bnp paribas", "bnpparibas"}, {"la poste", "laposte"}, {"correos", "correos"}, {"royal mail", "royalmail"},
	{"metamask", "metamask consensys"},
	{"shopify", "shopify shopifyemail"}, {"intuit", "intuit"}, {"quickbooks", "intuit quickbooks"},
	{"mercado libre", "mercadolibre mercadopago"},
	{"alibaba", "alibaba"}, {"rakuten", "rakuten"}, {"x.com", "x twitter"}, {"twitter", "twitter x"},
	{"tiktok", "tiktok"}, {"telegram", "telegram"},
}

// brandsBy are the brands by their first byte.
var brandsBy = func() (by [256][]brand) {
	for _, b := range brands {
		by[b.name[0]] = append(by[b.name[0]], b)
	}
	return by
}()

// freeMail are domains where everybody can have an address.
var freeMail = map[string]bool{
	"gmail.com": true, "googlemail.com": true, "outlook.com": true, "hotmail.com": true, "live.com": true,
	"yahoo.com": true, "yahoo.co.uk": true,
	"yahoo.fr": true, "yahoo.de": true, "yahoo.co.jp": true, "icloud.com": true, "me.com": true, "aol.com": true,
	"gmx.de": true, "gmx.net": true,
	"gmx.com": true, "web.de": true, "mail.com": true, "mail.ru": true, "yandex.ru": true, "yandex.com": true,
	"proton.me":      true,
	"protonmail.com": true, "qq.com": true, "163.com": true, "126.com": true, "naver.com": true, "zoho.com": true,
	"orange.fr": true,
	"free.fr":   true, "laposte.net": true, "libero.it": true, "hotmail.fr": true, "hotmail.co.uk": true,
	"tutanota.com": true, "t-online.de": true,
	"msn.com": true, "inbox.ru": true, "bk.ru": true, "ukr.net": true, "wp.pl": true, "o2.pl": true, "seznam.cz": true,
	"fastmail.com": true,
}

// executable are the endings of files that run when they are opened.
var executable = map[string]bool{
	"exe": true, "scr": true, "bat": true, "cmd": true, "com": true, "pif": true, "vbs": true, "vbe": true, "js": true,
	"jse": true, "wsf": true,
	"wsh": true, "hta": true, "msi": true, "msp": true, "ps1": true, "jar": true, "lnk": true, "cpl": true, "reg": true,
	"iso": true, "img": true,
	"vhd": true, "apk": true, "dmg": true, "pkg": true, "app": true, "scf": true, "chm": true, "gadget": true,
	"dll": true, "one": true, "xll": true,
	"docm": true, "xlsm": true, "pptm": true, "dotm": true, "url": true, "appx": true, "msix": true,
}

// document are the endings of files that people expect.
var document = map[string]bool{
	"pdf": true, "doc": true, "docx": true, "xls": true, "xlsx": true, "ppt": true, "pptx": true, "jpg": true,
	"jpeg": true, "png": true, "gif": true,
	"txt": true, "csv": true, "rtf": true, "odt": true, "zip": true, "mp3": true, "mp4": true, "mov": true,
	"heic": true, "eml": true,
}

// withoutAccent is the letter without what stands on it.
func withoutAccent(c rune) rune {
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(c)))
	return base
}
