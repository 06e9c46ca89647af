package link

type parameterKind uint8

const (
	namesOther   parameterKind = iota
	namesSecret                // its value is what opens the door
	namesAction                // its value is what happens
	namesPage                  // its value is where a wrapper leads
	namesNothing               // it is of no matter here, but may look like a secret
)

// parameterKinds are the names of parameters that matter.
var parameterKinds = map[string]parameterKind{
	"token": namesSecret, "code": namesSecret, "key": namesSecret, "ticket": namesSecret, "otp": namesSecret,
	"oobcode": namesSecret, "hash": namesSecret, "secret": namesSecret, "jwt": namesSecret, "t": namesSecret,
	"k": namesSecret, "c": namesSecret, "sig": namesSecret, "signature": namesSecret, "nonce": namesSecret,
	"auth": namesSecret, "pin": namesSecret, "otc": namesSecret, "digest": namesSecret,

	"type": namesAction, "action": namesAction, "mode": namesAction, "flow": namesAction, "purpose": namesAction,
	"intent": namesAction, "do": namesAction, "op": namesAction, "cmd": namesAction, "route": namesAction,
	"view": namesAction, "event": namesAction, "stytch_token_type": namesAction, "token_type": namesAction,
	"page": namesAction, "task": namesAction, "event_type": namesAction,

	"url": namesPage, "u": namesPage, "q": namesPage, "target": namesPage, "link": namesPage, "href": namesPage,
	"a": namesPage, "goto": namesPage,

	"utm_source": namesNothing, "utm_medium": namesNothing, "utm_campaign": namesNothing, "utm_content": namesNothing,
	"utm_term": namesNothing, "utm_id": namesNothing, "redirect": namesNothing, "redirect_to": namesNothing,
	"redirect_uri": namesNothing, "redirect_url": namesNothing, "next": namesNothing, "return_to": namesNothing,
	"returnurl": namesNothing, "return_url": namesNothing, "continue": namesNothing, "continueurl": namesNothing,
	"callback": namesNothing, "lang": namesNothing, "locale": namesNothing, "ref": namesNothing, "source": namesNothing,
	"fbclid": namesNothing, "gclid": namesNothing, "mc_cid": namesNothing, "mc_eid": namesNothing,
	"theme": namesNothing,
}
