// Charts, drawn as SVG. Each has the same numbers as a table for those who do not see it.

import { html, nothing, svg } from "../vendor/lit.js";
import { bytesOf, count, plural } from "../app/format.js";

const width = 560;
const height = 180;
const left = 58;
const below = 22;

const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" });
const nameOf = (d) => (d.hour ? hour : short).format(d.at);
const longName = (d) => (d.hour ? `${short.format(d.at)}, ${hour.format(d.at)}` : short.format(d.at));

// tip is what is said of a place of a chart while the pointer is there.
function tip(x, text) {
  const right = x > width * 0.6;
  return svg`<text class="tip" x=${right ? x - 4 : x + 4} y="12" text-anchor=${right ? "end" : "start"}>${text}</text>`;
}

// ticks are a few round numbers up to the largest.
function ticks(most) {
  const step = [1, 2, 5].flatMap((n) => Array.from({ length: 15 }, (_, e) => n * 10 ** e)).sort((a, b) => a - b).find((s) => most / s <= 4) ?? most;
  const list = [];
  for (let v = 0; v < most + step; v += step) list.push(v);
  return list;
}

// scale gives the place of a value, and what is drawn behind all values.
function scale(most, write) {
  const marks = ticks(most);
  const y = (v) => (height - below) * (1 - v / marks.at(-1)) + 4;
  return { y, grid: marks.map((v) => svg`<line class="grid" x1=${left} x2=${width} y1=${y(v)} y2=${y(v)}></line><text x=${left - 6} y=${y(v) + 4} text-anchor="end">${write(v)}</text>`) };
}

// names writes a few of the days below.
function names(days, place) {
  const step = Math.ceil(days.length / 6);
  return days.map((d, i) => ((days.length - 1 - i) % step === Math.floor(step / 2) ? svg`<text x=${place(i)} y=${height + 2} text-anchor="middle">${nameOf(d)}</text>` : nothing));
}

// bars draws what came in and went out on each day, or in each hour where they are hours.
export function bars(days) {
  const what = days[0]?.hour ? "hour" : "day";
  const { y, grid } = scale(Math.max(1, ...days.flatMap((d) => [d.received, d.sent])), (v) => (v >= 1000 ? `${v / 1000}k` : v));
  const each = (width - left) / days.length;
  const bar = (kind, v, x) => svg`<rect class=${kind} x=${x} y=${y(v)} width=${each * 0.36} height=${y(0) - y(v)} rx=${Math.min(1.5, each * 0.1)}></rect>`;
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${height + 6}" role="img" aria-label="Messages in and out per ${what}">${grid}
    ${days.map((d, i) => {
      const x = left + i * each;
      const says = `${longName(d)}: ${count(d.received)} in, ${count(d.sent)} out`;
      return svg`<g><title>${says}</title><rect class="hit" x=${x} y="0" width=${each} height=${height}></rect>
        ${bar("in", d.received, x + each * 0.13)}${bar("out", d.sent, x + each * 0.51)}${tip(x + each / 2, says)}</g>`;
    })}${names(days, (i) => left + (i + 0.5) * each)}</svg>
    <figcaption><span class="key in">in ${count(days.reduce((n, d) => n + d.received, 0))}</span><span class="key out">out ${count(days.reduce((n, d) => n + d.sent, 0))}</span></figcaption>
    ${table([what === "hour" ? "Hour" : "Day", "In", "Out"], days.map((d) => [longName(d), d.received, d.sent]))}</figure>`;
}

// verdicts draws what screening found in each day or hour: what is not clean, above what it is a part of.
export function verdicts(days) {
  const what = days[0]?.hour ? "hour" : "day";
  const sum = (name) => days.reduce((n, d) => n + d[name], 0);
  const { y, grid } = scale(Math.max(1, ...days.map((d) => d.dangerous + d.flagged)), (v) => (v >= 1000 ? `${v / 1000}k` : v));
  const each = (width - left) / days.length;
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${height + 6}" role="img" aria-label="Flagged and dangerous messages per ${what}">${grid}
    ${days.map((d, i) => {
      const x = left + i * each;
      const says = `${longName(d)}: ${count(d.dangerous)} dangerous, ${count(d.flagged)} flagged, ${count(d.clean)} clean`;
      const piece = (kind, from, n) => svg`<rect class="part ${kind}" x=${x + each * 0.2} y=${y(from + n)} width=${each * 0.6} height=${y(0) - y(n)}></rect>`;
      return svg`<g><title>${says}</title><rect class="hit" x=${x} y="0" width=${each} height=${height}></rect>
        ${piece("bad", 0, d.dangerous)}${piece("warn", d.dangerous, d.flagged)}${tip(x + each / 2, says)}</g>`;
    })}${names(days, (i) => left + (i + 0.5) * each)}</svg>
    <figcaption><span class="key bad">dangerous ${count(sum("dangerous"))}</span><span class="key warn">flagged ${count(sum("flagged"))}</span><span class="key good">clean ${count(sum("clean"))}</span></figcaption>
    ${table([what === "hour" ? "Hour" : "Day", "Dangerous", "Flagged", "Clean"], days.map((d) => [longName(d), d.dangerous, d.flagged, d.clean]))}</figure>`;
}

