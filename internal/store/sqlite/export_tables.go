package sqlite

import "strings"

// Keys of one number are two for other stores.
const ofBox = ` >> 32 AS box`

// firstBase is the base of a mailbox's first event.
func firstBase(box string) string {
	return `coalesce((SELECT base FROM bases WHERE bases.box = ` + box + ` ORDER BY bases.seq LIMIT 1),
		(SELECT c.event_base FROM counters c WHERE c.box = ` + box + `))`
}

// seqFor is a Seq for other stores, whose mailboxes have one base: it has a gap where a restore has raised the base.
func seqFor(box, seq string) string {
	return seq + ` + coalesce(coalesce((SELECT base FROM bases WHERE bases.box = ` + box + ` AND bases.seq >= ` + seq +
		` ORDER BY bases.seq LIMIT 1),
		(SELECT c.event_base FROM counters c WHERE c.box = ` + box + `)) - ` + firstBase(box) + `, 0) AS seq`
}

func seqOf(pk string) string { return seqFor(pk+` >> 32`, `(`+pk+` & 4294967295)`) }

// exported are the tables for another store, with what it must know beyond them: the place of a message in the order of
// all is its doc's number. Places grow with Seq within a mailbox (see NotIndexed), so the highest up to a message is
// its own, and that of a mailbox its last message's.
var exported = []Table{
	{Name: "mailboxes", key: []string{"num"}, box: "num", columns: []string{"num", "address", "aliases", "scope",
		"created_at", "expires_at",
		"status", "paused_by", "pause_reason", "paused_at", "hook_url", "hook_failed", "hook_fails", "hook_tried",
		"hook_error", "routed", "domain_owner", "control", "profile", "client", "keyed"}},
	{Name: "addresses", key: []string{"address"}, box: "box", columns: []string{"address", "box"}},
	{Name: "retired", key: []string{"address"}, columns: []string{"address", "at"}},
	{Name: "counters", key: []string{"box"}, box: "box", columns: []string{"box",
		"event_base + seq - " + firstBase("counters.box") + " AS seq", firstBase("counters.box") + " AS event_base",
		"inbound", "outbound", "unseen",
		"bytes", "month", "this_month",
		`coalesce((SELECT doc FROM messages WHERE pk BETWEEN box << 32 AND box << 32 | 4294967295 ORDER BY pk DESC LIMIT 1), 0) AS top`,
		`coalesce((SELECT max(n) FROM hooks WHERE hooks.box = counters.box), 0) AS hooks`}},
	{Name: "purges", key: []string{"box"}, box: "box", columns: []string{"box"}},
	{Name: "keys", key: []string{"digest"}, box: "box", columns: []string{"digest", "id", "box", "scope", "hint",
		"created_at",
		"expires_at", "used_at", "restriction"}},
	{Name: "key_boxes", key: []string{"key", "box"}, box: "box", columns: []string{"key", "box"}},
	{Name: "messages", key: []string{"pk"}, box: "pk >> 32", columns: []string{"pk" + ofBox, seqOf("pk"), "id",
		"thread",
		"doc AS place", "doc AS top", "older", "outbound", "seen", "received_at", "size", "attachments", "status",
		"labels", "from_addr",
		"from_name", "to_addr", "subject", "snippet", "code", "message_id", "recipient", "digest", "taken", "verdict",
		"held"}},
	// One that no message has is of a deleted one, or came before messages were noted.
	{Name: "docs", key: []string{"doc"}, box: "message >> 32",
		where: "EXISTS (SELECT 1 FROM messages WHERE pk = docs.message)",
		columns: []string{"message" + ofBox,
			seqOf("message"), "blob", "packed"}},
	{Name: "part_texts", key: []string{"box", "seq"}, box: "box",
		columns: []string{"box", seqFor("part_texts.box", "part_texts.seq"), "packed"}},
	{Name: "text_work", key: []string{"step", "box", "seq"}, box: "box", columns: []string{"step", "box",
		seqFor("text_work.box", "text_work.seq")}},
	{Name: "refs", key: []string{"box", "hash", "seq"}, box: "box", columns: []string{"box", "hash",
		seqFor("refs.box", "refs.seq"), "own"}},
	{Name: "merged", key: []string{"id"}, box: "box", columns: []string{"box", "id", "into_id"}},
	{Name: "labels", key: []string{"box", "label"}, box: "box", columns: []string{"box", "label"}},
	{Name: "events", key: []string{"pk"}, box: "pk >> 32", columns: []string{"pk" + ofBox, seqOf("pk"), "at", "kind",
		"message", "result"}},
	{Name: "rejects", key: []string{"n"}, columns: []string{"n", "at", "stage", "sender", "recipient", "address",
		"remote", "reply"}},
	{Name: "audits", key: []string{"n"}, columns: []string{"n", "at", "action", "box", "note", "actor", "facts", "seq",
		"previous", "hash"}},
	{Name: "audit_chain", key: []string{"id"}, columns: []string{"id", "head_seq", "head_hash",
		"base_seq", "base_hash"}},
	{Name: "contacts", key: []string{"box", "address"}, box: "box", columns: []string{"box", "address",
		"correspondent"}},
	{Name: "claims", key: []string{"session"}, box: "box", columns: []string{"session", "link", "salt", "name",
		"address", "box", "client",
		"created_at", "expires_at", "done_at"}},
	{Name: "bootstraps", key: []string{"digest"}, box: "box", columns: []string{"digest", "box", "salt"}},
	{Name: "quotas", key: []string{"day", "client"}, columns: []string{"day", "client", "used"}},
	{Name: "deliveries", key: []string{"box", "seq", "n"}, box: "box",
		columns: []string{"box", seqFor("deliveries.box", "deliveries.seq"), "n", "message", "recipient",
			"destination", "status", "attempts", "code", "text", "host", "tls", "provider", "queued_at", "next_at",
			"lease",
			"leased", "begun",
			"unknown", "told", "tried_at", "entered_at"}},
	{Name: "history", key: []string{"box", "seq", "n"}, box: "box",
		columns: []string{"box", seqFor("history.box", "history.seq"), "n", "at", "kind", "actor", "facts"}},
	{Name: "tallies", key: []string{"box", "what", "slot"}, box: "box", columns: []string{"box", "what", "slot", "used",
		"until"}},
	{Name: "idempotents", key: []string{"box", "key"}, box: "box", columns: []string{"box", "key", "body", "message",
		"thread",
		"message_id", "at"}},
	{Name: "paces", key: []string{"box"}, box: "box", columns: []string{"box", "pace"}},
	{Name: "reviews", key: []string{"n"}, box: "box", columns: []string{"n", "box", "message", "status", "reasons",
		"note", "decided_by", "created_at", "expires_at", "decided_at", "version", "about",
		"unnoticed", "due"}},
	{Name: "suppressions", key: []string{"n"}, box: "box", columns: []string{"n", "box", "address", "reason", "detail",
		"message", "at"}},
	{Name: "drafts", key: []string{"n"}, box: "box", columns: []string{"n", "box", "id", "version", "created_at",
		"updated_at", "size", "sent_at", "message", "thread", "message_id", "head", "body"}},
	{Name: "draft_files", key: []string{"box", "draft", "n"}, box: "box", columns: []string{"box", "draft", "n", "blob",
		"packed"}},
	{Name: "quarantine", key: []string{"n"}, box: "box", columns: []string{"n", "box", "id", "received_at",
		"expires_at", "released_at", "message", "size", "digest", "head", "blob", "packed"}},
	{Name: "lists", key: []string{"n"}, box: "box", columns: []string{"n", "box", "list", "pattern", "note",
		"expires_at", "created_at"}},
	{Name: "domains", key: []string{"id"}, box: "box", columns: []string{"id", "box", "name", "token", "selector",
		"keys", "mx", "spf",
		"dkim", "dmarc", "owned", "created_at", "verified_at", "lapsed_at", "rotation"}},
	{Name: "domain_reports", key: []string{"n"}, columns: []string{"n", "domain", "kind", "reporter", "authentic",
		"organization", "report", "about", "begin_at", "end_at", "received_at", "passed", "failed", "sums"}},
	{Name: "topics", key: []string{"day", "kind", "domain"}, columns: []string{"day", "kind", "domain", "reported"}},
	{Name: "observations", key: []string{"day", "kind", "domain", "fact"}, columns: []string{"day", "kind", "domain",
		"fact", "seen"}},
	{Name: "hook_routes", key: []string{"box", "label"}, box: "box", columns: []string{"box", "label", "created_at",
		"url", "failed",
		"fails", "tried", "error", "settings"}},
	{Name: "hook_targets", key: []string{"id"}, box: "box", columns: []string{"id", "box", "url", "next_at"}},
	{Name: "hooks", key: []string{"n"}, box: "box", columns: []string{"n", "id", "box", "target", "event", "kind",
		"message", "at", "state",
		"attempts", "next_at", "lease", "leased", "log", "body"}},
	{Name: "policies", key: []string{"domain"}, columns: []string{"domain", "id", "text", "expires_at", "refresh_at"}},
	{Name: "secrets", key: []string{"name", "digest"}, columns: []string{"name", "digest", "made_at", "ends_at",
		"sealed"}},
	{Name: "forgotten", key: []string{"n"}, box: "box", columns: []string{"n", "box", "CASE seq WHEN 0 THEN 0 ELSE " +
		strings.TrimSuffix(seqFor("forgotten.box", "forgotten.seq"), " AS seq") + " END AS seq"}},
}
