// Where in the console we are. It is all in the fragment of the address, so the server never sees what is looked at.

class Route extends EventTarget {
  page = "";
  id = "";
  params = new URLSearchParams();

  constructor() {
    super();
    addEventListener("hashchange", () => this.read());
  }

  read() {
    const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
    const [page = "", id = ""] = path.split("/");
    this.page = page;
    this.id = decoded(id);
    this.params = new URLSearchParams(query);
    this.dispatchEvent(new Event("change"));
  }
}

// decoded reads what a person may have typed.
function decoded(id) {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

export const route = new Route();

// to returns the address of a page.
export function to(page, id = "", params = {}) {
  const query = new URLSearchParams(Object.entries(params).filter(([, v]) => v)).toString();
  return `#/${page}${id && "/" + encodeURIComponent(String(id).toWellFormed())}${query && "?" + query}`;
}

// go opens a page.
export function go(page, id, params) {
  location.hash = to(page, id, params);
}