// area draws how many bytes there were at the end of each day.
export function area(points) {
  const { y, grid } = scale(Math.max(1000, ...points.map((p) => p.value)), bytesOf);
  const each = (width - left) / points.length;
  const x = (i) => left + (i + 0.5) * each;
  const line = points.map((p, i) => `${x(i)},${y(p.value)}`).join(" ");
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${height + 6}" role="img" aria-label="Bytes that are stored, by day">${grid}
    <polygon class="under" points="${x(0)},${y(0)} ${line} ${x(points.length - 1)},${y(0)}"></polygon><polyline class="over" points=${line}></polyline>
    ${points.map((p, i) => svg`<g><title>${longName(p)}: ${bytesOf(p.value)}</title><rect class="hit" x=${left + i * each} y="0" width=${each} height=${height}></rect>${tip(x(i), `${longName(p)}: ${bytesOf(p.value)}`)}
      <circle class="in" cx=${x(i)} cy=${y(p.value)} r=${points.length > 31 ? 1.5 : 2.5}></circle></g>`)}${names(points, x)}</svg>
    ${table(["Day", "Stored"], points.map((p) => [nameOf(p), bytesOf(p.value)]))}</figure>`;
}

const colours = { delivered: "good", captured: "plain", sent: "plain", queued: "plain", delivery_delayed: "warn", held: "warn", on_hold: "warn", scheduled: "plain", bounced: "bad", failed: "bad", complained: "worse" };

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
  if (seconds.length === 0) return html`<p class="soft">No mail with a code.</p>`;
  const rows = steps.map(([name, to], i) => [name, seconds.filter((s) => s < to && s >= (steps[i - 1]?.[1] ?? 0)).length]);
  const most = Math.max(...rows.map(([, n]) => n));
  const sorted = [...seconds].sort((a, b) => a - b);
  return html`<figure class="chart"><svg viewBox="0 0 ${width} ${rows.length * 26}" role="img" aria-label="How long mail with a code took">
    ${rows.map(([name, n], i) => svg`<text x="124" y=${i * 26 + 17} text-anchor="end">${name}</text>
      <rect class="in" x="132" y=${i * 26 + 5} width=${((width - 184) * n) / most} height="16" rx="2"></rect><text x=${140 + ((width - 184) * n) / most} y=${i * 26 + 17}>${n}</text>`)}</svg>
    <figcaption><span class="key">half within ${time(sorted[Math.floor((sorted.length - 1) / 2)])}</span><span class="key">the slowest ${time(sorted.at(-1))}</span></figcaption>
    ${table(["Time", "Messages"], rows)}</figure>`;
}

function time(s) { return s < 120 ? `${s.toFixed(1)} s` : plural(Math.round(s / 60), "minute"); }

function table(heads, rows) {
  return html`<div class="offscreen"><table><thead><tr>${heads.map((h) => html`<th>${h}</th>`)}</tr></thead><tbody>${rows.map((r) => html`<tr>${r.map((c) => html`<td>${c}</td>`)}</tr>`)}</tbody></table></div>`;
}
