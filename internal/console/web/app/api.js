// Requests to /v1, as any client makes them.

import { root } from "./route.js";
import { byCookie, session } from "./session.js";

// Failure is an answer that is not a success, or no answer at all (status 0).
export class Failure extends Error {
  constructor(status, body = {}, headers = new Headers()) {
    super(sentence(status, body));
    this.at = Date.now();
    this.status = status;
    this.pausedBy = headers.get("Mailkin-Paused-By") ?? ""; // of a paused mailbox, for its own key
    this.reason = decodeURIComponent(headers.get("Mailkin-Pause-Reason") ?? "");
    this.code = body.code ?? "";
    this.body = body;
  }
  get paused() { return this.status === 403 && this.body.error === "Mailbox is paused"; }
}

function sentence(status, body) {
  if (status === 0) return "The server cannot be reached.";
  if (status === 401) return "This key is not known, or has ended.";
  if (body.error === "forbidden") return "This key is not for that mailbox.";
  return body.error || `The server answered with status ${status}.`;
}

function address(path, query = {}) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, value);
  }
  const text = params.toString();
  return new URL(`v1/${path}${text && "?"}${text}`, root);
}

// send makes a request and returns the response, or throws a Failure. Who finds that a message is gone tells the page.
export async function send(method, path, { query, body, headers = {}, key = session.key, signal, keepalive } = {}) {
  if (/[^\x21-\x7e]/.test(key)) throw new Failure(401); // no header holds it
  const own = key === byCookie ? { "X-Mailkin-Console": "1" } : { Authorization: `Bearer ${key}` };
  const init = { method, keepalive, headers: { ...own, ...headers }, signal, cache: "no-store", referrerPolicy: "no-referrer" };
  if (body !== undefined) {
    init.headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(address(path, query), init);
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Failure(0);
  }
  if (response.ok) return response;
  const failure = new Failure(response.status, await response.json().catch(() => ({})), response.headers);
  if (method !== "DELETE" && query?.id && failure.status === 404 && failure.message === "Email not found") dispatchEvent(new CustomEvent("mk-gone", { detail: query.id }));
  if (failure.status === 401 && key === session.key && session.me && !session.changing) session.end({ lost: true });
  throw failure;
}

// ask makes a request and returns what its JSON says.
export async function ask(method, path, options) {
  return (await send(method, path, options)).json();
}

// own makes a request about the mailbox that is looked at, unless the query names another.
export function own(method, path, options = {}) {
  const query = session.operator ? { mailbox: session.mailbox, ...options.query } : options.query;
  return ask(method, path, { ...options, query });
}

// bytes fetches something that is not JSON, of the mailbox that is looked at unless the query names another.
export function bytes(path, query, options = {}) {
  return send("GET", path, { ...options, query: session.operator ? { mailbox: session.mailbox, ...query } : query });
}

// moderate makes a request about a mailbox as the operator.
export function moderate(method, mailbox, rest = "", options = {}) {
  return ask(method, `mailboxes/${encodeURIComponent(mailbox)}${rest}`, options);
}

// pages walks a list along its cursors, for as long as the caller wants more.
export async function* pages(path, query = {}, request = own) {
  let cursor = "";
  do {
    const page = await request("GET", path, { query: { limit: 100, ...query, cursor } });
    yield page;
    cursor = page.next_cursor;
  } while (cursor);
}
