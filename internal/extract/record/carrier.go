package record

import (
	"slices"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// carrier is who brings parcels: what it is called, where its pages are, and what its numbers look like.
type carrier struct {
	name    string
	names   string // in text, folded, parted by commas
	domains string // parted by spaces
	shapes  []shape
}

// carriers are in the order in which they are believed where a number could be of several.
var carriers = []carrier{
	{"UPS", "ups, united parcel service", "ups.com", []shape{{"1Z *15 #1", upsCheck, true},
		{"[AHJKTV] #10", ontracCheck, false}}},
	{"USPS", "usps, united states postal service, u.s. postal service", "usps.com", []shape{
		{"9 [12345] #20", gs1Check, true}, {"420 #5 9 [12345] #20", uspsRouted, true},
		{"420 #9 9 [12345] #20", uspsRouted, true}, {"9 [2345] #24", gs1Check, true}, {"[07] #19", gs1Check, false},
		{"7 #19", uspsImplied, false}, {"@2 #9 US", s10Check, true}}},
	{"FedEx", "fedex, federal express", "fedex.com", []shape{
		{"#12", fedexCheck, false}, {"#15", gs1Check, false}, {"96 #20", lastFifteen, true},
		{"#34", lastFourteen, true}, {"#20", gs1Check, false}, {"DT #12", nil, true}, {"00 #16", lastSixteen, false}}},
	{"Amazon Logistics", "amazon logistics, amzl, amazon shipping", "amazon.com amazon.de amazon.co.uk amazon.fr " +
		"amazon.it amazon.es amazon.ca amazon.co.jp amazon.in amazon.com.mx amazon.com.br amazon.nl amazon.se " +
		"amazon.pl amazon.com.au track.amazon.com", []shape{
		{"TB [ACM] #12", nil, true}, {"[AFC] #10", nil, false}, {"Q [AB] #10", nil, false}, {"@2 #10", nil, false}}},
	{"Yodel", "yodel", "yodel.co.uk yodeldirect.co.uk", []shape{{"JD 000 #13", nil, true}, {"JJD 000 #13", nil, true}}},
	{"DHL", "dhl, dhl express, dhl paket, dhl parcel, dhl ecommerce, deutsche post",
		"dhl.de dhl.com dhl.co.uk dhl.nl dhl.fr dhl.es dhl.pl dhl.it deutschepost.de dhlparcel.nl dhlparcel.co.uk " +
			"dhlecommerce.nl", []shape{
			{"00340 #15", gs1Check, true}, {"JJD #8-20", nil, true}, {"JVGL #8-20", nil, true},
			{"JD #16-18", nil, true},
			{"GM #10-20", nil, true}, {"@2 #9 DE", s10Check, true},
			{"#10", mod7Check, false}, {"#11", mod7Check, false}, {"#12", identCheck, false},
			{"#14", identCheck, false},
			{"#14", nil, false}, {"GM *16-37", nil, false}}},
	{"DPD", "dpd, dpd group, dynamic parcel distribution", "dpd.de dpd.com dpd.co.uk dpd.fr dpd.nl dpd.com.pl " +
		"dpdgroup.com dpdlocal.co.uk dpd.ie", []shape{{"#27 *1", mod37Check, true}, {"#14 *1", mod37Check, false},
		{"#14", nil, false}}},
	{"GLS", "gls, gls group, general logistics systems, gls spain, gls italy", "gls-group.eu gls-group.com " +
		"gls-pakete.de gls-italy.com gls-spain.es gls-one.de", []shape{{"#11", nil, false}, {"#12", nil, false},
		{"@1 *7", nil, false}, {"@2 #9", nil, false}}},
	{"Evri", "evri", "evri.com", []shape{{"[HTCEP] 00 *13", nil, true}, {"#16", nil, false}}},
	{"Hermes", "hermes germany, hermes paketdienst, hermes, myhermes", "myhermes.de hermesworld.com myhermes.co.uk " +
		"hermes-europe.co.uk hermesgermany.com", []shape{{"H 10 #17", nil, true}, {"#14", nil, false},
		{"#16", nil, false}}},
	{"Royal Mail", "royal mail", "royalmail.com", []shape{{"@2 #9 GB", s10Check, true}}},
	{"Parcelforce", "parcelforce, parcelforce worldwide", "parcelforce.com", []shape{{"P @1 #9 GB", s10Check, true},
		{"@2 #7", nil, false}}},
	{"Colissimo", "colissimo", "colissimo.fr", []shape{{"[56789] @1 #11", nil, true}}},
	{"Chronopost", "chronopost", "chronopost.fr", []shape{{"X @1 #9 @2", nil, false}, {"#15", nil, false}}},
	{"La Poste", "la poste", "laposte.fr", []shape{{"@2 #9 FR", s10Check, true}, {"[56789] @1 #11", nil, false}}},
	{"Mondial Relay", "mondial relay", "mondialrelay.fr mondialrelay.com",
		[]shape{{"#8", nil, false}, {"#10", nil, false}, {"#12", nil, false}}},
	{"Canada Post", "canada post, postes canada", "canadapost.ca canadapost-postescanada.ca",
		[]shape{{"@2 #9 CA", s10Check, true}, {"#16", gs1Check, false}}},
	{"Purolator", "purolator", "purolator.com", []shape{{"[012345] #11", luhnCheck, false}, {"@3 #9", nil, false}}},
	{"Australia Post", "australia post, auspost, startrack", "auspost.com.au startrack.com.au",
		[]shape{{"@2 #9 AU", s10Check, true}, {"@3 #7-9", nil, false}, {"*4-5 #7-10", nil, false},
			{"#20-23", nil, false}}},
	{"NZ Post", "nz post, new zealand post", "nzpost.co.nz", []shape{{"@2 #9 NZ", s10Check, true}}},
	{"Yamato", "ヤマト運輸, クロネコヤマト, ヤマト, yamato, yamato transport, 宅急便, 黑貓宅急便", "kuronekoyamato.co.jp",
		[]shape{{"#12", mod7Check, false}}},
	{"Sagawa", "佐川急便, 佐川, sagawa, sagawa express, 飛脚宅配便", "sagawa-exp.co.jp", []shape{{"#12", mod7Check, false}}},
	{"Japan Post", "日本郵便, 郵便局, ゆうパック, japan post, クリックポスト, ゆうパケット, レターパック", "japanpost.jp",
		[]shape{{"@2 #9 JP", s10Check, true}, {"#12", mod7Check, false}, {"#11", nil, false}}},
	{"SF Express", "顺丰, 顺丰速运, 順豐, 順豐速運, sf express", "sf-express.com", []shape{{"SF #12-15", nil, true},
		{"#12", nil, false}, {"#15", nil, false}}},
	{"YunExpress", "yunexpress, 云途", "yuntrack.com yunexpress.com", []shape{{"YT #16", nil, true}}},
	{"YTO Express", "圆通, 圆通速递, yto", "yto.net.cn", []shape{{"YT #13", nil, true}}},
	{"JD Logistics", "京东物流, 京东快递, jd logistics", "jdl.com jdwl.com", []shape{{"JD @1 #12", nil, true},
		{"JD #13", nil, true}}},
	{"ZTO Express", "中通, 中通快递, zto", "zto.com", []shape{{"#12-15", nil, false}}},
	{"STO Express", "申通, 申通快递", "sto.cn", []shape{{"77 #13", nil, false}, {"#12-15", nil, false}}},
	{"Yunda", "韵达, 韵达快递", "yundaex.com", []shape{{"#13", nil, false}, {"#15", nil, false}}},
	{"Cainiao", "菜鸟, cainiao", "cainiao.com", []shape{{"LP #14", nil, true}}},
	{"China Post", "中国邮政, china post, 邮政快递", "chinapost.com.cn ems.com.cn", []shape{{"@2 #9 CN", s10Check, true},
		{"#13", nil, false}}},
	{"4PX", "4px, 递四方", "4px.com", []shape{{"4PX *10-24", nil, true}}},
	{"Correos", "correos, correos express", "correos.es correosexpress.com", []shape{{"@2 #9 ES", s10Check, true},
		{"P [KQXSL] *21", nil, true}, {"#16", nil, false}}},
	{"SEUR", "seur", "seur.com", []shape{{"#8-14", nil, false}}},
	{"MRW", "mrw", "mrw.es", []shape{{"#12", nil, false}}},
	{"PostNL", "postnl", "postnl.nl postnl.post", []shape{{"3S *9-15", nil, true}, {"@2 #9 NL", s10Check, true}}},
	{"bpost", "bpost", "bpost.be bpost.cloud", []shape{{"3232 #20", nil, true}, {"@2 #9 BE", s10Check, true}}},
	{"TNT", "tnt, tnt express", "tnt.com tnt.fr tnt.it", []shape{{"G [DE] #9 WW", nil, true}, {"#9", nil, false},
		{"@2 #9 WW", nil, true}}},
	{"OnTrac", "ontrac", "ontrac.com", []shape{{"[CD] #14", ontracCheck, true}}},
	{"LaserShip", "lasership", "lasership.com", []shape{{"1LS *12", nil, true}, {"L [AIEHNX] [123] #7", nil, false}}},
	{"Canpar", "canpar", "canpar.com canpar.ca", []shape{{"[CDKLSUXZ] #21", nil, true}}},
	{"GOFO", "gofo", "gofoexpress.com", []shape{{"GFUS #14", nil, true}}},
	{"Spee-Dee", "spee-dee, speedee delivery", "speedeedelivery.com", []shape{{"SP #18", nil, true}}},
	{"Old Dominion", "old dominion freight line, old dominion", "odfl.com", []shape{{"#11", luhnCheck, false}}},
	{"Landmark Global", "landmark global", "landmarkglobal.com", []shape{{"LTN #8 N1", nil, true}}},
	{"InPost", "inpost, paczkomat", "inpost.pl inpost.co.uk", []shape{{"#24", nil, false}}},
	{"Poczta Polska", "poczta polska, pocztex", "poczta-polska.pl", []shape{{"@2 #9 PL", s10Check, true},
		{"00590 #15", gs1Check, true}}},
	{"PostNord", "postnord", "postnord.se postnord.dk postnord.no postnord.com", []shape{{"@2 #9 SE", s10Check, true},
		{"@2 #9 DK", s10Check, true}, {"00 #18", gs1Check, false}, {"#17-20", nil, false}}},
	{"Posten", "posten, bring", "posten.no bring.no bring.com", []shape{{"@2 #9 NO", s10Check, true},
		{"#17-18", nil, false}}},
	{"Posti", "posti", "posti.fi", []shape{{"JJFI #17", nil, true}, {"@2 #9 FI", s10Check, true}}},
	{"Matkahuolto", "matkahuolto", "matkahuolto.fi", []shape{{"MH *8-20", nil, false}}},
	{"Poste Italiane", "poste italiane, sda", "poste.it sda.it", []shape{{"@2 #9 IT", s10Check, true},
		{"*13", nil, false}}},
	{"BRT", "brt, bartolini", "brt.it", []shape{{"#12", nil, false}, {"#15", nil, false}, {"#19", nil, false}}},
	{"Swiss Post", "schweizerische post, die post schweiz, la poste suisse, swiss post, schweizer post", "post.ch",
		[]shape{{"99 #16", nil, false}, {"@2 #9 CH", s10Check, true}}},
	{"Austrian Post", "österreichische post, austrian post", "post.at", []shape{{"@2 #9 AT", s10Check, true},
		{"10 #20", nil, false}}},
	{"Česká pošta", "ceska posta, balikovna", "ceskaposta.cz postaonline.cz balikovna.cz",
		[]shape{{"@2 #9 CZ", s10Check, true}, {"@2 #10 @1", nil, false}}},
	{"Packeta", "packeta, zasilkovna", "packeta.com zasilkovna.cz packeta.sk", []shape{{"Z #10", nil, true}}},
	{"Correios", "correios", "correios.com.br", []shape{{"@2 #9 BR", s10Check, true}}},
	{"CTT", "ctt, ctt expresso", "ctt.pt", []shape{{"@2 #9 PT", s10Check, true}}},
	{"PTT", "ptt kargo, ptt", "ptt.gov.tr", []shape{{"@2 #9 TR", s10Check, true}, {"#13", nil, false}}},
	{"Yurtiçi Kargo", "yurtici kargo, yurtici", "yurticikargo.com", []shape{{"#10-13", nil, false}}},
	{"Aras Kargo", "aras kargo", "araskargo.com.tr", []shape{{"#10-13", nil, false}}},
	{"MNG Kargo", "mng kargo", "mngkargo.com.tr", []shape{{"#9-13", nil, false}}},
	{"Russian Post", "почта россии, russian post", "pochta.ru", []shape{{"@2 #9 RU", s10Check, true},
		{"#14", gs1Check, false}}},
	{"CDEK", "сдэк, cdek", "cdek.ru", []shape{{"#10", nil, false}}},
	{"Nova Poshta", "нова пошта, nova poshta, новая почта", "novaposhta.ua novapost.com",
		[]shape{{"[25] #13", nil, false}}},
	{"Korea Post", "우체국택배, 우체국, korea post", "epost.go.kr koreapost.go.kr", []shape{{"@2 #9 KR", s10Check, true},
		{"#13", nil, false}}},
	{"CJ Logistics", "cj대한통운, 대한통운, cj logistics", "cjlogistics.com doortodoor.co.kr", []shape{{"#10", nil, false},
		{"#12", nil, false}}},
	{"Hanjin", "한진택배", "hanjin.co.kr hanjin.com", []shape{{"#10", nil, false}, {"#12", nil, false}}},
	{"Lotte Global Logistics", "롯데택배, 롯데글로벌로지스", "lotteglogis.com", []shape{{"#12", nil, false}}},
	{"India Post", "india post, speed post", "indiapost.gov.in", []shape{{"@2 #9 IN", s10Check, true}}},
	{"Delhivery", "delhivery", "delhivery.com", []shape{{"#13-14", nil, false}}},
	{"Blue Dart", "blue dart, bluedart", "bluedart.com", []shape{{"#11", nil, false}}},
	{"Aramex", "aramex", "aramex.com", []shape{{"#10-12", nil, false}}},
	{"Estafeta", "estafeta", "estafeta.com", []shape{{"#22", nil, false}, {"#10", nil, false}}},
	{"An Post", "an post", "anpost.com anpost.ie", []shape{{"@2 #9 IE", s10Check, true}}},
	{"SingPost", "singpost", "singpost.com", []shape{{"@2 #9 SG", s10Check, true}}},
	{"Hongkong Post", "hongkong post, 香港郵政", "hongkongpost.hk", []shape{{"@2 #9 HK", s10Check, true}}},
	{"Ninja Van", "ninja van, ninjavan", "ninjavan.co", []shape{{"NV @2 *6-14", nil, true}}},
	{"J&T Express", "j&t express, j&t", "jtexpress.my jet.co.id jtexpress.ph",
		[]shape{{"J [PTXZOD] #10-12", nil, false}}},
	{"JNE", "jne", "jne.co.id", []shape{{"*12-16", nil, false}}},
	{"Omniva", "omniva", "omniva.ee omniva.lt omniva.lv", []shape{{"@2 #9 EE", s10Check, true}}},
	{"Magyar Posta", "magyar posta", "posta.hu", []shape{{"@2 #9 HU", s10Check, true}}},
	{"FAN Courier", "fan courier", "fancourier.ro", []shape{{"#10-13", nil, false}}},
	{"Sameday", "sameday, easybox", "sameday.ro", []shape{{"1 #10-12", nil, false}}},
	{"ELTA", "ελτα, ελτα courier, elta", "elta.gr elta-courier.gr", []shape{{"@2 #9 GR", s10Check, true}}},
	{"Ukrposhta", "укрпошта, ukrposhta", "ukrposhta.ua", []shape{{"@2 #9 UA", s10Check, true}}},
	{"", "", "", []shape{{"@2 #9 @2", s10Check, false}}}, // the post of another country
}

// uspsImplied is the check of a number whose first two digits are left out.
func uspsImplied(s string) bool { return gs1Check("91" + s) }

// lastSixteen is GS1's check without the two digits that name the kind of container.
func lastSixteen(s string) bool { return gs1Check(s[2:]) }

// uspsRouted is the check of a number with the routing code for the address before it.
func uspsRouted(s string) bool { return gs1Check(s[len(s)-22:]) }

// guess is a carrier whose number one could be.
type guess struct {
	carrier int // index
	checked bool
	strong  bool
}

// identify returns the carriers that have such numbers, the surest first.
func identify(number string) []guess {
	var list []guess
	if len(number) < 8 || len(number) > 40 || countDigits(number) < 5 {
		return nil
	}
	for i, c := range carriers {
		for _, s := range c.shapes {
			if s.fits(number) {
				list = append(list, guess{i, s.check != nil, s.strong})
				break
			}
		}
	}
	slices.SortStableFunc(list, func(a, b guess) int { return b.weight() - a.weight() })
	return list
}

func (g guess) weight() int { return 2*b2i(g.strong) + b2i(g.checked) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// soleCarrier returns the carrier of a number that can be nobody else's.
func soleCarrier(list []guess) string {
	if len(list) > 0 && list[0].strong {
		return carriers[list[0].carrier].name
	}
	return ""
}

// carrierNames finds the names of carriers. What a name means is the carrier's number, counted from one.
var carrierNames = sync.OnceValue(func() *lexicon.Table {
	s := lexicon.Section{Means: map[string]meaning{}, Fold: appendPhrase}
	return s.CompileLists(func(yield func(lexicon.List) bool) {
		for i, c := range carriers {
			s.Means[c.name] = meaning(i + 1)
			if !yield(lexicon.List{Name: c.name, Phrases: c.names}) {
				return
			}
		}
	})
})

// carriersIn returns the carriers that are named in a folded text. A name inside a longer one with dashes is none.
func carriersIn(folded string) []int {
	var list []int
	for _, h := range find(carrierNames(), nil, folded) {
		if h.from > 0 && folded[h.from-1] == '-' || h.to < len(folded) && (folded[h.to] == '@' ||
			folded[h.to] == '\'' && carriers[h.means-1].name == "UPS") {
			continue
		}
		list = append(list, int(h.means)-1)
	}
	return list
}

// carrierName returns the usual name of a carrier; what is not known stays as it is.
func carrierName(s string) string {
	if list := carriersIn(fold(s)); len(list) > 0 {
		return carriers[list[0]].name
	}
	return plainValue(s)
}

// carrierDomains returns the carriers by their domains.
var carrierDomains = sync.OnceValue(func() map[string]int {
	table := map[string]int{}
	for i, c := range carriers {
		for d := range strings.FieldsSeq(c.domains) {
			table[d] = i
		}
	}
	return table
})

// carrierAt returns the carrier whose domain it is, -1 if there is none.
func carrierAt(host string) int {
	for host != "" {
		if i, ok := carrierDomains()[host]; ok {
			return i
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return -1
}
