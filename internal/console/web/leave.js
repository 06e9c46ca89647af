// The page between a link of a mail and where it leads: it says where that is, in letters that cannot deceive.

const show = (id, value) => { document.getElementById(id).textContent = value; };

function warn(sentence) {
  show("warning", sentence);
  document.getElementById("warning").hidden = false;
}

let url = null;
try {
  url = new URL(decodeURIComponent(location.hash.slice(1)));
} catch {
  warn("This is not an address that can be opened.");
}

if (url) {
  const known = ["http:", "https:", "mailto:"].includes(url.protocol);
  show("host", url.protocol === "mailto:" ? url.pathname : url.host || url.protocol);
  show("address", url.href.length > 2000 ? url.href.slice(0, 2000) + " …" : url.href);
  if (!known) {
    warn(`Links that begin with ${url.protocol} are not opened: they can run a program.`);
  } else {
    const open = document.getElementById("open");
    open.href = url.href;
    open.hidden = false;
    open.focus();
    if (url.hostname.includes("xn--")) warn("The name of this site has letters that look like others.");
    else if (url.username || url.password) warn("What stands before the @ is not the site's name.");
    else if (url.protocol === "http:") warn("This link is not encrypted: others on the way can read and change what you see.");
  }
}
