/** What a mailbox has returned, and the way from there to what it has not. */

import type { Email } from "./models.js";
import { type Conditions, type Match, named } from "./waiting.js";

type Kind = "message" | "link" | "code";

/** What a mailbox has returned, and from where on it looks. */
export class Marks {
  /** The id of an event: waiting begins after it. */
  mark: string;
  // By what is waited for and a place: all from there on to another place has been returned, or is of no use.
  readonly #passed = new Map<string, string>();
  readonly #returned: Record<Kind, Set<string>> = { message: new Set(), link: new Set(), code: new Set() };

  constructor(mark: string) {
    this.mark = mark;
  }

  /** Forget what came until now. */
  catchUp(mark: string): void {
    this.mark = mark;
    this.#passed.clear();
  }

  /** From where on there is something new to who waits for something and has come to a place. */
  after(name: string, place: string): string {
    return this.#passed.get(`${place} ${name}`) ?? place;
  }

  pass(name: string, place: string, mark: string): void {
    this.#passed.set(`${place} ${name}`, later(this.after(name, place), mark));
  }

  /** Where codes begin: after the last one that was returned, of this sender or of any. */
  codesAfter(from: string | undefined): string {
    return later(this.after("code", this.mark), this.after(codesOf(from), this.mark));
  }

  /** Whether a code is returned for the first time. */
  takeCode(id: string, from: string | undefined, mark: string): boolean {
    this.pass(codesOf(from), this.mark, mark);
    return this.first("code", id);
  }

  /** Whether something is returned for the first time. */
  first(kind: Kind, id: string): boolean {
    const known = this.#returned[kind];
    const size = known.size;
    return known.add(id).size > size;
  }

  /** Whether a message was returned already; without a kind, of whatever kind. */
  isKnown(kind: Kind | undefined, id: string): boolean {
    const kinds = kind === undefined ? Object.values(this.#returned) : [this.#returned[kind]];
    return kinds.some((ids) => ids.has(id));
  }
}

function codesOf(from: string | undefined): string {
  return from ? `code ${from}` : "code";
}

/** The later of two marks, which are numbers that grow. */
function later(a: string, b: string): string {
  const isNumber = (mark: string): boolean => /^\d+$/.test(mark);
  return isNumber(b) && (!isNumber(a) || BigInt(b) > BigInt(a)) ? b : a;
}

interface Wanted {
  /** Each message is returned once for each; undefined: it is looked for and not returned. */
  kind: "message" | "link" | undefined;
  conditions: Conditions;
  after: string | undefined;
  /** Says whether a message fits. */
  match?: Match | undefined;
  /** What it says depends on this alone; without it, it may say something else the next time. */
  constant?: string;
}

/**
 * A way through the messages of a mailbox, from a mark on and in their order, to one that fits. What was returned is
 * not asked for again, nor what can never fit.
 */
export class Search {
  readonly #marks: Marks;
  readonly #wanted: Wanted;
  readonly #name: string | undefined;
  #place: string;

  constructor(marks: Marks, wanted: Wanted) {
    const { kind, conditions, after, constant } = wanted;
    this.#marks = marks;
    this.#wanted = wanted;
    this.#place = after ?? marks.mark;
    // Somebody may put a label on an older message at any time.
    const anew = after !== undefined || conditions.label !== undefined;
    this.#name = anew ? undefined : `${kind} ${constant ?? ""}${named(conditions)}`;
  }

  /** The event after which to look. */
  get mark(): string {
    return this.#name === undefined ? this.#place : this.#marks.after(this.#name, this.#place);
  }

  /** Whether a message is the one. The next is looked for after its event. */
  async take(email: Email, eventId: string | null | undefined): Promise<boolean> {
    const { kind, after, match, constant } = this.#wanted;
    const isKnown = (): boolean => after === undefined && this.#marks.isKnown(kind, email.id);
    const fits = !isKnown() && (match === undefined || (await match(email)));
    let found = fits && !isKnown(); // another call may have taken it while that was thought about
    if (found && kind !== undefined) {
      found = this.#marks.first(kind, email.id) || after !== undefined;
    }
    const mark = eventId || this.mark;
    const never = !found && (match === undefined || constant !== undefined);
    if (this.#name !== undefined && (isKnown() || never)) {
      this.#marks.pass(this.#name, this.#place, mark);
    } else {
      this.#place = mark;
    }
    return found;
  }
}
