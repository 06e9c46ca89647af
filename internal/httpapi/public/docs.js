// Shows only the operations and schemas that have every word of the filter.
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
    if (event.key === "/" && document.activeElement !== filter) {
      event.preventDefault();
      filter.focus();
    }
  });
})();
