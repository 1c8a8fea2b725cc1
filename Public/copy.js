// Other words for the texts of an app, tried in the screen beside: the script
// walks its texts and puts the new ones in the old ones' places. Nothing is
// sent or saved but in this tab.
(() => {
  "use strict";
  const page = document.querySelector("[data-copy-deck]");
  if (!page) return;
  const rows = [...page.querySelectorAll("[data-copy-row]")];
  const frames = [...page.querySelectorAll("[data-preview-frame]")];
  const field = (row) => row.querySelector("[data-copy-new]");
  const flat = (text) => text.split(/\s+/).filter(Boolean).join(" ");
  const memory = `foyer-copy-${page.dataset.copyDeck}`;

  // Old words to new ones; rows with the same text share theirs, also those
  // a filter hides.
  let changes = {};
  try {
    changes = JSON.parse(sessionStorage.getItem(memory)) ?? {};
  } catch { /* nothing was kept */ }

  // --- in a screen --------------------------------------------------------

  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const variable = /\{[\w.]+\}/;
  const variables = /\{[\w.]+\}/g;

  // What finds an old text and what makes the new one of it. A text whose
  // variables stand in elements of their own comes in pieces: those are
  // matched one by one where the new text has as many.
  const finders = () => Object.entries(changes).flatMap(([old, now]) => {
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
        (said, name, i) => said.replace(name, () => found[i + 1]), now);
      return text.match(/^\s*/)[0] + filled + text.match(/\s*$/)[0];
    }
    return text;
  };

  // What each text and attribute was before anything was tried.
  const first = new WeakMap();
  const heard = ["aria-label", "alt", "placeholder", "title"];

  const retell = (frame) => {
    const inside = frame.contentDocument;
    if (!inside?.body) return;
    const known = finders();
    const texts = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!first.has(node)) first.set(node, node.data);
      const now = replaced(first.get(node), known);
      if (node.data !== now) node.data = now;
    }
    for (const element of inside.body.querySelectorAll(
      heard.map((name) => `[${name}]`).join(","))) {
      if (!first.has(element)) {
        first.set(element, Object.fromEntries(heard
          .filter((name) => element.hasAttribute(name))
          .map((name) => [name, element.getAttribute(name)])));
      }
      for (const [name, text] of Object.entries(first.get(element))) {
        const now = replaced(text, known);
        if (element.getAttribute(name) !== now) element.setAttribute(name, now);
      }
    }
  };

  // --- on the page --------------------------------------------------------

  const state = page.querySelector("[data-copy-state]");
  const acts = page.querySelector("[data-copy-acts]");
  const show = () => {
    for (const row of rows) {
      const now = changes[row.dataset.copyRow];
      row.classList.toggle("edited", now !== undefined);
      const input = field(row);
      if (input !== document.activeElement) input.value = now ?? "";
    }
    const count = Object.keys(changes).length;
    acts.hidden = count === 0;
    state.textContent = count === 0
      ? "No text changed. What is typed shows in the screen below; nothing is saved."
      : `${count} ${count === 1 ? "text" : "texts"} changed in this tab, nothing saved.`;
    try {
      sessionStorage.setItem(memory, JSON.stringify(changes));
    } catch { /* it is a convenience */ }
    frames.forEach(retell);
  };

  page.addEventListener("input", (event) => {
    const row = event.target.closest("[data-copy-row]");
    if (!row || !event.target.matches("[data-copy-new]")) return;
    const now = flat(event.target.value);
    const old = row.dataset.copyRow;
    if (now === "" || now === old) delete changes[old];
    else changes[old] = now;
    show();
  });

  // The screen a text is read on comes up when its field is entered.
  page.addEventListener("focusin", (event) => {
    const row = event.target.closest("[data-copy-row][data-show]");
    if (!row || !event.target.matches("[data-copy-new]")) return;
    const { show: address } = row.dataset;
    for (const frame of frames) {
      if (frame.getAttribute("src") !== address) frame.src = address;
    }
    const said = page.querySelector("[data-copy-shown]");
    const way = row.querySelector("[data-testid='copy.screen']");
    if (said && way) {
      said.textContent = way.textContent;
      said.href = way.href;
    }
  });

  for (const frame of frames) {
    frame.addEventListener("load", () => {
      retell(frame);
      // A screen that launches writes its texts a little later.
      const body = frame.contentDocument?.body;
      if (body) {
        new frame.contentWindow.MutationObserver(() => retell(frame))
          .observe(body, { childList: true, subtree: true });
      }
    });
  }

  // --- searching as one types ---------------------------------------------

  const search = page.querySelector("[data-search]");
  const total = document.querySelector("[data-copy-whole]");
  const many = (count) => `${count} ${count === 1 ? "text" : "texts"}`;

  // The address and what leads on from it say what was typed, too.
  const asked = (href) => {
    const url = new URL(href, location.href);
    const words = search.value.trim();
    if (words) url.searchParams.set("q", words);
    else url.searchParams.delete("q");
    return url.pathname + url.search;
  };
  const tell = () => {
    history.replaceState(history.state, "", asked(location.href));
    const ways = ".filters a[href], [data-testid='copy.csv']";
    for (const way of document.querySelectorAll(ways)) way.href = asked(way.href);
  };

  search?.addEventListener("input", () => {
    tell();
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const { copyRow, path = "", place } = row.dataset;
      const file = place.replace(/:\d+$/, "");
      const text = `${copyRow} ${path} ${file}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      left += row.hidden ? 0 : 1;
    }
    const whole = Number(total.dataset.copyWhole);
    total.textContent = left === whole ? many(whole) : `${left} of ${many(whole)}`;
  });

  // --- to hand over -------------------------------------------------------

  // Words that stand in several places are to be changed in each.
  const list = () => Object.entries(changes).flatMap(([old, now]) => {
    const places = rows.filter((row) => row.dataset.copyRow === old);
    return (places.length ? places : [undefined]).map((row) => ({
      old, new: now, place: row?.dataset.place ?? "",
      path: row?.dataset.path ?? "",
    }));
  });
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const put = async (text, said) => {
    try {
      await navigator.clipboard.writeText(text);
      window.foyer?.say(said);
    } catch {
      window.foyer?.say("The browser did not let it be copied");
    }
  };
  page.querySelector("[data-copy-csv]").addEventListener("click", () => {
    const lines = [["old", "new", "place", "path"]]
      .concat(list().map((c) => [c.old, c.new, c.place, c.path]));
    put(lines.map((line) => line.map(cell).join(",") + "\r\n").join(""),
      "Changes copied as CSV");
  });
  page.querySelector("[data-copy-json]").addEventListener("click", () =>
    put(JSON.stringify(list(), null, 2), "Changes copied as JSON"));
  page.querySelector("[data-copy-reset]").addEventListener("click", () => {
    changes = {};
    show();
    search?.focus();
  });

  show();
})();
