// The few pictures there are.

import { svg, html } from "../vendor/lit.js";

const shapes = {
  inbox: svg`<path d="M3 12h4l1.5 3h7L17 12h4M3 12l3-7h12l3 7v6a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z"/>`,
  outbox: svg`<path d="M21 3 10 14M21 3l-7 18-4-7-7-4z"/>`,
  search: svg`<circle cx="11" cy="11" r="6"/><path d="m20 20-4.5-4.5"/>`,
  compose: svg`<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4"/>`,
  mailboxes: svg`<path d="M4 7h16v12H4zM4 7l8 7 8-7"/>`,
  events: svg`<path d="M3 12h4l3-8 4 16 3-8h4"/>`,
  activity: svg`<circle cx="12" cy="12" r="2"/><path d="M7.8 16.2a6 6 0 0 1 0-8.4M16.2 7.8a6 6 0 0 1 0 8.4M5 19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14"/>`,
  webhooks: svg`<path d="M9 14a4 4 0 1 1 3-6.6M12 7.4 15 14M15 10a4 4 0 1 1-3.5 6H7"/>`,
  domains: svg`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>`,
  keys: svg`<circle cx="8" cy="15" r="4"/><path d="m11 12 9-9M16 7l3 3"/>`,
  suppressions: svg`<circle cx="12" cy="12" r="9"/><path d="m6 6 12 12"/>`,
  stats: svg`<path d="M4 20V10M10 20V4M16 20v-8M22 20H2"/>`,
  audit: svg`<path d="M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3"/>`,
  clip: svg`<path d="m20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.5 17a1.7 1.7 0 0 1-2.4-2.4L14.5 7"/>`,
  copy: svg`<path d="M9 9h11v11H9zM5 15H4V4h11v1"/>`,
  reply: svg`<path d="M10 6 4 12l6 6v-4c5 0 8 1 10 5 0-7-4-9-10-9z"/>`,
  all: svg`<path d="M7 6 1 12l6 6M12 6l-6 6 6 6v-4c5 0 8 1 10 5 0-7-4-9-10-9z"/>`,
  forward: svg`<path d="m14 6 6 6-6 6v-4c-5 0-8 1-10 5 0-7 4-9 10-9z"/>`,
  trash: svg`<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13"/>`,
  unseen: svg`<path d="M4 7h16v12H4zM4 7l8 7 8-7"/><circle cx="20" cy="5" r="2.5" fill="currentColor"/>`,
  back: svg`<path d="M15 5 8 12l7 7"/>`,
  more: svg`<path d="M4 7h16M4 12h16M4 17h16"/>`,
  out: svg`<path d="M10 4H4v16h6M15 8l4 4-4 4M19 12H9"/>`,
  help: svg`<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.1"/>`,
  down: svg`<path d="M12 4v12M7 11l5 5 5-5M4 20h16"/>`,
  down2: svg`<path d="m6 9 6 6 6-6"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
};

// icon returns a picture next to words that say the same; alone it needs a label on what it stands in.
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${shapes[name]}</svg>`;
}
