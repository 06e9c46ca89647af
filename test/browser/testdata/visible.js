// What a person sees of the page, as text: every word is measured, what cannot be seen is taken out, and the rest is
// read as the browser itself writes text.
(() => {
  for (const d of document.querySelectorAll("details")) d.open = true;
  for (const a of document.getAnimations()) try { a.finish(); } catch { } // an endless one has no end

  const tiny = 3;         // pixels: text that is lower is not read
  const faint = 0.1;      // opacity
  const alike = 16;       // steps of a colour channel that nobody can tell apart on text
  const far = 3000;       // pixels to the right or below of everything: nobody scrolls there

  const styles = new Map();
  const styleOf = (e) => { let s = styles.get(e); if (!s) styles.set(e, s = getComputedStyle(e)); return s; };

  const numbers = (s) => (s.match(/-?[\d.]+(?:e[-+]?\d+)?/g) ?? []).map(Number);
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // colour as [r, g, b, a]; what the browser does not resolve to rgb() is painted to see what it is.
  const colour = (s) => {
    if (/^rgba?\(/.test(s)) { const n = numbers(s); return [n[0], n[1], n[2], n[3] ?? 1]; }
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = s;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const colours = (s) => (s.match(/(?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)/g) ?? []).map(colour);
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);

  // canvas is the colour of the paper: white, unless the page is made for the dark alone.
  const sheet = document.documentElement.appendChild(document.createElement("i"));
  sheet.style.cssText = "all: initial; background: Canvas; color-scheme: inherit";
  const canvas = colour(getComputedStyle(sheet).backgroundColor);
  sheet.remove();

  // background behind an element: a colour, or null where a picture may be anything.
  const behind = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) {
      const s = styleOf(e);
      if (s.backgroundImage !== "none" && s.webkitBackgroundClip !== "text") {
        const flat = colours(s.backgroundImage);
        const same = flat.length && flat.every((c) => c[3] === 1 && [0, 1, 2].every((i) => Math.abs(c[i] - flat[0][i]) < alike));
        if (!same || s.backgroundImage.includes("url(") || s.backgroundSize !== "auto") return null;
        layers.push(flat[0]);
        break;
      }
      const c = colour(s.backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    let c = canvas;
    while (layers.length) c = over(layers.pop(), c);
    return c;
  };

  // cutOut says whether the text is cut out of a picture or a gradient behind it.
  const cutOut = (e) => {
    for (; e; e = e.parentElement) {
      if (styleOf(e).webkitBackgroundClip === "text" && styleOf(e).backgroundImage !== "none") return true;
    }
    return false;
  };

  const sameColour = (e) => {
    const s = styleOf(e);
    if (s.textShadow !== "none" || cutOut(e)) return false;
    const ink = colour(e.namespaceURI.endsWith("svg") ? s.fill : s.webkitTextFillColor);
    if (ink[3] < faint) return true;
    const ground = behind(e);
    if (!ground) return false;
    const seen = over(ink, ground);
    return [0, 1, 2].every((i) => Math.abs(seen[i] - ground[i]) < alike);
  };

  const emptyClip = (s) => {
    const p = s.clipPath;
    if (!p || p === "none") return false;
    const n = numbers(p);
    if (p.startsWith("circle")) return n.length > 0 && (/circle\(0/.test(p) || n[1] <= -n[0] || n[2] <= -n[0]);
    if (p.startsWith("ellipse")) return /ellipse\(0/.test(p);
    if (p.startsWith("inset")) {
      const percent = p.slice(6).split(" round")[0].match(/[\d.]+%/g)?.map(parseFloat) ?? [];
      const [t, r = t, b = t, l = r] = percent;
      return percent.length > 0 && (t + b >= 100 || r + l >= 100);
    }
    const path = p.startsWith("path"), points = [];
    if (path) {
      const d = document.createElementNS("http://www.w3.org/2000/svg", "path");
      d.setAttribute("d", p.match(/"(.*)"/)?.[1] ?? "");
      for (let i = 0, all = d.getTotalLength(); i <= 64; i++) {
        const at = d.getPointAtLength(all * i / 64);
        points.push([at.x, at.y]);
      }
    } else if (p.startsWith("polygon")) {
      for (let i = 0; i + 1 < n.length; i += 2) points.push([n[i], n[i + 1]]);
    } else {
      return false;
    }
    const size = points.reduce((sum, [x, y], i) => {
      const [x2, y2] = points[(i + 1) % points.length];
      return sum + x * y2 - x2 * y;
    }, 0);
    return Math.abs(size) < 1 || points.every(([x]) => x <= 0) || points.every(([, y]) => y <= 0);
  };

  // A mask that is not loaded hides, as one without a colour does.
  const emptyMask = (s) => s.maskImage && s.maskImage !== "none" &&
    (s.maskSize.startsWith("0px") || colours(s.maskImage).every((c) => c[3] < faint));

  // A filter that blurs, or that paints the text and what is behind it in one colour.
  const unreadable = (s) => {
    const amount = (name) => { const m = s.filter.match(new RegExp(name + "\\(([\\d.]+)")); return m ? Number(m[1]) : NaN; };
    const flat = amount("brightness") < 0.1 || amount("contrast") < 0.1 || Math.abs(amount("invert") - 0.5) < 0.1;
    return amount("blur") >= 4 || flat && colour(s.backgroundColor)[3] === 1;
  };

  // Nobody sees what is behind the eye, or stretched beyond all measure.
  const beyond = (e, s) => {
    const n = numbers(s.transform.replace(/^matrix(3d)?/, ""));
    const eye = parseFloat(e.parentElement ? styleOf(e.parentElement).perspective : "none");
    return n.some((x) => Math.abs(x) > 1e6) || n.length === 16 && (n[15] <= 0 || n[14] >= eye);
  };

  // column is the one that a cell stands in, if the table names it.
  const column = (cell) => [...cell.closest("table").querySelectorAll("col")][cell.cellIndex];

  // what an element does to all that is in it; computed once.
  const fates = new Map();
  const fate = (e) => {
    if (!e) return { gone: false, opacity: 1 };
    let f = fates.get(e);
    if (f) return f;
    const up = fate(e.parentElement), s = styleOf(e);
    f = { gone: up.gone, opacity: up.opacity * Number(s.opacity) };
    for (const m of s.filter.matchAll(/opacity\(([\d.]+)(%?)\)/g)) f.opacity *= m[1] / (m[2] ? 100 : 1);
    if (emptyClip(s)) f.gone = true;
    if (emptyMask(s) || unreadable(s) || beyond(e, s)) f.gone = true;
    if (e.localName === "td" && e.closest("table") && column(e) && styleOf(column(e)).visibility === "collapse") f.gone = true;
    f.fixed = up.fixed || s.position === "fixed";
    const turned = s.transform.startsWith("matrix3d") && numbers(s.transform.slice(9))[10] < 0;
    if (turned && s.backfaceVisibility === "hidden") f.gone = true;
    fates.set(e, f);
    return f;
  };

  const cut = (a, { left = -1e9, top = -1e9, right = 1e9, bottom = 1e9 }) => ({
    left: Math.max(a.left, left), top: Math.max(a.top, top),
    right: Math.min(a.right, right), bottom: Math.min(a.bottom, bottom),
  });

  // clipped gives what is left of a box inside all that cuts it off.
  const clipped = (box, e) => {
    let absolute = false;
    for (; e && e !== document.documentElement && e !== document.body; e = e.parentElement) {
      const s = styleOf(e);
      const held = !absolute || s.position !== "static" || s.transform !== "none";
      if (held && s.display !== "inline" && s.display !== "contents") {
        const r = e.getBoundingClientRect();
        // What scrolls is within reach, unless there is no room to scroll in.
        const scrolls = (v, size) => (v === "auto" || v === "scroll") && size > tiny;
        const paints = /strict|content|paint/.test(s.contain);
        const cuts = (v, size) => (paints || v !== "visible") && !scrolls(v, size);
        if (cuts(s.overflowX, r.width)) box = cut(box, { left: r.left, right: r.right });
        if (cuts(s.overflowY, r.height)) box = cut(box, { top: r.top, bottom: r.bottom });
        absolute = false;
      }
      if (s.position === "absolute" || s.position === "fixed") {
        absolute = true;
        const m = s.clip.match(/^rect\((.*)\)$/);
        if (m) {
          const r = e.getBoundingClientRect();
          const [t, ri, b, l] = m[1].split(/,\s*/);
          const px = (v, auto) => v === "auto" ? auto : parseFloat(v);
          box = cut(box, { top: r.top + px(t, -1e9), right: r.left + px(ri, 1e9),
            bottom: r.top + px(b, 1e9), left: r.left + px(l, -1e9) });
        }
      }
    }
    return box;
  };

  const range = document.createRange();
  // covered says whether something opaque stands before the middle of a box.
  const covered = (b, e) => {
    const x = (b.left + b.right) / 2, y = (b.top + b.bottom) / 2;
    const top = document.elementFromPoint(x, y);
    if (!top || top.contains(e)) return false;
    return ["absolute", "fixed"].includes(styleOf(top).position) && colour(styleOf(top).backgroundColor)[3] === 1;
  };
  const seen = (node, from, to) => {
    const e = node.parentElement;
    const { fixed } = fate(e);
    range.setStart(node, from);
    range.setEnd(node, to);
    let some = false;
    for (const r of range.getClientRects()) {
      const b = clipped(r, e);
      const w = b.right - b.left, h = b.bottom - b.top;
      if (w < 1 || h < tiny || b.right <= 0 || b.bottom <= 0 || b.left > innerWidth + far || b.top > 1e6) continue;
      if (fixed && (b.top >= innerHeight || b.left >= innerWidth) || covered(b, e)) continue;
      some = true;
    }
    return some;
  };

  // boxOf is the element whose box the text stands in: display:contents has none.
  const boxOf = (e) => { while (styleOf(e).display === "contents") e = e.parentElement; return e; };

  const texts = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || e.localName === "style") continue; // a sheet that is emptied no longer applies
    const f = fate(e), s = styleOf(e);
    const hidden = f.gone || f.opacity < faint || s.visibility !== "visible" ||
      parseFloat(s.fontSize) < tiny || !boxOf(e).checkVisibility() ||
      e.closest("defs, symbol, clipPath, mask, marker, pattern") || sameColour(e);
    if (hidden) { texts.push([n, ""]); continue; }
    let data = "", at = 0, dropped = false;
    for (const m of n.data.matchAll(/\S+/g)) {
      data += n.data.slice(at, m.index);
      if (seen(n, m.index, m.index + m[0].length)) data += m[0]; else dropped = true;
      at = m.index + m[0].length;
    }
    if (dropped) texts.push([n, data + n.data.slice(at)]);
  }
  for (const [n, data] of texts) n.data = data;
  // On the screen, and no text of the page: a reader may take it or leave it.
  const also = [...document.querySelectorAll("img[alt], input[type=image][alt]")].map((e) => e.alt);
  for (const ol of document.querySelectorAll("ol")) {
    [...ol.children].forEach((_, i) => also.push(String(ol.start + i)));
  }
  for (const option of document.querySelectorAll("option")) if (option.selected) also.push(option.text);
  return { text: document.body?.innerText ?? "", also: also.join(" "), mode: document.compatMode };
})()
