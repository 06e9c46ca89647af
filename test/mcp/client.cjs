// Uses the tools with the official TypeScript SDK's client, over standard input and output and over HTTP, in several
// revisions of the protocol. Prints one line of JSON for each session.
//
// The settings come by the environment: MODULES (where the SDK is installed), BINARY, URL, KEY, HELD_KEY (of a mailbox whose mail is approved), HOME_DIR, CODE (that was delivered).
"use strict";
const assert = require("node:assert/strict");
const { createRequire } = require("node:module");
const from = createRequire(process.env.MODULES + "/x.js");
const { Client } = from("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = from("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = from("@modelcontextprotocol/sdk/client/streamableHttp.js");

// The SDK asks for its newest revision, and takes the one that the server answers with. So that it speaks an older one,
// what it asks for is changed on its way out.
function asking(transport, revision) {
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    if (message.method === "initialize") {
      message = { ...message, params: { ...message.params, protocolVersion: revision } };
    }
    return send(message, ...rest);
  };
  const set = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    transport.negotiated = version;
    set?.(version);
  };
  return transport;
}

function stdio(env) {
  return new StdioClientTransport({ command: process.env.BINARY, args: ["mcp"], env: { PATH: process.env.PATH, ...env }, stderr: "inherit" });
}

function http(key = process.env.KEY) {
  return new StreamableHTTPClientTransport(new URL(process.env.URL + "/mcp"), {
    requestInit: { headers: { Authorization: "Bearer " + key } },
  });
}

async function connect(transport, revision) {
  const client = new Client({ name: "mailkin-test", version: "1.0.0" });
  await client.connect(asking(transport, revision));
  assert.equal(transport.negotiated, revision);
  assert.equal(client.getServerVersion().name, "mailkin");
  assert.match(client.getInstructions(), /data from outside/);
  await client.ping();
  return client;
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, name + ": " + JSON.stringify(result.content));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

// A mailbox with a key: it reads what was delivered, and fails with a sentence.
async function session(over, transport, revision) {
  const client = await connect(transport, revision);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 20);
  for (const tool of tools) {
    assert.ok(tool.title && tool.description && tool.inputSchema && tool.annotations.readOnlyHint !== undefined, tool.name);
  }
  const found = await call(client, "wait_for_code", { timeout: 20 });
  assert.equal(found.code, process.env.CODE);
  const inbox = await call(client, "get_inbox", {});
  const { email } = await call(client, "get_email", { email_id: inbox.emails[0].email_id, view: "full" });
  const marker = /^--- mail text ([A-Z2-7]+) begins ---\n/.exec(email.text.fenced)[1];
  assert.ok(email.text.fenced.endsWith(`--- mail text ${marker} ends ---`));
  await call(client, "get_stats", undefined);
  const wrong = await client.callTool({ name: "get_email", arguments: { id: "nonesuch" } });
  assert.ok(wrong.isError && wrong.content[0].text.length > 20, JSON.stringify(wrong));
  await client.close();
  console.log(JSON.stringify({ over, revision, tools: tools.length }));
}

// No mailbox at all: the first call makes one, and the next run still has it.
async function newcomer(revision) {
  const env = { MAILKIN_URL: process.env.URL, HOME: process.env.HOME_DIR };
  let client = await connect(stdio(env), revision);
  const { tools } = await client.listTools();
  assert.ok(!tools.some((tool) => tool.name === "send_email"));
  const first = await call(client, "get_stats", {});
  assert.match(first.note, /a temporary one was made/);
  const made = await call(client, "create_temporary_mailbox", {});
  assert.equal(made.mailbox, first.mailbox);
  await client.close();
  client = await connect(stdio(env), revision);
  const second = await call(client, "get_stats", {});
  assert.equal(second.mailbox, first.mailbox);
  assert.equal(second.note, undefined);
  await client.close();
  console.log(JSON.stringify({ over: "stdio", revision, made: first.mailbox }));
}

// A person has to approve what this mailbox sends: the tools say so.
async function held(transport, revision) {
  const client = await connect(transport, revision);
  const sent = await call(client, "send_email", { to: ["kim@example.com"], subject: "May I?", body: "Hello." });
  assert.equal(sent.status, "held");
  assert.equal(sent.review.status, "held");
  assert.match(sent.note, /a person has to approve/);
  const { email } = await call(client, "get_email", { email_id: sent.email_id });
  assert.equal(email.review.status, "held");
  await client.close();
}

async function main() {
  for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
    await session("http", http(), revision);
    await session("stdio", stdio({ MAILKIN_URL: process.env.URL, MAILKIN_API_KEY: process.env.KEY, HOME: process.env.HOME_DIR }), revision);
  }
  await held(http(process.env.HELD_KEY), "2025-11-25");
  await newcomer("2025-11-25");
  await assert.rejects(connect(new StreamableHTTPClientTransport(new URL(process.env.URL + "/mcp")), "2025-11-25"), /401|[Uu]nauthorized/);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
