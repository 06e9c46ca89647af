// Shows only the operations and schemas that have every word of the filter; copies samples; tries an operation.
(() => {
  const filter = document.getElementById("filter");
  const form = document.getElementById("search-form");
  const count = document.getElementById("count");
  const entries = [...document.querySelectorAll("article")].map((article) => ({
    article,
    link: document.querySelector(`nav [data-for="${article.id}"]`),
    text: article.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("main section")];

  function show() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { article, link, text } of entries) {
      const hide = !words.every((word) => text.includes(word));
      article.hidden = hide;
      if (link) link.hidden = hide;
      if (!hide) shown++;
    }
    for (const group of groups) {
      group.hidden = words.length > 0 && !group.querySelector("article:not([hidden])");
    }
    count.textContent = words.length > 0 ? `${shown} of ${entries.length}` : "";
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, textarea")) {
      event.preventDefault();
      filter.focus();
    }
  });

  // The key of the console in this tab, if there is one; another can be typed. It goes into requests to this host alone.
  const keyForm = document.getElementById("key-form");
  const key = document.getElementById("key");
  const own = sessionStorage.getItem("mailkin.key") ?? "";
  key.value = own;
  document.getElementById("key-about").textContent = own ? "That of the console in this tab." : "The console has none in this tab.";
  keyForm.hidden = false;
  keyForm.addEventListener("submit", (event) => event.preventDefault());

  function make(name, text = "", attributes = {}) {
    const element = document.createElement(name);
    element.textContent = text;
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    return element;
  }

  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without a secure connection browsers have no clipboard; the old way still works.
      const area = make("textarea", "", { class: "hidden" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  // What is closed is not prepared: there are hundreds of samples.
  document.addEventListener("toggle", (event) => {
    const details = event.target;
    if (!details.open || details.dataset.ready) return;
    details.dataset.ready = "yes";
    if (details.matches(".samples")) for (const pre of details.querySelectorAll("pre")) copyable(pre);
    if (details.matches(".trying")) details.append(trial(details.closest("article")));
  }, true);

  function copyable(pre) {
    const box = make("div", "", { class: "copied" });
    const button = make("button", "Copy", { type: "button" });
    button.addEventListener("click", () => copy(pre.textContent, button));
    pre.replaceWith(box);
    box.append(pre, button);
  }

  for (const article of document.querySelectorAll("article[data-path]")) {
    const details = make("details", "", { class: "trying" });
    details.append(make("summary", "Try it"));
    article.querySelector(".samples").after(details);
  }

  const longest = 100_000; // characters of an answer
  const patience = 60_000; // milliseconds

  // trial is a form for an operation, and what the server answers.
  function trial(article) {
    const { method, path, media } = article.dataset;
    const form = make("form", "", { class: "try" });
    const fields = [...article.querySelectorAll("tr[data-name]")].filter((row) => row.dataset.in !== "header");
    for (const row of fields) {
      const input = make("input", "", { name: `${row.dataset.in} ${row.dataset.name}`, autocomplete: "off", spellcheck: "false", placeholder: row.dataset.example });
      const label = make("label");
      label.append(make("code", row.dataset.name), input);
      form.append(label);
      if (row.dataset.in === "path") input.required = true;
    }
    if (media) {
      const body = make("textarea", "", { name: "body", rows: "8", spellcheck: "false", "aria-label": "Body" });
      body.value = article.querySelector("details:not(.samples):not(.trying) pre")?.textContent ?? "";
      form.append(body);
    }
    const button = make("button", `Send ${method}`, { class: method === "DELETE" ? "danger" : "" });
    const output = make("output", "", { "aria-live": "polite" });
    form.append(make("div"));
    form.lastChild.append(button);
    form.append(output);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      output.replaceChildren(make("p", "Asking…"));
      const began = performance.now();
      try {
        const response = await send(new FormData(form), method, path, media);
        const text = await read(response);
        const heading = make("p");
        heading.append(make("b", String(response.status)), ` ${response.headers.get("Content-Type") ?? ""}, ${Math.round(performance.now() - began)} ms`);
        output.replaceChildren(heading, make("pre", text, { tabindex: "0", "aria-label": "Answer" }));
      } catch (e) {
        output.replaceChildren(make("p", e.name === "TypeError" ? "The server cannot be reached." : e.message));
      } finally {
        button.disabled = false;
      }
    });
    return form;
  }

  function send(values, method, path, media) {
    const query = new URLSearchParams();
    let to = path;
    let body;
    for (const [name, value] of values) {
      const [where, of] = name.split(" ");
      if (where === "body") body = value;
      else if (where === "path") to = to.replace(`{${of}}`, encodeURIComponent(value));
      else if (value !== "") query.set(of, value);
    }
    const headers = {};
    if (key.value) headers.Authorization = `Bearer ${key.value.trim()}`;
    if (body !== undefined && body !== "") headers["Content-Type"] = media.includes("application/json") ? "application/json" : media.split(",")[0];
    const text = query.toString();
    return fetch(new URL(`.${to}${text && "?"}${text}`, document.baseURI), { method, headers, body: body || undefined, cache: "no-store", referrerPolicy: "no-referrer", signal: AbortSignal.timeout(patience) });
  }

  // read gives the beginning of an answer; a stream ends with it, or when its time is over.
  async function read(response) {
    if (!response.body) return "";
    let text = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      while (text.length < longest) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
      }
    } catch {
      // What came before stays.
    }
    reader.cancel().catch(() => {});
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text.slice(0, longest);
    }
  }
})();
