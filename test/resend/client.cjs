// Drives the real binary with the SDK that programs of Resend use: every method that the door supports. It exits with an
// error at the first answer that is not as it should be.
"use strict";
const assert = require("node:assert/strict");
const http = require("node:http");
const { once } = require("node:events");
const { Resend } = require(process.env.MODULES + "/resend");

const { KEY, OPERATOR, OWN, OTHER, INGEST } = process.env; // and RESEND_BASE_URL, which the SDK reads
const resend = new Resend(KEY);

async function ok(call) {
  const { data, error } = await call;
  assert.equal(error, null, JSON.stringify(error));
  return data;
}

async function refused(status, name, call) {
  const { data, error } = await call;
  assert.equal(data, null);
  assert.deepEqual([error.statusCode, error.name], [status, name], JSON.stringify(error));
  assert.ok(error.message);
}

const plain = { from: `Own <${OWN}>`, to: OTHER, subject: "Hello", text: "text" };

async function until(what, read) {
  for (let i = 0; i < 200; i++) {
    const got = await read();
    if (got) return got;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("waited in vain for " + what);
}

async function emails() {
  const sent = await ok(resend.emails.send({ ...plain, to: [OTHER], cc: "c@else.example", replyTo: "r@else.example",
    html: '<p>html <img src="cid:pic"></p>', headers: { "X-Entity-Ref-ID": "1", Importance: "high" },
    tags: [{ name: "category", value: "confirm_email" }],
    attachments: [{ filename: "a.txt", content: Buffer.from("file") },
      { filename: "p.png", content: Buffer.from("png").toString("base64"), contentType: "image/png", contentId: "pic" }] }));
  const got = await ok(resend.emails.get(sent.id));
  assert.equal(got.object, "email");
  assert.deepEqual([got.from, got.to, got.cc, got.bcc, got.reply_to], [`Own <${OWN}>`, [OTHER], ["c@else.example"], null,
    ["r@else.example"]]);
  assert.deepEqual(got.tags, [{ name: "category", value: "confirm_email" }]);
  assert.match(got.html, /html/);
  assert.equal(got.text.trim(), "text");
  assert.ok(["queued", "sent", "delivered"].includes(got.last_event), got.last_event);
  const files = await ok(resend.emails.attachments.list({ emailId: sent.id }));
  assert.deepEqual(files.data.map((f) => f.filename), ["p.png", "a.txt"].sort((a, b) =>
    files.data.findIndex((f) => f.filename === a) - files.data.findIndex((f) => f.filename === b)));
  const file = await ok(resend.emails.attachments.get({ emailId: sent.id, id: files.data.find((f) =>
    f.filename === "a.txt").id }));
  assert.equal(file.object, "attachment");
  assert.equal(await (await fetch(file.download_url)).text(), "file");
  const changed = file.download_url.slice(0, -1) + (file.download_url.endsWith("A") ? "B" : "A");
  const none = await fetch(changed);
  assert.equal(none.status, 404);
  assert.equal((await none.json()).name, "not_found");
  await refused(403, "validation_error", resend.emails.send({ ...plain, from: "x@not-mine.example" }));
  await refused(422, "missing_required_field", resend.emails.send({ from: OWN, subject: "x", text: "x" }));
  await refused(422, "invalid_from_address", resend.emails.send({ ...plain, from: "nonsense" }));
  await refused(422, "validation_error", resend.emails.send({ ...plain, to: "nonsense" }));
  await refused(422, "validation_error", resend.emails.send({ ...plain, tags: [{ name: "a b", value: "x" }] }));
  await refused(422, "invalid_attachment", resend.emails.send({ ...plain, attachments: [{ path: "/etc/passwd" }] }));
  await refused(422, "invalid_attachment", resend.emails.send({ ...plain, attachments: [{ path: "file:///etc/passwd" }] }));
  await refused(422, "invalid_parameter", resend.emails.get("x"));
  await refused(404, "not_found", resend.emails.get("0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60"));
  return sent.id;
}

async function fetched() {
  const files = http.createServer((_, res) => res.end("from afar")).listen(0, "127.0.0.1");
  await once(files, "listening");
  const sent = await ok(resend.emails.send({ ...plain,
    attachments: [{ path: `http://127.0.0.1:${files.address().port}/far.txt` }] }));
  const list = await ok(resend.emails.attachments.list({ emailId: sent.id }));
  assert.equal(list.data[0].filename, "far.txt");
  assert.equal(await (await fetch(list.data[0].download_url)).text(), "from afar");
  files.close();
}

async function idempotent() {
  const key = { idempotencyKey: "k".repeat(256) };
  const one = await ok(resend.emails.send(plain, key));
  assert.equal((await ok(resend.emails.send(plain, key))).id, one.id);
  await refused(409, "invalid_idempotent_request", resend.emails.send({ ...plain, subject: "other" }, key));
  await refused(400, "invalid_idempotency_key", resend.emails.send(plain, { idempotencyKey: "k".repeat(257) }));
}

async function scheduled() {
  for (const scheduledAt of ["in 1 hour", "tomorrow at 9am", new Date(Date.now() + 3600e3).toISOString()]) {
    const sent = await ok(resend.emails.send({ ...plain, scheduledAt }));
    assert.equal((await ok(resend.emails.get(sent.id))).last_event, "scheduled");
    const at = new Date(Date.now() + 7200e3).toISOString();
    assert.deepEqual(await ok(resend.emails.update({ id: sent.id, scheduledAt: at })), { object: "email", id: sent.id });
    assert.equal(new Date((await ok(resend.emails.get(sent.id))).scheduled_at).toISOString(), at);
    assert.equal((await ok(resend.emails.cancel(sent.id))).object, "email");
    assert.equal((await ok(resend.emails.get(sent.id))).last_event, "canceled");
  }
  await refused(422, "validation_error", resend.emails.send({ ...plain, scheduledAt: "when pigs fly" }));
  await refused(400, "validation_error", resend.emails.send({ ...plain, scheduledAt: "in 40 days" }));
}

async function batches() {
  const two = await ok(resend.batch.send([plain, { ...plain, subject: "two" }]));
  assert.equal(two.data.length, 2);
  await refused(422, "invalid_from_address", resend.batch.send([plain, { ...plain, from: "nonsense" }]));
  const some = await ok(resend.batch.send([plain, { ...plain, from: "nonsense" }], { batchValidation: "permissive" }));
  assert.deepEqual([some.data.length, some.errors.length, some.errors[0].index], [1, 1, 1]);
}

async function lists() {
  const all = await ok(resend.emails.list({ limit: 100 }));
  assert.equal(all.object, "list");
  const ids = all.data.map((m) => m.id);
  const first = await ok(resend.emails.list({ limit: 2 }));
  assert.deepEqual([first.data.map((m) => m.id), first.has_more], [ids.slice(0, 2), true]);
  const older = await ok(resend.emails.list({ limit: 2, after: ids[1] }));
  assert.deepEqual(older.data.map((m) => m.id), ids.slice(2, 4));
  const newer = await ok(resend.emails.list({ limit: 2, before: ids[3] }));
  assert.deepEqual([newer.data.map((m) => m.id), newer.has_more], [ids.slice(1, 3), true]);
  const { error } = await resend.get("/emails?limit=101");
  assert.equal(error.statusCode, 422);
}

async function receiving() {
  const mail = `From: Ann <ann@sender.example>\r\nTo: ${OWN}\r\nCc: c@sender.example\r\nSubject: In\r\n` +
    `Message-ID: <in@sender.example>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n` +
    `Content-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: text/plain\r\n` +
    `Content-Disposition: attachment; filename=a.txt\r\n\r\nfile\r\n--b--\r\n`;
  const answer = await fetch(`${INGEST}?mailbox=${encodeURIComponent(OWN)}`, { method: "POST", body: mail,
    headers: { Authorization: `Bearer ${OPERATOR}`, "Content-Type": "message/rfc822" } });
  assert.equal(answer.status, 201);
  const list = await ok(resend.emails.receiving.list());
  const row = list.data.find((m) => m.subject === "In");
  assert.deepEqual([row.from, row.to, row.cc, row.attachments[0].filename], ["Ann <ann@sender.example>", [OWN],
    ["c@sender.example"], "a.txt"]);
  const got = await ok(resend.emails.receiving.get(row.id));
  assert.deepEqual([got.object, got.text.trim(), got.html, got.headers.subject], ["email", "hello", null, "In"]);
  assert.equal(await (await fetch(got.raw.download_url)).text(), mail);
  const files = await ok(resend.emails.receiving.attachments.list({ emailId: row.id }));
  const file = await ok(resend.emails.receiving.attachments.get({ emailId: row.id, id: files.data[0].id }));
  assert.equal((await (await fetch(file.download_url)).text()).trim(), "file");
  assert.ok((await ok(resend.emails.receiving.forward({ emailId: row.id, to: OTHER, from: OWN }))).id);
  assert.ok((await ok(resend.emails.receiving.forward({ emailId: row.id, to: OTHER, from: OWN, passthrough: false,
    text: "look" }))).id);
  await refused(404, "not_found", resend.emails.get(row.id));
}

async function domains() {
  const made = await ok(resend.domains.create({ name: "brought.example" }));
  assert.ok(made.records.some((r) => r.record === "DKIM") && made.records.some((r) => r.record === "SPF"));
  assert.equal((await ok(resend.domains.get(made.id))).name, "brought.example");
  assert.ok((await ok(resend.domains.list())).data.some((d) => d.id === made.id));
  assert.equal((await ok(resend.domains.update({ id: made.id, openTracking: false }))).object, "domain");
  await ok(resend.domains.verify(made.id));
  await refused(403, "validation_error", resend.emails.send({ ...plain, from: "x@brought.example" }));
  assert.equal((await ok(resend.domains.remove(made.id))).deleted, true);
}

async function keys() {
  const made = await ok(resend.apiKeys.create({ name: "sender", permission: "sending_access" }));
  const sender = new Resend(made.token);
  await ok(sender.emails.send(plain));
  await refused(401, "restricted_api_key", sender.emails.list());
  await refused(401, "restricted_api_key", sender.apiKeys.create({ name: "more" }));
  assert.equal((await ok(resend.apiKeys.update(made.id, { name: "renamed" }))).object, "api_key");
  assert.ok((await ok(resend.apiKeys.list())).data.some((k) => k.name === "renamed" && k.id === made.id));
  await ok(resend.apiKeys.remove(made.id));
  await refused(403, "invalid_api_key", sender.emails.send(plain));
}

async function webhooks() {
  const posts = [];
  const hooks = http.createServer((req, res) => {
    let body = "";
    req.on("data", (part) => { body += part; });
    req.on("end", () => { posts.push({ headers: req.headers, body }); res.end("thanks"); });
  }).listen(0, "127.0.0.1");
  await once(hooks, "listening");
  const endpoint = `http://127.0.0.1:${hooks.address().port}/hook`;
  const events = ["email.sent", "email.received", "email.delivered"];
  const made = await ok(resend.webhooks.create({ endpoint, events }));
  assert.match(made.signing_secret, /^whsec_/);
  const got = await ok(resend.webhooks.get(made.id));
  assert.deepEqual([got.endpoint, got.events, got.status, got.signing_secret], [endpoint, events, "enabled",
    made.signing_secret]);
  const sent = await ok(resend.emails.send({ ...plain, tags: [{ name: "a", value: "b" }] }));
  const post = await until("email.sent", () => posts.find((p) => JSON.parse(p.body).type === "email.sent"));
  const verified = resend.webhooks.verify({ payload: post.body, webhookSecret: made.signing_secret, headers: {
    id: post.headers["svix-id"], timestamp: post.headers["svix-timestamp"], signature: post.headers["svix-signature"] } });
  assert.deepEqual([verified.data.email_id, verified.data.tags, verified.data.to], [sent.id, { a: "b" }, [OTHER]]);
  assert.throws(() => resend.webhooks.verify({ payload: post.body + " ", webhookSecret: made.signing_secret, headers: {
    id: post.headers["svix-id"], timestamp: post.headers["svix-timestamp"], signature: post.headers["svix-signature"] } }));
  const log = await until("the log", async () => {
    const list = await ok(resend.webhooks.events.list({ webhookId: made.id }));
    return list.data.some((e) => e.type === "email.sent" && e.status === "success") && list;
  });
  const event = log.data.find((e) => e.type === "email.sent");
  const one = await ok(resend.webhooks.events.get({ webhookId: made.id, eventId: event.id }));
  assert.equal(one.payload.data.email_id, sent.id);
  const attempts = await ok(resend.webhooks.events.attempts.list({ webhookId: made.id, eventId: event.id }));
  assert.equal(attempts.data[0].http_status_code, 200);
  const before = posts.length;
  await ok(resend.webhooks.events.replay({ webhookId: made.id, eventId: event.id }));
  assert.ok(posts.length > before);
  assert.ok((await ok(resend.webhooks.list())).data.some((w) => w.id === made.id));
  const rotated = await ok(resend.webhooks.rotateSigningSecret(made.id));
  assert.notEqual(rotated.signing_secret, made.signing_secret);
  await ok(resend.webhooks.update(made.id, { status: "disabled", events: ["email.bounced"] }));
  assert.deepEqual([(await ok(resend.webhooks.get(made.id))).status], ["disabled"]);
  await refused(422, "validation_error", resend.webhooks.create({ endpoint, events: ["nonsense"] }));
  assert.equal((await ok(resend.webhooks.remove(made.id))).deleted, true);
  await refused(404, "not_found", resend.webhooks.get(made.id));
  hooks.close();
}

async function suppressions() {
  const made = await ok(resend.suppressions.add({ email: "no@else.example" }));
  assert.equal((await ok(resend.suppressions.get(made.id))).email, "no@else.example");
  assert.equal((await ok(resend.suppressions.get("no@else.example"))).origin, "manual");
  assert.equal((await ok(resend.suppressions.list())).data.length, 1);
  const sent = await ok(resend.emails.send({ ...plain, to: "no@else.example" }));
  assert.equal((await ok(resend.emails.get(sent.id))).last_event, "suppressed");
  assert.equal((await ok(resend.suppressions.remove(made.id))).deleted, true);
  const batch = await ok(resend.suppressions.batch.add({ emails: ["a@else.example", "b@else.example"] }));
  assert.equal(batch.data.length, 2);
  assert.equal((await ok(resend.suppressions.batch.remove({ ids: batch.data.map((s) => s.id) }))).data.length, 2);
  assert.equal((await ok(resend.suppressions.list())).data.length, 0);
}

async function outside() {
  for (const call of [resend.contacts.list(), resend.templates.list(), resend.broadcasts.list(), resend.get("/nothing")]) {
    const { error } = await call;
    assert.deepEqual([error.statusCode, error.name], [404, "not_found"], JSON.stringify(error));
  }
  await refused(403, "invalid_api_key", new Resend("re_wrong").emails.list());
  const bare = await fetch(process.env.RESEND_BASE_URL + "/emails");
  assert.deepEqual([bare.status, (await bare.json()).name], [401, "missing_api_key"]);
}

(async () => {
  for (const part of [emails, fetched, idempotent, scheduled, batches, lists, receiving, domains, keys, webhooks, suppressions,
    outside]) {
    try {
      await part();
    } catch (err) {
      console.error("in " + part.name);
      throw err;
    }
  }
  console.log("all of it");
})().catch((err) => { console.error(err); process.exit(1); });
