package report

// reason is a group of ways to say why.
type reason struct {
	status string // what RFC 3463 has for it
	hard   bool
	weak   bool // hard only where it is the recipient that was refused
	words  []string
}

// reasons are looked through from the top; the first one found decides. What is in one mail is often worded like
// two of them: a full mailbox is "unavailable", and an unknown user's rejection mentions spam.
var reasons = [...]reason{
	// A group that may not exist or may not be open: its system does not say which.
	{status: "5.7.2", words: []string{"google groups", "groups.google.com", "not a member", "not member", "subscribers only", "posting to"}},
	// Full: it may be emptied.
	{status: "5.2.2", words: []string{
		"mailbox full", "mailbox is full", "mailbox was full", "mail box full", "mail box is full", "mailfolder is full", "inbox is full",
		"inbox full", "account is full", "mail folder is full", "mailbox for user is full", "storage full", "spool is full", "user is full",
		"full mailbox", "quota", "storage limit", "out of storage", "exceeded storage", "exceeded its storage", "exceeded the storage",
		"not enough storage", "insufficient storage", "insufficient system storage", "no space left", "not enough space", "enough disk",
		"insufficient disk", "disk full", "disk is full", "disk space", "diskspace", "mailbox size limit", "mailbox has exceeded",
		"mailbox exceeds", "mailbox would exceed", "maximum mailbox size", "exceeds its maximum", "exceed its maximum allowed",
		"does not have enough space", "enough free space", "mailbox too large", "too much mail", "has exceeded the limit",
		"maximum number of messages", "postfach voll", "postfach ist voll", "mailbox voll", "boîte pleine", "boite pleine", "est pleine",
		"buzón lleno", "buzon lleno", "buzón está lleno", "bandeja de entrada llena", "casella piena", "casella di posta piena",
		"caixa cheia", "caixa de correio cheia", "caixa postal cheia", "skrzynka jest pełna", "skrzynka pełna", "ящик переполнен",
		"переполнен", "メールボックスが一杯", "メールボックスがいっぱい", "容量", "邮箱已满", "邮箱空间", "信箱已滿", "가득",
	}},
	// Disabled: its owner may come back to it. What is closed for good says so, and is further down.
	{status: "5.2.1", words: []string{
		"disabled", "inactive", "not active", "isn't active", "suspended", "suspension", "deactivated", "frozen", "account is locked",
		"temporary locked", "temporarily locked", "mailbox locked", "mailbox is locked", "user locked", "account locked", "account is blocked",
		"mailbox is blocked", "mailbox blocked", "account blocked", "compte du destinataire est bloque", "not currently accepting mail",
		"not accepting messages", "not accepting mail", "mailbox currently unavailable", "mailbox is currently unavailable",
		"mailbox temporarily", "account temporarily", "account is temporarily", "account expired", "expired account", "dormant", "停止",
		"заблокирован", "отключен", "deaktiviert", "gesperrt", "désactivé", "deshabilitad", "desativad", "disattivat",
	}},
	// The sender: what is "not found" in these is not the recipient.
	{status: "5.1.8", words: []string{
		"sender address", "sender domain", "sender verify", "sender rejected", "sender denied", "sender unknown", "sender not", "sender is",
		"sender policy", "sender id", "invalid sender", "bad sender", "unknown sender", "envelope sender", "envelope-from", "sender's", "from address",
		"mail from", "return path", "return-path", "client host", "your host", "your reverse", "your domain", "your mail server", "your server",
		"reverse dns", "reverse hostname", "reverse-dns", "rdns", "ptr ", "helo ", "ehlo ", "spf ", "spf:", "dmarc", "dkim", "domainkeys",
		"authentication information", "authentication checks", "not allowed to send",
	}},
	// Moved.
	{status: "5.1.6", hard: true, words: []string{
		"no longer on server", "has moved", "recipient moved", "has changed address", "address has changed", "new address is",
		"please forward to", "adresse a changé",
	}},
	// No such user, in words that mean nothing else.
	{status: "5.1.1", hard: true, words: []string{
		"doesn't have a yahoo", "doesn't have an account", "does not have an account", "doesn't have a account", "no account by",
		"account that you tried to reach does not exist", "account does not exist", "no longer exist", "account has been deleted",
		"account deleted", "mailbox deleted", "account closed", "account has been closed", "has been terminated", "discontinued",
		"recipnotfound", "recipientnotfound", "recipient name is not recognized", "not listed in", "not found in directory",
		"no longer employed", "no longer works", "no longer with", "has left the company", "couldn't be found", "wasn't found",
		"no mailbox here", "there is no one at this address", "no one by that name", "nobody by that name", "not our customer",
		"no longer valid", "no longer available", "not a known user", "unrouteable address", "unroutable address", "the address you entered",
		"remote server returned unknown recipient", "user unknown in", "addressee unknown", "unknown addressee", "e-mail address was not found",
		"email address you entered", "email address wasn't found", "unknown or illegal", "may not exist", "is not a valid mailbox", "invalid final delivery userid",
		"nonexistent user", "non-existent user",
	}},
	// No such domain, or one that takes no mail.
	{status: "5.1.2", hard: true, words: []string{
		"host unknown", "unknown host", "host not found", "domain not found", "domain name not found", "no such host", "no such domain",
		"nxdomain", "unknown domain", "domain does not exist", "domain doesn't exist", "non-existent domain", "nonexistent domain",
		"non-existent hosts", "name or service not known", "bad destination host", "bad destination system", "invalid domain",
		"invalid host name", "domain is not reachable", "couldn't find any host", "could not find any host", "couldn't find a mail exchanger",
		"lookups failed permanently", "does not accept mail", "doesn't accept mail", "no smtp service", "null mx", "nullmx",
		"doesn't receive email", "does not receive email", "unable to find host", "cannot find host", "can't find host", "host name not found",
		"no route to domain", "domain has no mx", "unresolvable domain", "domain unknown", "domain invalid", "domaine inconnu",
		"no mx record", "unrouteable mail domain", "unrouteable domain", "dominio no existe", "домен не найден", "域名不存在",
	}},
	// No such user, in words that are also said for other reasons.
	{status: "5.1.1", hard: true, weak: true, words: []string{
		"user unknown", "unknown user", "unknown recipient", "recipient unknown", "unknown address", "address unknown", "unknown mailbox",
		"unknown account", "unknown local part", "unknown local-part", "unknown virtual", "user is unknown", "is unknown", "unknown email",
		"no such user", "no such recipient", "no such mailbox", "no such account", "no such address", "no such person", "no such local",
		"no such email", "no such mail", "no mailbox", "no user", "no recipient", "no valid recipients", "not exist", "doesn't exist",
		"don't exist", "nonexist", "non-exist", "non exist", "user not found", "recipient not found", "address not found",
		"mailbox not found", "account not found", "name not found", "not be found", "was not found", "unable to find", "cannot find",
		"can't find", "could not find", "couldn't find", "invalid recipient", "recipient invalid", "invalid mailbox", "invalid user",
		"invalid address", "invalid account", "address invalid", "bad recipient", "bad destination", "bad address", "not a valid",
		"isn't a valid", "is not valid", "not valid recipient", "not known", "not recognized", "unrecognized", "not a registered",
		"not registered", "mailbox unavailable", "mailbox is unavailable", "mailbox not available", "undeliverable address",
		"not in our", "not local", "not listed", "recipient verify failed", "unverified address", "unknown to", "inconnu", "n'existe pas",
		"invalide", "unbekannt", "existiert nicht", "nicht gefunden", "no existe", "desconocid", "no encontrad", "sconosciut", "inesistent",
		"non esiste", "não existe", "nao existe", "desconhecid", "onbekend", "bestaat niet", "nie istnieje", "nie znalezion", "neexistuje",
		"okänd", "finns inte", "ukendt", "ukjent", "tuntematon", "bilinmeyen", "bulunamadı", "badrcptto", "validrcptto",
		"allowed rcpthosts", "not a local address", "not present in", "recipient rejected", "recipient is not accepted", "recipient not ok",
		"refuses to accept your mail", "no longer accepts mail", "recipient address rejected: access denied", "не существует", "не найден", "нет такого",
		"неизвестн", "не зарегистрирован", "不存在", "无此用户", "查无此", "存在しない", "存在しません", "見つかりません", "宛先不明", "不明",
		"존재하지", "없는 사용자",
	}},
	// The message, the way, and the rest.
	{status: "5.3.4", words: []string{
		"too large", "too big", "size exceed", "exceeds size", "message size", "maximum size", "size limit", "max message size", "message length",
	}},
	{status: "5.4.6", words: []string{"mail loop", "loop", "hop count", "too many hops", `too many "received"`, "too many received"}},
	{status: "4.4.7", words: []string{
		"too long in queue", "in the queue too long", "message expired", "delivery expired", "giving up", "retry time", "retry timeout",
		"could not deliver for the last", "delivery time expired", "queue too long", "message too old", "multiple retries",
	}},
	{status: "4.4.1", words: []string{
		"timed out", "timeout", "time out", "connection refused", "connection reset", "connection dropped", "unable to connect",
		"did not accept our requests to connect", "could not connect", "couldn't connect", "connection lost", "lost connection", "no route to host",
		"network is unreachable", "name server", "dns error", "name service error", "host name lookup failure", "unable to establish",
		"wasn't able to establish", "socket error",
	}},
	{status: "5.7.1", words: refusals},
}

// refusals are said about the message, the sender or its server.
var refusals = []string{
	"spam", "junk", "unsolicited", "virus", "malware", "infected", "phish", "blacklist", "black list", "blocklist", "block list", "blocked",
	"banned", "denylist", "rbl", "dnsbl", "policy", "policies", "reputation", "dmarc", "spf", "dkim", "not authorized", "not authorised",
	"unauthorized", "unauthenticated", "authenticat", "access denied", "access not allowed", "relay", "greylist", "grey list", "graylist",
	"rate limit", "too many", "throttl", "frequency", "reverse dns", "rdns", "ptr record", "content rejected", "message rejected",
	"mail rejected", "message refused", "sender", "header", "attachment", "try again", "try later", "temporar", "deferred", "starttls", "tls ",
	"certificate", "syntax error", "not implemented", "protocol", "restricted", "permission", "not permitted", "not allowed", "members only",
	"moderat", "suspicious", "fraud", "complain", "filter", "security", "service unavailable", "service not available", "not like",
	"denied", "refused", "forbidden", "prohibited", "command",
}
