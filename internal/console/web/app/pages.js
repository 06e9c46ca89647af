// Every page, and who sees it.

import { html } from "../vendor/lit.js";
import { route, share } from "./route.js";
import { session } from "./session.js";
import "../page/activity.js";
import "../page/audit.js";
import "../page/claims.js";
import "../page/compose.js";
import "../page/domains.js";
import "../page/drafts.js";
import "../page/events.js";
import "../page/keys.js";
import "../page/lists.js";
import "../page/mail.js";
import "../page/mailbox.js";
import "../page/mailboxes.js";
import "../page/nodes.js";
import "../page/operators.js";
import "../page/overview.js";
import "../page/quarantine.js";
import "../page/queue.js";
import "../page/rejects.js";
import "../page/reviews.js";
import "../page/sessions.js";
import "../page/stats.js";
import "../page/suppressions.js";
import "../page/threads.js";
import "../page/webhooks.js";

const operator = () => session.operator;
const changes = () => session.operator || session.manages; // operators of every role see them
const reads = () => session.reads(); // this mailbox: some roles read only the configured one
const reviews = () => session.can("review");
const everybody = () => true;
const mail = (folder) => () => html`<mk-mail folder=${folder} .id=${route.id} .params=${route.params}></mk-mail>`;

const all = [
  { section: "Mail", pages: [
    { name: "compose", title: "Compose", who: () => session.may && session.holds("send"), draw: () => html`<mk-compose .params=${route.params}></mk-compose>` },
    { name: "inbox", title: "Inbox", who: reads, draw: mail("inbox") },
    { name: "threads", title: "Conversations", icon: "all", who: reads, draw: () => html`<mk-threads .id=${route.id} .params=${route.params}></mk-threads>` },
    { name: "drafts", title: "Drafts", icon: "audit", who: () => session.may && session.holds("draft"), draw: () => html`<mk-drafts></mk-drafts>` },
    { name: "outbox", title: "Outbox", who: reads, draw: mail("outbox") },
    { name: "reviews", title: "Reviews", icon: "unseen", who: reviews, whole: true, draw: () => html`<mk-reviews .id=${route.id}></mk-reviews>` },
    { name: "search", title: "Search", who: reads, draw: mail("search") },
  ] },
  { section: "Watch", pages: [
    { name: "events", title: "Events", who: reads, draw: () => html`<mk-events></mk-events>` },
    { name: "stats", title: "Statistics", who: () => session.holds("read"), draw: () => html`<mk-stats></mk-stats>` },
    { name: "quarantine", title: "Quarantine", icon: "inbox", who: reviews, whole: true, draw: () => html`<mk-quarantine .id=${route.id}></mk-quarantine>` },
    { name: "rejects", title: "Refused mail", icon: "suppressions", who: () => session.holds("read"), whole: true, draw: () => html`<mk-rejects></mk-rejects>` },
  ] },
  { section: "Settings", pages: [
    { name: "mailbox", title: "Mailbox", icon: "mailboxes", who: everybody, draw: () => html`<mk-mailbox></mk-mailbox>` },
    { name: "webhooks", title: "Webhooks", who: changes, draw: () => html`<mk-webhooks></mk-webhooks>` },
    { name: "domains", title: "Domains", who: changes, draw: () => html`<mk-domains></mk-domains>` },
    { name: "lists", title: "Lists", icon: "audit", who: everybody, draw: () => html`<mk-lists></mk-lists>` },
    { name: "suppressions", title: "Suppressions", who: changes, draw: () => html`<mk-suppressions></mk-suppressions>` },
    { name: "keys", title: "Keys", who: changes, draw: () => html`<mk-keys></mk-keys>` },
  ] },
  { section: "Deployment", pages: [
    { name: "overview", title: "Overview", icon: "stats", who: operator, whole: true, draw: () => html`<mk-overview></mk-overview>` },
    { name: "mailboxes", title: "Mailboxes", who: operator, whole: true, draw: () => html`<mk-mailboxes></mk-mailboxes>` },
    { name: "claims", title: "Claims", icon: "keys", who: operator, whole: true, draw: () => html`<mk-claims></mk-claims>` },
    { name: "queue", title: "Queue", icon: "outbox", who: operator, whole: true, draw: () => html`<mk-queue></mk-queue>` },
    { name: "activity", title: "Activity", who: operator, whole: true, draw: () => html`<mk-activity></mk-activity>` },
    { name: "nodes", title: "Nodes and storage", icon: "domains", who: operator, whole: true, draw: () => html`<mk-nodes></mk-nodes>` },
    { name: "operators", title: "Operators", icon: "mailboxes", who: () => session.role === "admin", whole: true, draw: () => html`<mk-operators></mk-operators>` },
    { name: "sessions", title: "Sessions", icon: "keys", who: () => session.role === "admin", whole: true, draw: () => html`<mk-sessions></mk-sessions>` },
    { name: "audit", title: "Audit log", who: operator, whole: true, draw: () => html`<mk-audit></mk-audit>` },
  ] },
];

for (const page of all.flatMap((s) => s.pages)) if (page.whole) share(page.name);

// sections are the pages that this key can use, as the menu has them.
export function sections() {
  return all.map((s) => ({ title: s.section, pages: s.pages.filter((p) => p.who()) })).filter((s) => s.pages.length > 0);
}

// pageOf finds a page by its name; undefined: there is none, or not for this key.
export function pageOf(name) {
  return all.flatMap((s) => s.pages).find((p) => p.name === name && p.who());
}
