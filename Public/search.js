// Search everything: a dialog over every page, opened by Ctrl K, ⌘K, or / on a
// page without a search field. ? opens the list of shortcuts.
(() => {
  "use strict";
  const opener = document.querySelector("[data-search-everything]");
  if (!opener) return;

  const results = async (text) => {
    const url = new URL(opener.href);
    url.searchParams.set("q", text);
    url.searchParams.set("part", "results");
    const response = await fetch(url, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
  };

  // Shows the results of what was typed last; the arrow keys move between the
  // field and the results.
  const activate = (container, field, list) => {
    let newest = 0;
    let timer;
    const update = async () => {
      newest += 1;
      const number = newest;
      try {
        const html = await results(field.value);
        if (number === newest) list.innerHTML = html;
      } catch {
        if (number !== newest) return;
        list.textContent = "Foyer did not respond. Is it still running?";
      }
    };
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(update, 80);
    });
    container.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const stops = [field, ...list.querySelectorAll("a")];
      const index = stops.indexOf(document.activeElement);
      if (index < 0) return;
      event.preventDefault();
      stops[Math.max(0, Math.min(index + step, stops.length - 1))].focus();
    });
    field.form.addEventListener("submit", (event) => {
      const first = list.querySelector("a");
      if (!first || newest === 0) return;
      event.preventDefault();
      first.click();
    });
  };

  const page = document.querySelector("[data-search-results]");
  if (page) {
    const field = document.querySelector(".search-everything [name=q]");
    activate(field.closest("main"), field, page);
  }

  const open = () => {
    if (document.querySelector("dialog[open]")) return;
    const previous = document.activeElement;
    const dialog = document.createElement("dialog");
    dialog.className = "dialog search-dialog";
    dialog.setAttribute("aria-label", "Search everything");
    dialog.innerHTML = `<form class="search search-everything" role="search">
      <svg class="icon" aria-hidden="true"><use href="/assets/icons.svg#search"/></svg>
      <input class="input" type="search" name="q" autocomplete="off"
        aria-label="Search everything" data-testid="search.dialog"
        placeholder="User, session, request, message, device, screen, page"></form>
      <div class="search-results"></div>`;
    const form = dialog.querySelector("form");
    form.action = opener.href;
    dialog.addEventListener("close", () => {
      dialog.remove();
      previous?.focus?.();
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    activate(dialog, form.q, dialog.querySelector(".search-results"));
    dialog.showModal();
    form.q.focus();
  };

  opener.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open();
  });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const modified = event.ctrlKey || event.metaKey;
    if (modified && event.key.toLowerCase() === "k" && !event.shiftKey) {
      event.preventDefault();
      return open();
    }
    if (modified || event.target.closest?.("input, textarea, select, dialog")) return;
    if (event.key === "/" && !document.querySelector("[data-search]")) {
      event.preventDefault();
      open();
    } else if (event.key === "?") {
      document.querySelector("[data-shortcuts]")?.click();
    }
  });
})();
