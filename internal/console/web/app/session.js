// Who is signed in. The key is kept in this tab and goes nowhere but into the header of requests. Who signed in with a
// provider has a session instead: a cookie for all tabs, which no script can read.

// byCookie stands in place of the key of who has a session.
export const byCookie = "(session)";

const keySlot = "mailkin.key";
const cookieSlot = "mailkin.session"; // for other tabs: there may be a cookie
const boxSlot = "mailkin.mailbox";

class Session extends EventTarget {
  key = sessionStorage.getItem(keySlot) ?? "";
  me = null; // the answer of GET /v1/me
  mailbox = ""; // the one that is looked at
  lost = false; // the last key or session ended by itself: which of them
  changing = false; // the key is being changed: the old one may end before the new one is here

  get cookie() { return this.key === byCookie; }
  get shared() { return localStorage.getItem(cookieSlot) !== null; }

  get operator() { return this.me?.scope === "operator"; }
  get provisional() { return this.me?.scope === "provisional"; }

  // may tells whether the key can change things: a temporary mailbox and the roles view and moderate only read.
  get may() { return this.me !== null && !this.provisional && (!this.operator || this.role === "admin"); }

  // role is that of the operator: view, moderate, admin.
  get role() { return this.me?.operator?.role ?? ""; }

  // can tells whether the key may do what people decide: review, control. The operator may.
  can(word) { return this.operator ? this.role === "admin" || word === "review" && this.role === "moderate" : Boolean(this.me?.key?.capabilities?.includes(word)); }

  // holds tells whether the key may do one of the things that a key can be made without: read, send, draft, manage.
  holds(word) { return this.me !== null && (this.operator ? this.role === "admin" || word !== "send" && word !== "draft" : this.me.key?.capabilities?.includes(word) ?? true); }

  // manages tells whether the key can change webhooks, domains, suppressions and keys.
  get manages() { return this.may && this.holds("manage"); }

  // moderates tells whether the operator may pause and resume mailboxes.
  get moderates() { return this.role === "admin" || this.role === "moderate"; }

  // reads tells whether the key may read mail of a mailbox: the roles view and moderate read only the configured one.
  reads(mailbox = this.mailbox) { return this.holds("read") && (!this.operator || this.role === "admin" || mailbox === this.me.mailbox); }

  // begin is called with a key that the server knows, and what it says about it.
  begin(key, me) {
    this.key = key;
    this.me = me;
    sessionStorage.setItem(keySlot, key);
    if (this.cookie) localStorage.setItem(cookieSlot, "1");
    this.mailbox = (this.operator && sessionStorage.getItem(boxSlot)) || me.mailbox;
    this.#changed();
  }

  // look chooses another mailbox. Only the operator can.
  look(mailbox) {
    if (mailbox === this.mailbox) return;
    this.mailbox = mailbox;
    sessionStorage.setItem(boxSlot, mailbox);
    this.#changed();
  }

  // end forgets the key. Lost means that the server no longer knows it: what was being written is kept then.
  end({ lost = false } = {}) {
    sessionStorage.removeItem(keySlot);
    if (this.cookie) localStorage.removeItem(cookieSlot);
    if (!lost) sessionStorage.clear();
    this.lost = lost && (this.cookie ? "session" : "key");
    this.key = this.mailbox = "";
    this.me = null;
    this.#changed();
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}

export const session = new Session();
