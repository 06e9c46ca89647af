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

// called are the methods of the SDK that were used, of all that it has.
const all = new Set(), called = new Set();

function watch(object, name) {
  const proto = Object.getPrototypeOf(object);
  for (const member of Object.getOwnPropertyNames(proto)) {
    const { get, value } = Object.getOwnPropertyDescriptor(proto, member);
    if (get && object[member] && typeof object[member] === "object") watch(object[member], `${name}${member}.`);
    if (typeof value !== "function" || member === "constructor" || member.startsWith("_")) continue;
    const method = name + member;
    all.add(method);
    proto[member] = function (...args) { called.add(method); return value.apply(this, args); };
  }
}

// the class of the client itself only adds the WebSocket
const base = Object.getPrototypeOf(Object.getPrototypeOf(client));
watch(Object.create(base, Object.getOwnPropertyDescriptors(client)), "");
all.delete("fetch"); // any address

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
  const less = await operator.inboxes.apiKeys.update(inbox, key.apiKeyId, { name: "less",
    permissions: { messageSend: true } });
  assert.deepEqual([less.name, less.permissions.messageSend, less.permissions.messageRead], ["less", true, undefined]);
  await refused(403, () => own.inboxes.messages.list(inbox));
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
  await refused(400, () => client.webhooks.create({ url, eventTypes: [] }));
  const both = await client.webhooks.create({ url, eventTypes: ["message.sent"], inboxIds: [inbox, OWN] });
  assert.deepEqual(both.inboxIds.toSorted(), [inbox, OWN].toSorted());
  assert.deepEqual((await client.webhooks.update(both.webhookId, { removeInboxIds: [OWN] })).inboxIds, [inbox]);
  await client.webhooks.delete(both.webhookId);
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

// pods are the one pod, which has what the account has, and inboxes their own webhooks.
async function rest(inbox) {
  const p = client.pods, pod = "default", hook = { url: "https://hooks.example/a", eventTypes: ["message.sent"] };
  assert.equal((await client.inboxes.search({ q: "desk" })).count, 1);
  const made = await p.inboxes.create(pod, { username: "podded" });
  await p.inboxes.search(pod, { q: "podded" });
  await p.inboxes.get(pod, made.inboxId);
  await p.inboxes.update(pod, made.inboxId, { displayName: "Pod" });
  for (const [hooks, ...at] of [[client.inboxes.webhooks, made.inboxId], [p.webhooks, pod]]) {
    const one = await hooks.create(...at, hook);
    await hooks.list(...at);
    await hooks.get(...at, one.webhookId);
    await hooks.update(...at, one.webhookId, { eventTypes: ["message.received"] });
    await hooks.updateHeaders(...at, one.webhookId, { headers: { "X-A": "1" } });
    assert.deepEqual((await hooks.getHeaders(...at, one.webhookId)).headerNames, ["X-A"]);
    await hooks.delete(...at, one.webhookId);
  }
  for (const [threads, ...at] of [[client.threads], [p.threads, pod]]) {
    await deliver(made.inboxId, `t${at.length}@sender.example`, "Neap", "moon");
    const t = (await threads.list(...at, { senders: ["ann"] })).threads.find((one) => one.inboxId === made.inboxId);
    assert.ok((await threads.search(...at, { q: "neap" })).threads.some((one) => one.threadId === t.threadId));
    const whole = await threads.get(...at, t.threadId);
    await threads.getAttachment(...at, t.threadId, whole.attachments[0].attachmentId);
    assert.ok((await threads.update(...at, t.threadId, { addLabels: ["x"] })).labels.includes("x"));
    await threads.delete(...at, t.threadId);
  }
  await deliver(made.inboxId, "gone@sender.example", "Gone", "x");
  await client.inboxes.messages.delete(made.inboxId, "<gone@sender.example>");
  const draft = await client.inboxes.drafts.create(made.inboxId, { clientId: "d", labels: ["l"],
    attachments: [{ filename: "a.txt", content: "aGk=" }] });
  assert.equal((await p.drafts.list(pod, { labels: ["l"], ascending: true })).count, 1);
  await p.drafts.get(pod, draft.draftId);
  const part = draft.attachments[0].attachmentId;
  for (const file of [await client.inboxes.drafts.getAttachment(made.inboxId, draft.draftId, part),
    await client.drafts.getAttachment(draft.draftId, part), await p.drafts.getAttachment(pod, draft.draftId, part)]) {
    assert.equal(await (await fetch(file.downloadUrl)).text(), "hi");
  }
  await p.inboxes.delete(pod, made.inboxId);
  const l = operator.pods.lists;
  await l.create(pod, "receive", "allow", { entry: "good.example" });
  await l.list(pod, "receive", "allow");
  await l.get(pod, "receive", "allow", "good.example");
  await l.delete(pod, "receive", "allow", "good.example");
  for (const [domains, ...at] of [[client.domains], [p.domains, pod]]) {
    const d = await domains.create(...at, { domain: `d${at.length}.example` });
    await domains.list(...at);
    await domains.get(...at, d.domainId);
    await domains.getZoneFile(...at, d.domainId);
    await domains.update(...at, d.domainId, { feedbackEnabled: false });
    await refused(403, () => domains.verify(...at, d.domainId)); // the test asks no DNS
    await domains.delete(...at, d.domainId);
  }
  for (const m of [client.metrics, client.inboxes.metrics, p.metrics]) {
    const where = m === client.metrics ? [] : [m === p.metrics ? pod : inbox];
    await m.queryEvents(...where, { eventTypes: ["message.received"] });
    await m.queryUsage(...where, {});
  }
  const key = await operator.pods.apiKeys.create(pod, { name: "of the pod" });
  await operator.pods.apiKeys.list(pod);
  assert.equal((await operator.apiKeys.get(key.apiKeyId)).name, "of the pod");
  assert.equal((await operator.pods.apiKeys.update(pod, key.apiKeyId, { name: "renamed" })).name, "renamed");
  assert.equal((await operator.apiKeys.update(key.apiKeyId, { name: "again" })).name, "again");
  await operator.pods.apiKeys.delete(pod, key.apiKeyId);
}

