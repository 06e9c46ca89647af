// Charts, drawn as SVG. Each has the same numbers as a table for those who do not see it.

import { html, nothing, svg } from "../vendor/lit.js";
import { count, plural } from "../app/format.js";

const width = 560;
const height = 180;
const left = 36;
const below = 22;

// ticks are a few round numbers up to the largest.
function ticks(most) {
  const step = [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5, 6].map((e) => n * 10 ** e)).sort((a, b) => a - b).find((s) => most / s <= 4) ?? most;
  const list = [];
  for (let v = 0; v < most + step; v += step) list.push(v);
  return list;
}

// bars draws what came in and went out on each day.
export function bars(days) {
  const most = Math.max(1, ...days.flatMap((d) => [d.inbound, d.outbound]));
  const marks = ticks(most);
  const top = marks.at(-1);
  const y = (v) => (height - below) * (1 - v / top) + 4;
  const each = (width - left) / days.length;
  const name = (d) => d.day.toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${height + 6}" role="img" aria-label="Messages in and out per day">
    ${marks.map((v) => svg`<line class="grid" x1=${left} x2=${width} y1=${y(v)} y2=${y(v)}></line><text x=${left - 6} y=${y(v) + 4} text-anchor="end">${short(v)}</text>`)}
    ${days.map((d, i) => {
      const x = left + i * each + each * 0.15;
      const w = each * 0.33;
      return svg`<g><title>${name(d)}: ${d.inbound} in, ${d.outbound} out</title>
        <rect class="hit" x=${left + i * each} y="0" width=${each} height=${height}></rect>
        <rect class="in" x=${x} y=${y(d.inbound)} width=${w} height=${y(0) - y(d.inbound)} rx="1.5"></rect>
        <rect class="out" x=${x + w + 1} y=${y(d.outbound)} width=${w} height=${y(0) - y(d.outbound)} rx="1.5"></rect>
        ${i % 3 === 1 ? svg`<text x=${left + (i + 0.5) * each} y=${height + 2} text-anchor="middle">${name(d)}</text>` : nothing}</g>`;
    })}</svg>
    <figcaption><span class="key in">in ${count(days.reduce((n, d) => n + d.inbound, 0))}</span><span class="key out">out ${count(days.reduce((n, d) => n + d.outbound, 0))}</span></figcaption>
    ${table(["Day", "In", "Out"], days.map((d) => [name(d), d.inbound, d.outbound]))}</figure>`;
}

const colours = { delivered: "good", sent: "plain", queued: "plain", delivery_delayed: "warn", bounced: "bad", failed: "bad", complained: "worse" };

// parts draws a whole and its parts.
export function parts(numbers, none) {
  const list = Object.entries(numbers).sort((a, b) => b[1] - a[1]);
  const all = list.reduce((n, [, v]) => n + v, 0);
  if (all === 0) return html`<p class="soft">${none}</p>`;
  let x = 0;
  return html`<figure class="chart"><svg viewBox="0 0 ${width} 34" role="img" aria-label="Outcomes of sent messages">
    ${list.map(([name, v]) => {
      const w = (width * v) / all;
      const piece = svg`<rect class="part ${colours[name] ?? "plain"}" x=${x} y="4" width=${Math.max(w - 2, 1)} height="26" rx="3"><title>${name}: ${v}</title></rect>`;
      x += w;
      return piece;
    })}</svg><figcaption>${list.map(([name, v]) => html`<span class="key ${colours[name] ?? "plain"}">${name.replaceAll("_", " ")} ${count(v)} <span class="soft">${Math.round((100 * v) / all)} %</span></span>`)}</figcaption>
    ${table(["Outcome", "Messages"], list)}</figure>`;
}

const steps = [["under 1 s", 1], ["1 to 5 s", 5], ["5 to 30 s", 30], ["30 s to 2 min", 120], ["longer", Infinity]];

// spread draws how many took how long.
export function spread(seconds) {
  if (seconds.length === 0) return html`<p class="soft">No mail with a code in these two weeks.</p>`;
  const rows = steps.map(([name, to], i) => [name, seconds.filter((s) => s < to && s >= (steps[i - 1]?.[1] ?? 0)).length]);
  const most = Math.max(...rows.map(([, n]) => n));
  const sorted = [...seconds].sort((a, b) => a - b);
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${rows.length * 26}" role="img" aria-label="How long mail with a code took">
    ${rows.map(([name, n], i) => svg`<text x="110" y=${i * 26 + 17} text-anchor="end">${name}</text>
      <rect class="in" x="118" y=${i * 26 + 5} width=${((width - 170) * n) / most} height="16" rx="2"></rect><text x=${126 + ((width - 170) * n) / most} y=${i * 26 + 17}>${n}</text>`)}</svg>
    <figcaption><span class="key">half within ${time(sorted[Math.floor((sorted.length - 1) / 2)])}</span><span class="key">the slowest ${time(sorted.at(-1))}</span></figcaption>
    ${table(["Time", "Messages"], rows)}</figure>`;
}

function time(s) { return s < 120 ? `${s.toFixed(1)} s` : plural(Math.round(s / 60), "minute"); }

function short(v) { return v >= 1000 ? `${v / 1000}k` : `${v}`; }

function table(heads, rows) {
  return html`<table class="offscreen"><thead><tr>${heads.map((h) => html`<th>${h}</th>`)}</tr></thead><tbody>${rows.map((r) => html`<tr>${r.map((c) => html`<td>${c}</td>`)}</tr>`)}</tbody></table>`;
}
