// What happens in the mailbox, as it happens. The stream needs the key in a header, so it is read with fetch. The server ends
// it every 25 seconds; we come back with the number of the last event and miss nothing. While nobody looks, it rests.

import { bytes } from "./api.js";
import { session } from "./session.js";

const kept = 500; // events that are remembered for the page that shows them
const back = 15 * 60 * 1000; // how far the first stream looks back, in milliseconds
const together = 100; // events that are taken at once
const silence = 8000; // no line for so long: the line is dead

class Live extends EventTarget {
  state = "off"; // connecting, on, off, paused
  gone = ""; // the mailbox that is not there any more
  following = false; // there is a stream, or it is tried again and again
  attentive = false; // it goes on while nobody looks, to tell of new mail
  events = []; // newest first
  #mailbox = "";
  #last = "";
  #stop = null;
  #known = new Set();

  constructor() {
    super();
    session.addEventListener("change", () => this.#restart());
    document.addEventListener("visibilitychange", () => this.#restart());
    addEventListener("online", () => this.#restart());
  }

  #restart() {
    this.#stop?.abort();
    this.#stop = null;
    if (session.mailbox !== this.#mailbox || !session.key) {
      this.#mailbox = session.mailbox;
      this.#last = "";
      this.events = [];
      this.#known.clear();
    }
    if (!session.me || !session.reads() || document.hidden && !this.attentive) return this.#set("off");
    this.#stop = new AbortController();
    this.#run(this.#stop.signal);
  }

  // rest ends the stream until somebody calls again, or the session changes.
  rest() { this.#stop?.abort(); }

  // again tries at once, for instance after the mailbox was resumed.
  again() { this.#restart(); }

  async #run(signal) {
    this.following = true;
    await this.#follow(signal);
    if (!this.#stop || this.#stop.signal === signal) this.following = false; // else another one goes on
  }

  async #follow(signal) {
    for (let failures = 0; !signal.aborted;) {
      try {
        if (this.state !== "on") this.#set("connecting");
        await this.#read(signal);
        failures = 0;
      } catch (e) {
        if (signal.aborted) return;
        const gone = e.status === 404 && e.message === "Mailbox not found";
        if (gone) this.gone = this.#mailbox;
        this.#set(e.paused ? "paused" : "off");
        if (e.status === 401 || e.paused || gone) return;
        failures++;
        await pause(Math.min(500 * 2 ** failures, 15000) * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  async #read(signal) {
    const query = this.#last ? { last_event_id: this.#last } : { since: new Date(Date.now() - back).toISOString() };
    const ended = new AbortController();
    signal.addEventListener("abort", () => ended.abort(), { signal: ended.signal });
    let watch;
    const alive = () => {
      clearTimeout(watch);
      watch = setTimeout(() => ended.abort(), silence);
    };
    try {
      alive();
      const response = await bytes("events", query, { signal: ended.signal });
      this.gone = "";
      if (!signal.aborted) this.#set("on");
      await lines(response.body, alive, (list) => { if (!signal.aborted) this.#take(list); }); // it may be another mailbox by now
    } finally {
      clearTimeout(watch);
      ended.abort();
    }
  }

  // take notes the events that came together.
  #take(list) {
    const fresh = [];
    for (const { id, data } of list) {
      if (id) this.#last = id;
      if (!data || this.#known.has(id)) continue;
      this.#known.add(id);
      fresh.push({ ...JSON.parse(data), id, at: new Date() });
    }
    if (fresh.length === 0) return;
    this.events = [...fresh.toReversed(), ...this.events].slice(0, kept);
    if (this.#known.size > 20 * kept) this.#known = new Set(this.events.map((e) => e.id)); // what is older does not come again
    for (const detail of fresh) this.dispatchEvent(new CustomEvent("mail", { detail }));
  }

  #set(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

// replay reads what happened from a time on, until the signal or the server ends it.
export async function replay(query, signal, take) {
  const response = await bytes("events", query, { signal });
  await lines(response.body, () => {}, (list) => {
    for (const { data } of list) if (data && !signal.aborted) take(JSON.parse(data));
  });
}

// lines reads a stream of server-sent events, and hands on together what came together.
async function lines(body, alive, take) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let event = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    let list = [];
    for (const line of parts) {
      if (line === "") {
        list.push(event);
        event = {};
        if (list.length < together) continue;
        take(list);
        list = [];
        await pause(0); // so that the page does not stand still
      } else if (line[0] !== ":") {
        const at = line.indexOf(":");
        event[line.slice(0, at)] = line.slice(at + 1).trimStart();
      }
    }
    take(list);
  }
}

function pause(time, signal) {
  return new Promise((done) => {
    const timer = setTimeout(done, time);
    signal?.addEventListener("abort", () => { clearTimeout(timer); done(); }, { once: true });
  });
}

export const live = new Live();