// absent are the methods that are not here: each is told so.
const absent = {
  "inboxes.events.list": (c) => c.inboxes.events.list(OWN),
  "inboxes.authorize": (c) => c.inboxes.authorize(OWN, { authToken: "x" }),
  "pods.create": (c) => c.pods.create({}),
  "pods.delete": (c) => c.pods.delete("default"),
  "domains.getSetupLink": (c) => c.domains.getSetupLink("x"),
  "accounts.list": (c) => c.accounts.list(),
  "accounts.get": (c) => c.accounts.get("x"),
  "agent.signUp": (c) => c.agent.signUp({ humanEmail: "a@b.example", username: "a" }),
  "agent.verify": (c) => c.agent.verify({ otpCode: "123456" }),
  "providers.list": (c) => c.providers.list(),
  "providers.search": (c) => c.providers.search({ q: "x" }),
  "providers.get": (c) => c.providers.get("x"),
  "providers.listAccounts": (c) => c.providers.listAccounts("x"),
  "providers.connect": (c) => c.providers.connect("x", {}),
};

async function everything() {
  for (const [method, call] of Object.entries(absent)) {
    assert.ok(all.has(method), method);
    await assert.rejects(() => call(operator), (err) => {
      const told = method === "agent.signUp" ? [401] : [404, 405]; // who signs up has no key
      assert.ok(told.includes(err.statusCode) && err.body.name, `${method}: ${err}`);
      return true;
    });
  }
  assert.deepEqual([...all].filter((method) => !called.has(method)), []);
}

(async () => {
  const inbox = await inboxes();
  const thread = await messages(inbox);
  await threads(inbox, thread);
  await drafts(inbox);
  await lists(inbox);
  await account(inbox);
  await webhooks(inbox);
  await rest(inbox);
  await socket(inbox);
  await everything();
  console.log("all of it");
  process.exit(0);
})().catch((err) => { console.error(err); process.exit(1); });
