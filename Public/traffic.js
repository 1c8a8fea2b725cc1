// The list of requests with the selected one beside it, on wide windows. A
// request has the same URL as its page, which a narrow window shows instead.
//
// A history entry of a request in the pane has the state `{ list, open }`: the
// URL of the list and the request's id.
(() => {
  "use strict";
  const wide = matchMedia("(min-width: 1200px)");
  const panes = document.querySelector("[data-list-panes]");
  const pageOf = (id) => `/traffic/${id}`;

  // The page of a request that was opened beside the list: after a reload it is
  // beside the list again.
  if (!panes) {
    const { list, open } = history.state ?? {};
    if (list && open && wide.matches) location.replace(`${list}#${open}`);
    return;
  }

  const pane = panes.querySelector("[data-list-detail]");
  const status = document.querySelector("[data-list-status]");
  const list = location.pathname + location.search;
  const listTitle = document.title;
  let selected = null;
  let isPushed = false;

  const rows = () => [...panes.querySelectorAll("tr[data-key]")];
  const rowOf = (id) => rows().find((row) => row.dataset.key === id);
  const linkOf = (row) => row?.querySelector(".row-link");
  const mark = () => {
    for (const row of rows()) {
      const isSelected = row.dataset.key === selected;
      row.classList.toggle("is-selected", isSelected);
      if (isSelected) linkOf(row).setAttribute("aria-current", "true");
      else linkOf(row).removeAttribute("aria-current");
    }
  };
  const focusRow = (row) => {
    linkOf(row)?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  };

  // --- the pane -----------------------------------------------------------

  let request;
  const load = async (id) => {
    request?.abort();
    request = new AbortController();
    try {
      const response = await fetch(`${pageOf(id)}?part=pane`, {
        credentials: "same-origin", cache: "no-store", signal: request.signal,
      });
      if (selected !== id) return;
      if (response.status === 404) return close();
      if (!response.ok) return location.assign(pageOf(id));
      const template = document.createElement("template");
      template.innerHTML = await response.text();
      if (selected !== id) return;
      pane.replaceChildren(template.content);
      pane.scrollTop = 0;
      const title = pane.querySelector("h2").textContent;
      const result = pane.querySelector(".chips").firstElementChild?.textContent ?? "";
      pane.setAttribute("aria-label", `Request ${title}`);
      document.title = `${title} · Foyer`;
      status.textContent = `${title}, ${result}, shown beside the list`;
      pane.dispatchEvent(new CustomEvent("foyer:swapped", { bubbles: true }));
    } catch (error) {
      if (error.name !== "AbortError") location.assign(pageOf(id));
    }
  };

  const show = (id) => {
    selected = id;
    pane.hidden = false;
    panes.classList.add("is-split");
    mark();
    rowOf(id)?.scrollIntoView({ block: "nearest" });
    return load(id);
  };

  // Opens a request: the first one adds an entry to the history, others replace it.
  const open = (id) => {
    const state = { list, open: id };
    if (selected || history.state?.open) {
      history.replaceState(state, "", pageOf(id));
    } else {
      history.pushState(state, "", pageOf(id));
      isPushed = true;
    }
    return show(id);
  };

  const hide = () => {
    const row = rowOf(selected);
    const hadFocus = pane.contains(document.activeElement);
    request?.abort();
    selected = null;
    pane.hidden = true;
    pane.replaceChildren();
    panes.classList.remove("is-split");
    document.title = listTitle;
    status.textContent = "Request closed";
    mark();
    if (hadFocus) focusRow(row);
  };
  const close = () => {
    if (!selected) return;
    hide();
    if (isPushed) history.back();
    else history.replaceState(null, "", list);
    isPushed = false;
  };

  addEventListener("popstate", () => {
    const id = history.state?.open;
    isPushed = false;
    if (id && wide.matches) {
      isPushed = true;
      show(id);
    } else if (id) {
      location.reload();
    } else if (selected) {
      hide();
    }
  });
  wide.addEventListener("change", () => {
    if (selected && !wide.matches) location.reload();
  });

  // --- mouse and keyboard ---------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close-pane]")) return close();
    const link = event.target.closest(".traffic-list a.row-link");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button;
    if (!link || !plain || !wide.matches) return;
    event.preventDefault();
    const id = link.closest("tr").dataset.key;
    if (id === selected) return pane.focus();
    open(id);
    link.focus({ preventScroll: true });
  });

  let timer;
  const move = (step) => {
    const all = rows();
    const focused = all.find((row) => row.contains(document.activeElement));
    const current = all.indexOf(focused ?? rowOf(selected));
    const row = all[current < 0 ? 0 : Math.max(0, Math.min(all.length - 1, current + step))];
    if (!row) return;
    focusRow(row);
    if (!selected || row.dataset.key === selected) return;
    // The row is marked at once; of quick steps only the last is loaded.
    clearTimeout(timer);
    timer = setTimeout(() => open(row.dataset.key), 60);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open], details.menu[open]")) return;
    if (event.target.closest?.("input:not([type=checkbox]), textarea, select")) return;
    if (event.key === "Escape" && selected) {
      event.preventDefault();
      const row = rowOf(selected);
      close();
      return focusRow(row);
    }
    const isLetter = event.key === "j" || event.key === "k";
    // The arrow keys scroll the pane while it has the focus.
    if (!isLetter && pane.contains(document.activeElement)) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step || event.shiftKey) return;
    event.preventDefault();
    move(step);
  });

  document.addEventListener("foyer:swapped", mark);
  // The request in the pane may have been deleted.
  document.addEventListener("foyer:event", ({ detail }) => {
    if (detail.kind === "exchanges.cleared" && selected) load(selected);
  });

  const opened = location.hash.slice(1);
  if (/^exc_\w+$/.test(opened)) {
    history.replaceState({ list, open: opened }, "", pageOf(opened));
    if (wide.matches) show(opened);
    else location.reload();
  }
})();
