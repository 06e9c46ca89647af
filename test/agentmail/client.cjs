// Drives the real binary with the SDK that programs of AgentMail use: every method that the door supports. It exits with
// an error at the first answer that is not as it should be.
"use strict";
const assert = require("node:assert/strict");
const crypto = require("node:crypto");
const http = require("node:http");
const { AgentMailClient } = require(process.env.MODULES + "/agentmail");

const { BASE, KEY, OPERATOR, OWN, INGEST } = process.env;
const client = new AgentMailClient({ apiKey: KEY, baseUrl: BASE });
const operator = new AgentMailClient({ apiKey: OPERATOR, baseUrl: BASE });

// deliver hands a mail in for a mailbox, as another server would.
async function deliver(to, id, subject, text) {
  const mail = `From: Ann <ann@sender.example>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${id}>\r\n` +
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n` +
    `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nfile\r\n--b--\r\n`;
  const answer = await fetch(`${INGEST}?mailbox=${encodeURIComponent(to)}`, { method: "POST", body: mail,
    headers: { Authorization: `Bearer ${OPERATOR}`, "Content-Type": "message/rfc822" } });
  assert.equal(answer.status, 201, await answer.text());
}

async function refused(status, call) {
  await assert.rejects(call, (err) => {
    assert.equal(err.statusCode, status, String(err));
    assert.ok(err.body && err.body.name && err.body.message, JSON.stringify(err.body));
    return true;
  });
}

async function inboxes() {
  const made = await client.inboxes.create({ username: "desk", displayName: "The desk", clientId: "one",
    metadata: { tier: "gold", seats: 3, on: true } });
  assert.equal(made.displayName, "The desk");
  assert.equal((await client.inboxes.create({ clientId: "one" })).inboxId, made.inboxId);
  assert.equal((await client.inboxes.list({ limit: 10 })).count, 2);
  assert.equal((await client.inboxes.get(made.inboxId)).metadata.seats, 3);
  const changed = await client.inboxes.update(made.inboxId, { metadata: { tier: null }, displayName: "Desk" });
  assert.deepEqual([changed.metadata.tier, changed.displayName], [undefined, "Desk"]);
  const extra = await client.inboxes.create();
  await client.inboxes.delete(extra.inboxId);
  await refused(404, () => client.inboxes.get(extra.inboxId));
  await refused(404, () => client.inboxes.get("nobody@nowhere.example"));
  return made.inboxId;
}

async function messages(inbox) {
  await deliver(inbox, "in/1@sender.example", "The tide", "hello\r\n\r\nOn Monday Bob wrote:\r\n> old");
  const m = client.inboxes.messages;
  const id = "<in/1@sender.example>";
  const listed = await m.list(inbox, { labels: ["unread", "received"], limit: 5 });
  assert.deepEqual([listed.count, listed.messages[0].messageId], [1, id]);
  assert.equal((await m.list(inbox, { labels: ["sent"] })).count, 0);
  const got = await m.get(inbox, id);
  assert.deepEqual([got.subject, got.from, got.attachments.length], ["The tide", "Ann <ann@sender.example>", 1]);
  const raw = await m.getRaw(inbox, id);
  assert.match(await (await fetch(raw.downloadUrl)).text(), /Subject: The tide/);
  const file = await m.getAttachment(inbox, id, got.attachments[0].attachmentId);
  assert.equal(await (await fetch(file.downloadUrl)).text(), "file");
  const labels = (await m.update(inbox, id, { addLabels: ["done"], removeLabels: ["unread"] })).labels;
  assert.ok(labels.includes("done") && !labels.includes("unread"), labels.join());
  const sent = await m.send(inbox, { to: [OWN], subject: "From the desk", text: "hi", html: "<p>hi</p>",
    labels: ["mine"], attachments: [{ filename: "a.txt", content: "aGk=" }] });
  assert.ok((await m.get(inbox, sent.messageId)).labels.includes("mine"));
  const there = (await client.inboxes.messages.list(OWN)).messages[0];
  assert.equal(there.from, "Desk <" + inbox + ">");
  const answer = await m.reply(OWN, there.messageId, { text: "thanks" });
  assert.equal(answer.threadId, there.threadId);
  await m.replyAll(OWN, there.messageId, { text: "all" });
  await m.forward(inbox, id, { to: [OWN], text: "see" });
  if (m.search) assert.equal((await m.search(inbox, { q: "tide", limit: 1 })).count, 1);
  if (m.batchGet) assert.equal((await m.batchGet(inbox, { messageIds: [id, "<none@x.example>"] })).count, 1);
  if (m.batchUpdate) assert.equal((await m.batchUpdate(inbox, { messageIds: [id], addLabels: ["b"] })).count, 1);
  await refused(400, () => m.update(inbox, id, { addLabels: ["Not A Label!"] }));
  await refused(422, () => m.send(inbox, { text: "to nobody" }));
  await refused(404, () => m.get(inbox, "<none@x.example>"));
  return got.threadId;
}

async function threads(inbox, id) {
  const all = await client.threads.list({ limit: 50 });
  assert.ok(all.threads.some((t) => t.inboxId === inbox) && all.threads.some((t) => t.inboxId === OWN));
  const one = await client.threads.get(id);
  assert.equal(one.messages[0].subject, "The tide");
  const t = client.inboxes.threads;
  assert.ok((await t.list(inbox, { labels: ["received"] })).count >= 1);
  assert.equal((await t.get(inbox, id)).threadId, id);
  const file = await t.getAttachment(inbox, id, one.messages[0].attachments[0].attachmentId);
  assert.equal(await (await fetch(file.downloadUrl)).text(), "file");
  await client.threads.getAttachment(id, one.messages[0].attachments[0].attachmentId);
  if (t.update) assert.ok((await t.update(inbox, id, { addLabels: ["whole"] })).labels.includes("whole"));
  if (t.search) assert.equal((await t.search(inbox, { q: "tide", limit: 1 })).count, 1);
  await t.delete(inbox, id);
  await refused(404, () => t.get(inbox, id));
}

async function drafts(inbox) {
  const d = client.inboxes.drafts;
  const made = await d.create(inbox, { to: [OWN], subject: "Draft", text: "text", labels: ["planned"] });
  assert.equal((await d.get(inbox, made.draftId)).subject, "Draft");
  assert.equal((await d.update(inbox, made.draftId, { subject: "Changed" })).subject, "Changed");
  assert.equal((await d.list(inbox)).count, 1);
  assert.equal((await client.drafts.get(made.draftId)).draftId, made.draftId);
  await client.drafts.list();
  const sent = await d.send(inbox, made.draftId, {});
  assert.equal((await client.inboxes.messages.get(inbox, sent.messageId)).subject, "Changed");
  const gone = await d.create(inbox, {});
  await d.delete(inbox, gone.draftId);
  await refused(404, () => d.get(inbox, gone.draftId));
}

async function lists(inbox) {
  const l = operator.inboxes.lists;
  assert.equal((await l.create(inbox, "send", "block", { entry: "evil.example", reason: "no" })).entryType, "domain");
  assert.equal((await l.list(inbox, "send", "block")).count, 1);
  assert.equal((await l.get(inbox, "send", "block", "evil.example")).reason, "no");
  await refused(403, () => client.inboxes.messages.send(inbox, { to: ["a@evil.example"], text: "x" }));
  await refused(403, () => client.inboxes.lists.create(inbox, "send", "block", { entry: "x.example" }));
  await l.delete(inbox, "send", "block", "evil.example");
  await operator.lists.create("receive", "block", { entry: "worse.example" });
  assert.equal((await operator.lists.list("receive", "block")).count, 1);
  await operator.lists.get("receive", "block", "worse.example");
  await operator.lists.delete("receive", "block", "worse.example");
}

async function account(inbox) {
  assert.equal((await client.auth.me()).scopeType, "organization");
  assert.equal((await client.organizations.get()).inboxCount, 2);
  assert.equal((await client.pods.list()).count, 1);
  await client.pods.get("default");
  assert.equal((await client.pods.inboxes.list("default")).count, 2);
  await refused(404, () => client.pods.get("another"));
  const made = await client.domains.create({ domain: "brought.example", feedbackEnabled: true });
  assert.equal(made.status, "NOT_STARTED");
  assert.equal((await client.domains.get(made.domainId)).records.length, made.records.length);
  assert.equal((await client.domains.list()).count, 1);
  const zone = Buffer.from(await (await client.domains.getZoneFile(made.domainId)).arrayBuffer()).toString();
  assert.match(zone, /brought\.example\. 3600 IN MX 10 /);
  await client.domains.delete(made.domainId);
  const key = await operator.inboxes.apiKeys.create(inbox, { name: "one more" });
  assert.equal((await operator.inboxes.apiKeys.list(inbox)).apiKeys.filter((k) => k.name === "one more").length, 1);
  const own = new AgentMailClient({ apiKey: key.apiKey, baseUrl: BASE });
  assert.equal((await own.auth.me()).inboxId, inbox);
  await operator.inboxes.apiKeys.delete(inbox, key.apiKeyId);
  await refused(401, () => own.auth.me());
  await operator.apiKeys.delete((await operator.apiKeys.create({ name: "platform" })).apiKeyId);
  await operator.apiKeys.list();
  const metrics = await client.inboxes.metrics.queryEvents(inbox, {});
  assert.ok(metrics["message.received"][0].count > 0);
  await client.metrics.queryUsage({});
}

// webhooks are posted to, in the form and with the signature that receivers know.
async function webhooks(inbox) {
  let arrived;
  const post = new Promise((resolve, reject) => {
    arrived = resolve;
    setTimeout(() => reject(new Error("nothing was posted")), 20000).unref();
  });
  const receiver = http.createServer((req, res) => {
    let body = "";
    req.on("data", (piece) => { body += piece; });
    req.on("end", () => { res.end(); arrived({ headers: req.headers, body }); });
  });
  await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  const made = await client.webhooks.create({ url, eventTypes: ["message.received"], inboxIds: [inbox], clientId: "w",
    headers: { "X-Mine": "1" } });
  const again = { url, eventTypes: ["message.sent"], inboxIds: [inbox], clientId: "w" };
  assert.equal((await client.webhooks.create(again)).webhookId, made.webhookId);
  assert.equal((await client.webhooks.list()).count, 1);
  assert.equal((await client.webhooks.get(made.webhookId)).secret, made.secret);
  assert.equal((await client.inboxes.webhooks.get(inbox, made.webhookId)).url, url);
  assert.deepEqual((await client.webhooks.getHeaders(made.webhookId)).headerNames, ["X-Mine"]);
  await client.webhooks.updateHeaders(made.webhookId, { headers: { "X-More": "2" } });
  await deliver(inbox, "hook@sender.example", "Hooked", "posted");
  const { headers, body } = await post;
  const event = JSON.parse(body);
  assert.deepEqual([event.type, event.event_type, event.message.message_id, event.message.text.trim()],
    ["event", "message.received", "<hook@sender.example>", "posted"]);
  assert.deepEqual([headers["x-mine"], headers["x-more"]], ["1", "2"]);
  const signed = crypto.createHmac("sha256", Buffer.from(made.secret.slice("whsec_".length), "base64"))
    .update(`${headers["svix-id"]}.${headers["svix-timestamp"]}.${body}`).digest("base64");
  assert.ok(headers["svix-signature"].split(" ").includes("v1," + signed), headers["svix-signature"]);
  assert.deepEqual((await client.webhooks.update(made.webhookId, { eventTypes: ["message.sent"] })).eventTypes,
    ["message.sent"]);
  await refused(400, () => client.webhooks.create({ url: "nowhere", eventTypes: ["message.sent"] }));
  await refused(400, () => client.webhooks.create({ url, eventTypes: ["message.sent"], inboxIds: [inbox, OWN] }));
  await client.webhooks.delete(made.webhookId);
  await refused(404, () => client.webhooks.get(made.webhookId));
  receiver.close();
}

// socket hears of a message that comes while it listens.
async function socket(inbox) {
  const ws = await client.websockets.connect({ apiKey: KEY });
  const heard = [];
  let tell;
  const told = () => new Promise((resolve, reject) => {
    tell = resolve;
    setTimeout(() => reject(new Error("nothing was heard: " + JSON.stringify(heard))), 20000).unref();
  });
  ws.on("message", (frame) => { heard.push(frame); if (tell) tell(frame); });
  await ws.waitForOpen();
  let next = told();
  ws.sendSubscribe({ type: "subscribe", inboxIds: [inbox], eventTypes: ["message.received"] });
  assert.equal((await next).type, "subscribed");
  next = told();
  await deliver(inbox, "live@sender.example", "Live", "now");
  const event = await next;
  assert.deepEqual([event.type, event.eventType, event.message.messageId, event.message.subject],
    ["event", "message.received", "<live@sender.example>", "Live"]);
  assert.equal(event.thread.inboxId, inbox);
  next = told();
  ws.sendSubscribe({ type: "subscribe", inboxIds: ["nobody@nowhere.example"] });
  assert.equal((await next).type, "error");
  ws.close();
}

(async () => {
  const inbox = await inboxes();
  const thread = await messages(inbox);
  await threads(inbox, thread);
  await drafts(inbox);
  await lists(inbox);
  await account(inbox);
  await webhooks(inbox);
  await socket(inbox);
  console.log("all of it");
  process.exit(0);
})().catch((err) => { console.error(err); process.exit(1); });
