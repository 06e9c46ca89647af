// The deployment's own metrics.

import { send } from "./api.js";

// Metrics are the lines of a scrape by name.
class Metrics {
  #lines = new Map();

  constructor(text) {
    for (const [, name, labels, value] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/gm)) {
      if (!this.#lines.has(name)) this.#lines.set(name, []);
      this.#lines.get(name).push({ labels: Object.fromEntries([...(labels ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, v])), value: Number(value) });
    }
  }

  all(name) { return this.#lines.get(name) ?? []; }

  // sum adds all lines of a name; undefined: there is none.
  sum(name) { return this.#lines.has(name) ? this.all(name).reduce((n, l) => n + l.value, 0) : undefined; }

  // below is the bound that a share of a histogram's values does not exceed, in seconds.
  below(name, share) {
    const buckets = new Map();
    for (const { labels, value } of this.all(`${name}_bucket`)) buckets.set(labels.le, (buckets.get(labels.le) ?? 0) + value);
    const bounds = [...buckets].map(([le, n]) => [le === "+Inf" ? Infinity : Number(le), n]).sort(([a], [b]) => a - b);
    const total = bounds.at(-1)?.[1] ?? 0;
    return total ? bounds.find(([, n]) => n >= share * total)[0] : undefined;
  }
}

// within says in words the bound that a share of a histogram's values does not exceed.
export function within(m, name, share) {
  const s = m.below(name, share);
  return s === undefined ? "none yet" : s === Infinity ? "more" : s < 1 ? `${s * 1000} ms` : `${s} s`;
}

// scrape reads the metrics of this node as they are now.
export async function scrape() {
  const response = await send("GET", "../metrics");
  return new Metrics(await response.text());
}
