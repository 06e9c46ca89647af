// Where in the console we are: /console/m/{mailbox}/{page}/{id} for what belongs to a mailbox, /console/{page} for what
// belongs to the deployment. The address of a page says all of it, so that links and the browser's Back are right.

import { session } from "./session.js";

// root is the address of the service, which need not be at the root of its host.
export const root = new URL("../../../../", import.meta.url);
const under = new URL("console", root).pathname;

// shared are the pages that belong to no mailbox; pages.js says which.
const shared = new Set();

// share declares a page of the deployment.
export function share(page) { shared.add(page); }

class Route extends EventTarget {
  mailbox = ""; // the one that the address names; empty: none
  page = "";
  id = "";
  params = new URLSearchParams();

  constructor() {
    super();
    addEventListener("popstate", () => this.read());
    document.addEventListener("click", (e) => follow(e));
  }

  read() {
    const old = location.hash.match(/^#\/(.*)$/); // links of earlier versions
    if (old) {
      const [path, query = ""] = old[1].split("?");
      const [page, id = ""] = path.split("/").map(decoded);
      history.replaceState(null, "", to(page, id, Object.fromEntries(new URLSearchParams(query))));
    }
    const parts = location.pathname.slice(under.length + 1).split("/").map(decoded);
    this.mailbox = parts[0] === "m" ? parts[1] ?? "" : "";
    [this.page = "", this.id = ""] = parts.slice(parts[0] === "m" ? 2 : 0);
    this.params = new URLSearchParams(location.search);
    if (this.mailbox && session.operator) session.look(this.mailbox);
    this.dispatchEvent(new Event("change"));
  }
}

// follow opens links between pages without loading the document again.
function follow(e) {
  const link = e.target.closest?.("a[href]");
  if (!link || e.defaultPrevented || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  if (link.target || link.hasAttribute("download") || !ours(link)) return;
  e.preventDefault();
  open(link.href);
}

function ours(link) {
  const { origin, pathname, hash } = link;
  return origin === location.origin && !hash && (pathname === under || pathname.startsWith(`${under}/`)) && !/\/console\/(leave|frame|files)\b/.test(pathname);
}

// decoded reads what a person may have typed.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const encoded = (text) => encodeURIComponent(String(text).toWellFormed()).replaceAll("%40", "@");

// to returns the address of a page, of the mailbox that is looked at unless another is named.
export function to(page, id = "", params = {}, mailbox = session.mailbox) {
  const query = new URLSearchParams(Object.entries(params).filter(([, v]) => v)).toString();
  const of = shared.has(page) || !mailbox ? "" : `/m/${encoded(mailbox)}`;
  return `${under}${of}/${page}${id && "/" + encoded(id)}${query && "?" + query}`;
}

// open goes to an address of ours.
export function open(href) {
  if (href !== location.href && href !== location.pathname + location.search) history.pushState({ ours: true }, "", href);
  route.read();
}

// back goes to the page of the console that was shown before, or to another where there is none.
export function back(page) { if (history.state?.ours) history.back(); else go(page); }

// go opens a page.
export function go(...where) { open(to(...where)); }

// settle gives the page that is shown another address, which Back does not know of.
export function settle(...where) {
  history.replaceState(history.state, "", to(...where));
  route.read();
}

export const route = new Route();
addEventListener("hashchange", () => { if (/^#\//.test(location.hash)) route.read(); });
