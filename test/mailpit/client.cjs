// Every method of mailpit-api against a test server. It prints "all of it" at its end.
const assert = require("node:assert/strict");
const { MailpitClient } = require(`${process.env.MODULES}/mailpit-api`);

const mailpit = new MailpitClient(process.env.URL, { auth: { username: "any", password: "thing" } });
const called = new Set();
const client = new Proxy(mailpit, {
  get(target, name) {
    called.add(name);
    const value = target[name];
    return typeof value === "function" ? value.bind(target) : value;
  },
});
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const send = (subject, more = {}) => client.sendMessage({
  From: { Email: "shop@one.test", Name: "Shop" }, To: [{ Email: "ann@two.test", Name: "Ann" }], Subject: subject,
  Text: `The code of ${subject} is 123456`, ...more,
});

async function main() {
  assert.equal((await client.deleteMessages()), "ok");
  const { ID } = await send("first", {
    HTML: '<p style="display:flex">Code <b>123456</b> <a href="https://one.test/x">x</a><img src="cid:pic"></p>',
    Cc: [{ Email: "cc@two.test" }], Bcc: ["blind@two.test"], ReplyTo: [{ Email: "reply@one.test" }], Tags: ["Tag One"],
    Headers: { "X-Own": "yes" },
    Attachments: [{ Filename: "a.txt", Content: Buffer.from("text").toString("base64") },
      { Filename: "pic.png", Content: png, ContentType: "image/png", ContentID: "pic" }],
  });
  const info = await client.getInfo();
  assert.equal(info.Messages, 1);
  assert.equal(info.Tags["Tag One"], 1);
  assert.equal((await client.getConfiguration()).MessageRelay.Enabled, false);

  const m = await client.getMessageSummary(ID);
  assert.equal(m.Subject, "first");
  assert.equal(m.Username, "any");
  assert.deepEqual(m.Bcc, [{ Name: "", Address: "blind@two.test" }]);
  assert.equal(m.Attachments[0].FileName, "a.txt");
  assert.equal(m.Inline[0].ContentID, "pic");
  assert.equal((await client.getMessageSummary()).ID, ID);
  assert.deepEqual((await client.getMessageHeaders(ID))["X-Own"], ["yes"]);
  assert.equal(await (await client.getMessageAttachment(ID, m.Attachments[0].PartID)).text(), "text");
  assert.equal((await client.getAttachmentThumbnail(ID, m.Inline[0].PartID)).type, "image/jpeg");
  assert.match(await client.getMessageSource(ID), /X-Own: yes/);
  await assert.rejects(client.releaseMessage(ID, { To: ["a@one.test"] }), /400/);

  await send("second");
  const list = await client.listMessages();
  assert.deepEqual(list.messages.map((r) => r.Subject), ["second", "first"]);
  assert.equal(list.unread, 1);
  assert.equal((await client.listMessages(1, 1)).messages[0].Subject, "first");
  assert.equal(await client.setReadStatus({ Read: true }), "ok");
  assert.equal((await client.listMessages()).unread, 0);
  await client.setReadStatus({ Read: false, Search: "subject:second" }, { tz: "Europe/Berlin" });
  const found = await client.searchMessages({ query: 'is:unread "code of second"', tz: "Europe/Berlin" });
  assert.equal(found.messages_count, 1);
  assert.equal((await client.waitForMessage({ query: "subject:first" })).ID, ID);
  assert.equal((await client.waitForMessages({ query: "to:ann@two.test", count: 2 })).messages_count, 2);

  const waiting = client.waitForMessage({ query: "subject:third" }, { timeout: 20000, interval: 50 });
  await send("third");
  assert.equal((await waiting).Subject, "third");
  await assert.rejects(client.waitForMessage({ query: "subject:never" }, { timeout: 100, interval: 50 }), /Timeout/);

  const check = await client.htmlCheck(ID);
  assert.ok(check.Warnings.some((w) => w.Slug === "css-display-flex"));
  const links = await client.linkCheck(ID);
  assert.deepEqual(links.Links.map((l) => l.URL), ["https://one.test/x"]);
  await assert.rejects(client.spamAssassinCheck(ID), /404/);

  assert.deepEqual(await client.getTags(), ["Tag One"]);
  await client.setTags({ IDs: [ID], Tags: ["Tag One", "b"] });
  await client.renameTag("Tag One", "c.d");
  assert.deepEqual(await client.getTags(), ["b", "c.d"]);
  await client.deleteTag("b");
  assert.deepEqual((await client.searchMessages({ query: "tag:c.d" })).messages.map((r) => r.ID), [ID]);

  assert.equal((await client.setChaosTriggers({ Sender: { ErrorCode: 452, Probability: 100 } })).Sender.ErrorCode, 452);
  assert.equal((await client.setChaosTriggers()).Sender.Probability, 0);
  assert.equal((await client.getChaosTriggers()).Authentication.ErrorCode, 535);

  assert.match(await client.renderMessageHTML(ID), /src="\/api\/v1\/message\//);
  assert.match(await client.renderMessageHTML(ID, 1), /target="_blank"/);
  assert.match(await client.renderMessageText(), /third/);

  await client.deleteMessagesBySearch({ query: "subject:third" });
  await client.deleteMessages({ IDs: [ID] });
  assert.deepEqual((await client.listMessages()).messages.map((r) => r.Subject), ["second"]);
  await client.deleteMessages();
  assert.equal((await client.waitForMessages({ count: 0 })).total, 0);

  for (const name of Object.getOwnPropertyNames(MailpitClient.prototype)) {
    assert.ok(["constructor", "request"].includes(name) || called.has(name), `${name} was not called`);
  }
  console.log("all of it");
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
