package link

import (
	"net/url"
	"strings"
)

// trackers are hosts of services that count clicks for senders, and lead on to the page that the text names.
var trackers = map[string]bool{
	"sendgrid.net": true, "list-manage.com": true, "mailchimp.com": true, "mandrillapp.com": true, "awstrack.me": true,
	"hubspotlinks.com": true, "hubspotlinksfree.com": true, "hubspotemail.net": true, "hs-sites.com": true,
	"klclick.com": true, "klclick1.com": true, "klclick2.com": true, "klclick3.com": true, "kmail-lists.com": true,
	"customeriomail.com": true, "exacttarget.com": true, "sfmc-content.com": true, "rs6.net": true,
	"constantcontact.com": true, "mailgun.org": true, "mailgun.net": true, "mjt.lu": true, "mailjet.com": true,
	"sendibm1.com": true, "sendibt2.com": true, "sendibt3.com": true, "sendinblue.com": true, "brevo.com": true,
	"createsend.com": true, "createsend1.com": true, "cmail19.com": true, "cmail20.com": true, "infusionsoft.com": true,
	"activehosted.com": true, "emlnk.com": true, "emlnk1.com": true, "acemlnb.com": true, "convertkit-mail.com": true,
	"convertkit-mail2.com": true, "convertkit-mail3.com": true, "pardot.com": true, "mktoweb.com": true,
	"marketo.com": true, "eloqua.com": true, "beehiiv.com": true, "mlsend.com": true, "mailerlite.com": true,
	"getresponse.com": true, "getresponse360.com": true, "aweber.com": true, "intercom-mail.com": true,
	"intercom-clicks.com": true, "intercom-links.com": true, "iterable.com": true, "braze.com": true,
	"sparkpostmail.com": true, "postmarkapp.com": true, "pstmrk.it": true, "cleverreach.com": true,
	"rapidmail.de": true,
	"emarsys.net":  true, "inxmail.com": true, "newsletter2go.com": true, "mailpoet.com": true, "drip.com": true,
	"dripemail2.com": true, "omnisend.com": true, "omnisendlink.com": true, "responsys.net": true,
	"dotdigital.com":   true,
	"elasticemail.com": true, "unisender.com": true, "resend-links.com": true, "vero.co": true,
}

// wrapped are the parameters in which gateways and sites that check links keep where they lead to.
var wrapped = [...]struct{ host, parameter string }{
	{"safelinks.protection.outlook.com", "url"}, {"urldefense.proofpoint.com", "u"}, {"www.google.com", "q"},
	{"www.google.com", "url"}, {"l.facebook.com", "u"}, {"lm.facebook.com", "u"}, {"l.instagram.com", "u"},
	{"linkprotect.cudasvc.com", "a"}, {"slack-redir.net", "url"}, {"linkedin.com", "url"}, {"t.umblr.com", "z"},
	{"out.reddit.com", "url"}, {"steamcommunity.com", "url"}, {"href.li", "url"},
	{"nam.safelink.emails.azure.net", "url"},
}

// unwrap is where a target leads to that a gateway or a site has wrapped, or the target itself.
func unwrap(target string) string {
	host := hostOf(target)
	if host == "urldefense.com" || host == "urldefense.us" {
		if _, rest, ok := strings.Cut(target, "/__"); ok { // https://urldefense.com/v3/__https://example.com/__;!!x
			inside, _, _ := strings.Cut(rest, "__;")
			return absolute(inside, target)
		}
	}
	if strings.HasSuffix(host, ".awstrack.me") {
		if _, rest, ok := strings.Cut(target, "/L0/"); ok {
			inside, _, _ := strings.Cut(rest, "/")
			return absolute(unescaped(inside), target)
		}
	}
	for _, w := range wrapped {
		if host != w.host && !strings.HasSuffix(host, "."+w.host) {
			continue
		}
		value := parameter(target, w.parameter)
		if w.host == "urldefense.proofpoint.com" { // v2: https-3A__example.com_path
			value = strings.NewReplacer("-3A", ":", "-2F", "/", "__", "//", "_", "/").Replace(value)
		}
		if inside := absolute(value, ""); inside != "" {
			return inside
		}
	}
	return target
}

// absolute is an address of a page, or else the other.
func absolute(inside, other string) string {
	if schemeLength(inside) > 0 {
		return inside
	}
	return other
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// parameter is the first value of a parameter of a target.
func parameter(target, name string) string {
	_, query, _ := strings.Cut(target, "?")
	query, _, _ = strings.Cut(query, "#")
	for pair := range strings.SplitSeq(query, "&") {
		if value, ok := strings.CutPrefix(strings.TrimPrefix(pair, "amp;"), name+"="); ok {
			return unescaped(value)
		}
	}
	return ""
}

// sameOrganization tells of short domains that organizations have next to their own.
func sameOrganization(a, b string) bool {
	return a == b || owner(a) == owner(b)
}

// shortDomains are such domains.
var shortDomains = map[string]string{
	"youtu.be": "youtube.com", "fb.me": "facebook.com", "fb.com": "facebook.com", "m.me": "facebook.com",
	"lnkd.in": "linkedin.com", "amzn.to": "amazon.com", "amzn.eu": "amazon.com", "a.co": "amazon.com",
	"amzn.asia": "amazon.com", "t.co": "x.com", "twitter.com": "x.com", "wa.me": "whatsapp.com", "t.me": "telegram.org",
	"apple.co": "apple.com", "spoti.fi": "spotify.com", "redd.it": "reddit.com", "ebay.us": "ebay.com",
	"office.com": "microsoft.com", "microsoftonline.com": "microsoft.com", "live.com": "microsoft.com",
	"aka.ms": "microsoft.com", "1drv.ms": "microsoft.com", "office365.com": "microsoft.com", "g.co": "google.com",
	"goo.gle": "google.com", "paypal.me": "paypal.com", "git.io": "github.com", "nyti.ms": "nytimes.com",
	"amazon.de": "amazon.com", "amazon.co.uk": "amazon.com", "amazon.fr": "amazon.com", "amazon.it": "amazon.com",
	"amazon.es": "amazon.com", "amazon.ca": "amazon.com", "amazon.co.jp": "amazon.com", "ebay.de": "ebay.com",
	"ebay.co.uk": "ebay.com", "google.de": "google.com", "google.co.uk": "google.com", "google.fr": "google.com",
}

func owner(domain string) string {
	if o := shortDomains[domain]; o != "" {
		return o
	}
	return domain
}
