// Previews replacements for an app's texts: the script replaces them in the
// screen's document. They are stored in this tab only.
(() => {
  "use strict";
  const page = document.querySelector("[data-copy-deck]");
  if (!page) return;
  const rows = [...page.querySelectorAll("[data-copy-row]")];
  const frames = [...page.querySelectorAll("[data-preview-frame]")];
  const field = (row) => row.querySelector("[data-copy-replacement]");
  const flat = (text) => text.split(/\s+/).filter(Boolean).join(" ");
  const storageKey = `foyer-copy-${page.dataset.copyDeck}`;

  // Replacements by original text; shared by rows with the same text, including
  // filtered ones.
  let changes = {};
  try {
    changes = JSON.parse(sessionStorage.getItem(storageKey)) ?? {};
  } catch { /* nothing stored */ }

  // --- in a screen --------------------------------------------------------

  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const variable = /\{[\w.]+\}/;
  const variables = /\{[\w.]+\}/g;

  // The patterns of the replaced texts. A text whose variables are elements of
  // their own consists of several text nodes: these are matched one by one if the
  // replacement has as many.
  const matchers = () => Object.entries(changes).flatMap(([old, now]) => {
    const all = [{
      find: new RegExp(
        `^${old.split(variable).map(literal).join("(.+?)")}$`, "s"),
      names: old.match(variables) ?? [], now,
    }];
    if (variable.test(old)) {
      const before = old.split(variable).map(flat);
      const after = now.split(variable).map(flat);
      if (before.length === after.length) {
        before.forEach((piece, i) => piece.length > 1 && all.push(
          { find: new RegExp(`^${literal(piece)}$`), names: [], now: after[i] }));
      }
    }
    return all;
  });

  const replaced = (text, known) => {
    const bare = flat(text);
    if (!bare) return text;
    for (const { find, names, now } of known) {
      const found = bare.match(find);
      if (!found) continue;
      const filled = names.reduce(
        (text, name, i) => text.replace(name, () => found[i + 1]), now);
      return text.match(/^\s*/)[0] + filled + text.match(/\s*$/)[0];
    }
    return text;
  };

  // The original of each text and attribute.
  const originals = new WeakMap();
  const textAttributes = ["aria-label", "alt", "placeholder", "title"];

  const replaceTexts = (frame) => {
    const inside = frame.contentDocument;
    if (!inside?.body) return;
    const known = matchers();
    const texts = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!originals.has(node)) originals.set(node, node.data);
      const now = replaced(originals.get(node), known);
      if (node.data !== now) node.data = now;
    }
    for (const element of inside.body.querySelectorAll(
      textAttributes.map((name) => `[${name}]`).join(","))) {
      if (!originals.has(element)) {
        originals.set(element, Object.fromEntries(textAttributes
          .filter((name) => element.hasAttribute(name))
          .map((name) => [name, element.getAttribute(name)])));
      }
      for (const [name, text] of Object.entries(originals.get(element))) {
        const now = replaced(text, known);
        if (element.getAttribute(name) !== now) element.setAttribute(name, now);
      }
    }
  };

  // --- on the page --------------------------------------------------------

  const state = page.querySelector("[data-copy-state]");
  const actions = page.querySelector("[data-copy-actions]");
  const show = () => {
    for (const row of rows) {
      const now = changes[row.dataset.copyRow];
      row.classList.toggle("edited", now !== undefined);
      const input = field(row);
      if (input !== document.activeElement) input.value = now ?? "";
    }
    const count = Object.keys(changes).length;
    actions.hidden = count === 0;
    state.textContent = count === 0
      ? "No text changed. Preview below, not saved."
      : `${count} ${count === 1 ? "text" : "texts"} changed in this tab, not saved.`;
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(changes));
    } catch { /* optional */ }
    frames.forEach(replaceTexts);
  };

  page.addEventListener("input", (event) => {
    const row = event.target.closest("[data-copy-row]");
    if (!row || !event.target.matches("[data-copy-replacement]")) return;
    const now = flat(event.target.value);
    const old = row.dataset.copyRow;
    if (now === "" || now === old) delete changes[old];
    else changes[old] = now;
    show();
  });

  // Focusing a field shows a screen with its text.
  page.addEventListener("focusin", (event) => {
    const row = event.target.closest("[data-copy-row][data-show]");
    if (!row || !event.target.matches("[data-copy-replacement]")) return;
    const { show: address } = row.dataset;
    for (const frame of frames) {
      if (frame.getAttribute("src") !== address) frame.src = address;
    }
    const previewLink = page.querySelector("[data-preview-link]");
    const screenLink = row.querySelector("[data-testid='copy.screen']");
    if (previewLink && screenLink) {
      previewLink.textContent = screenLink.textContent;
      previewLink.href = screenLink.href;
    }
  });

  for (const frame of frames) {
    frame.addEventListener("load", () => {
      replaceTexts(frame);
      // A launch screen writes its texts later.
      const body = frame.contentDocument?.body;
      if (body) {
        new frame.contentWindow.MutationObserver(() => replaceTexts(frame))
          .observe(body, { childList: true, subtree: true });
      }
    });
  }

  // --- search -------------------------------------------------------------

  const search = page.querySelector("[data-search]");
  const total = document.querySelector("[data-copy-total]");
  const many = (count) => `${count} ${count === 1 ? "text" : "texts"}`;

  // The URL and the links contain the search term.
  const withSearch = (href) => {
    const url = new URL(href, location.href);
    const words = search.value.trim();
    if (words) url.searchParams.set("q", words);
    else url.searchParams.delete("q");
    return url.pathname + url.search;
  };
  const updateLinks = () => {
    history.replaceState(history.state, "", withSearch(location.href));
    const links = ".filters a[href], [data-testid='copy.csv']";
    for (const link of document.querySelectorAll(links)) link.href = withSearch(link.href);
  };

  search?.addEventListener("input", () => {
    updateLinks();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let matchCount = 0;
    for (const row of rows) {
      const { copyRow, path = "", location: source } = row.dataset;
      const file = source.replace(/:\d+$/, "");
      const text = `${copyRow} ${path} ${file}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      matchCount += row.hidden ? 0 : 1;
    }
    const totalCount = Number(total.dataset.copyTotal);
    total.textContent = matchCount === totalCount
      ? many(totalCount) : `${matchCount} of ${many(totalCount)}`;
  });

  // --- export -------------------------------------------------------------

  // One entry for each source of a text.
  const list = () => Object.entries(changes).flatMap(([old, now]) => {
    const sources = rows.filter((row) => row.dataset.copyRow === old);
    return (sources.length ? sources : [undefined]).map((row) => ({
      old, new: now, location: row?.dataset.location ?? "",
      path: row?.dataset.path ?? "",
    }));
  });
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const copyText = async (text, message) => {
    try {
      await navigator.clipboard.writeText(text);
      window.foyer?.showToast(message);
    } catch {
      window.foyer?.showToast("Couldn't copy to the clipboard");
    }
  };
  page.querySelector("[data-copy-csv]").addEventListener("click", () => {
    const lines = [["old", "new", "location", "path"]]
      .concat(list().map((c) => [c.old, c.new, c.location, c.path]));
    copyText(lines.map((line) => line.map(cell).join(",") + "\r\n").join(""),
      "Changes copied as CSV");
  });
  page.querySelector("[data-copy-json]").addEventListener("click", () =>
    copyText(JSON.stringify(list(), null, 2), "Changes copied as JSON"));
  page.querySelector("[data-copy-reset]").addEventListener("click", () => {
    changes = {};
    show();
    search?.focus();
  });

  show();
})();
