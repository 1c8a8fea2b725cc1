// Keeps a page up to date: one event stream, and for the parts that an event
// affects their fragments from the server, in one request.
//
// A part is `<… data-part="tokens" data-live="kind kind" data-live-src="url">`,
// filtered by `data-live-app` and `data-live-device`; the URL ends with
// `part=tokens`, and `part=tokens,mail` requests several. The stream starts after
// the last event before rendering (`body[data-live-after]`), is closed while
// the tab is hidden, and resumes from the last event.
(() => {
  "use strict";
  const body = document.body;
  let lastEventID = body.dataset.liveAfter || "";
  let stream;
  const csrf = document.querySelector("[name=csrf]")?.value ?? "";

  const parts = () => document.querySelectorAll("[data-live][data-live-src]");

  // --- swapping ---------------------------------------------------------

  // A selector that finds an element again after it is replaced: by its id, or
  // its test id and row.
  const pathTo = (element) => {
    if (element.id) return `#${CSS.escape(element.id)}`;
    const own = element.dataset.testid || element.parentElement?.dataset.testid;
    if (own) {
      const row = element.closest("[data-key]")?.dataset.key;
      const self = `[data-testid="${CSS.escape(own)}"]`;
      return row && row !== element.dataset.key
        ? `[data-key="${CSS.escape(row)}"] ${self}`
        : row ? `[data-key="${CSS.escape(row)}"]${self}` : self;
    }
    const href = element.getAttribute("href");
    return href ? `[href="${CSS.escape(href)}"]` : null;
  };

  // A part is not replaced while the user types, presses or selects in it: a
  // button that is replaced between press and release is not clicked.
  const textFields = "input:not([type=radio], [type=checkbox]), textarea";
  const isInUse = (part) => {
    const selection = getSelection();
    return part.matches(":active")
      // Also while another window has the focus.
      || part.contains(document.activeElement)
        && document.activeElement.matches(textFields)
      // `:is` keeps the selector valid in browsers without `:open`.
      || part.querySelector(":is(select:open)")
      || !selection.isCollapsed && part.contains(selection.anchorNode);
  };

  // The option that the server selected.
  const serverValue = ({ options }) => {
    const all = [...options];
    return (all.find((option) => option.defaultSelected) ?? all[0])?.value;
  };

  // A function that scrolls a replaced list so that the selected row, or in a list
  // that is scrolled its first visible row, stays where it is.
  const scrollAnchor = (part) => {
    const scroller = () => {
      const own = [part, ...part.querySelectorAll("[data-scroll]")]
        .find((e) => e.scrollHeight > e.clientHeight && getComputedStyle(e).overflowY !== "visible");
      return own ?? document.scrollingElement;
    };
    const current = part.querySelector("[data-key]:has([aria-current])");
    const box = scroller();
    if (!current && box.scrollTop === 0) return null;
    const edge = box === document.scrollingElement ? 0 : box.getBoundingClientRect().top;
    const row = current ?? [...part.querySelectorAll("[data-key]")]
      .find((e) => e.getBoundingClientRect().bottom > edge + 40);
    if (!row) return null;
    const { key } = row.dataset;
    const top = row.getBoundingClientRect().top;
    return () => {
      const moved = part.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (moved) scroller().scrollTop += moved.getBoundingClientRect().top - top;
    };
  };

  // `content` is a document fragment.
  const swap = (part, content, url) => {
    if (isInUse(part)) return defer(part, url);
    const active = part.contains(document.activeElement)
      ? document.activeElement : null;
    const focusPath = active && pathTo(active);
    const knownKeys = new Set();
    for (const row of part.querySelectorAll("[data-key]")) {
      knownKeys.add(row.dataset.key);
    }
    const open = [...part.querySelectorAll("details[open]")].map(pathTo);
    const checkedPaths = [...part.querySelectorAll("[type=checkbox]:checked")]
      .map((e) => `[name="${CSS.escape(e.name)}"][value="${CSS.escape(e.value)}"]`);
    // Choices that were not submitted yet.
    const unsentChoices = [...part.querySelectorAll("select")]
      .filter((e) => e.value !== serverValue(e))
      .map((e) => [pathTo(e), e.value, serverValue(e)]);
    // Texts that were not submitted yet.
    const unsentTexts = [...part.querySelectorAll(textFields)]
      .filter((e) => e.type !== "hidden" && e.value !== e.defaultValue)
      .map((e) => [pathTo(e), e.value, e.defaultValue]);
    const scrolls = [part, ...part.querySelectorAll("[data-scroll]")]
      .map((e) => [e.scrollTop, e.scrollLeft]);
    const anchor = scrollAnchor(part);
    part.replaceChildren(content);
    [part, ...part.querySelectorAll("[data-scroll]")].forEach((e, i) => {
      if (scrolls[i]) [e.scrollTop, e.scrollLeft] = scrolls[i];
    });
    anchor?.();
    for (const path of open) {
      if (path) part.querySelector(path)?.setAttribute("open", "");
    }
    for (const path of checkedPaths) {
      const box = part.querySelector(path);
      if (box) box.checked = true;
    }
    for (const [path, value, old] of unsentChoices) {
      const choice = path && part.querySelector(path);
      // A choice submitted on change is confirmed if the server value changed.
      const isConfirmed = choice?.form?.matches("[data-submit-on-change]")
        && serverValue(choice) !== old;
      const isAvailable = [...choice?.options ?? []].some((o) => o.value === value);
      if (isAvailable && !isConfirmed) choice.value = value;
    }
    for (const [path, value, old] of unsentTexts) {
      const field = path && part.querySelector(path);
      if (field?.defaultValue === old) field.value = value;
    }
    if (knownKeys.size) {
      for (const row of part.querySelectorAll("[data-key]")) {
        if (!knownKeys.has(row.dataset.key)) row.classList.add("is-new");
      }
    }
    // Parts shared by several browsers have no token.
    for (const e of part.querySelectorAll('[name=csrf][value=""]')) e.value = csrf;
    if (focusPath) part.querySelector(focusPath)?.focus({ preventScroll: true });
    updateIndicator();
    part.dispatchEvent(new CustomEvent("foyer:swapped", { bubbles: true }));
  };

  // Updates a part once it is no longer in use.
  const deferred = new Map();
  let retryTimer;
  const defer = (part, url) => {
    deferred.set(part, url);
    retryTimer ??= setInterval(() => {
      for (const [one, url] of deferred) {
        if (one.isConnected && isInUse(one)) continue;
        deferred.delete(one);
        if (one.isConnected) fetchParts([[one, url]]);
      }
      if (deferred.size > 0) return;
      clearInterval(retryTimer);
      retryTimer = undefined;
    }, 500);
  };

  // --- fetching: one request at a time for a part, the last URL wins -----

  // The page of a part's URL, and the part's name.
  const split = (text) => {
    const url = new URL(text, location.href);
    const name = url.searchParams.get("part");
    url.searchParams.delete("part");
    return [url.href + (url.search ? "&" : "?"), name];
  };

  // The fragments of a response, in the order of the requested parts: of several
  // parts, each is in a template.
  const fragments = (html, count) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return count === 1
      ? [template.content] : [...template.content.children].map((e) => e.content);
  };

  // `urls` has the URL of each part; those of one page are requested together.
  const fetchParts = (urls) => {
    const pages = new Map();
    for (const [part, url] of urls) {
      const [page, name] = split(url);
      if (!pages.has(page)) pages.set(page, []);
      pages.get(page).push({ part, name, url });
    }
    for (const [page, all] of pages) fetchPage(page, all);
  };

  const requests = new WeakMap();
  const fetchPage = async (page, all) => {
    const wanted = all.filter(({ part, url }) => {
      deferred.delete(part);
      const running = requests.get(part);
      if (running) running.again = url;
      return !running;
    });
    if (wanted.length === 0) return;
    for (const { part } of wanted) requests.set(part, { again: null });
    let singly = [];
    try {
      const names = wanted.map(({ name }) => name);
      const response = await fetch(`${page}part=${names.join(",")}`, {
        credentials: "same-origin", cache: "no-store",
      });
      if (response.ok) {
        const contents = fragments(await response.text(), wanted.length);
        wanted.forEach(({ part, url }, i) => {
          if (!requests.get(part).again) swap(part, contents[i], url);
        });
      } else if (wanted.length > 1 && ![401, 404].includes(response.status)) {
        // A part that fails does not affect the others.
        singly = wanted;
      }
      // If the key is no longer valid, the page is reloaded. If the workspace has
      // expired or what the page shows was deleted, its last state stays.
      if (response.status === 404) {
        if (await isWorkspaceGone()) endUpdates("expired");
        else if (new URL(page).pathname === location.pathname) endUpdates("deleted");
        else location.reload();
      } else if (response.status === 401) location.reload();
    } catch {
      // A broken stream requests every part when it reconnects; an open one
      // does not.
      if (streamState === "live") {
        for (const { part, url } of wanted) defer(part, url);
      }
    } finally {
      const again = new Map();
      for (const { part } of wanted) {
        const url = requests.get(part).again;
        requests.delete(part);
        if (url && part.isConnected) again.set(part, url);
      }
      fetchParts(again);
      for (const { part, url } of singly) {
        if (!again.has(part) && part.isConnected) fetchParts([[part, url]]);
      }
    }
  };

  // Bursts of events cost one request.
  const pending = new Map();
  const requestUpdate = (part) => {
    if (pending.size === 0) {
      setTimeout(() => {
        const urls = new Map([...pending].filter(([p]) => p.isConnected));
        pending.clear();
        fetchParts(urls);
      }, 5);
    }
    pending.set(part, part.dataset.liveSrc);
  };

  // --- the stream --------------------------------------------------------

  const indicatorTexts = {
    live: ["Live", "This page updates automatically"],
    reconnecting: ["Reconnecting", "Reconnecting to the event stream"],
    expired: ["Expired", "Workspace expired"],
    deleted: ["Deleted", "This page shows its last state"],
  };
  let streamState = "reconnecting";
  const updateIndicator = () => {
    for (const e of document.querySelectorAll("[data-live-indicator]")) {
      e.classList.toggle("waiting", streamState !== "live");
      const [text, title] = indicatorTexts[streamState];
      if (e.textContent !== text) e.textContent = text;
      e.title = title;
    }
  };

  const handleEvent = (event) => {
    lastEventID = event.lastEventId || lastEventID;
    let data = {};
    try {
      data = JSON.parse(event.data);
    } catch {
      return;
    }
    for (const part of parts()) {
      const { live, liveApp, liveDevice } = part.dataset;
      // A clock change affects every part that shows a time.
      if (event.type !== "clock.changed"
          && !live.split(/\s+/).includes(event.type)) continue;
      // Mail names the contract that sent it, which several apps may use.
      if (liveApp && data.app && data.app !== liveApp
          && !event.type.startsWith("mail.")) continue;
      if (liveDevice && data.device && data.device !== liveDevice) continue;
      requestUpdate(part);
    }
    for (const e of document.querySelectorAll("[data-reload-on]")) {
      // A form that is being sent leads to its own page.
      const sends = document.querySelector("form[data-sending]");
      if (e.dataset.reloadOn === event.type && !sends) location.reload();
    }
    document.dispatchEvent(
      new CustomEvent("foyer:event", { detail: { ...data, kind: event.type } }));
  };

  // Whether the stream was rejected because the workspace has expired.
  const isWorkspaceGone = async () => {
    const stop = new AbortController();
    try {
      const response = await fetch("/api/events", {
        headers: { Accept: "text/event-stream" }, signal: stop.signal,
      });
      stop.abort();
      return response.status === 404;
    } catch {
      return false;
    }
  };
  let isExpired = false;
  // The page keeps its last state; `foyer:ended` says why.
  const endUpdates = (state) => {
    if (isExpired) return;
    isExpired = true;
    closeStream();
    streamState = state;
    updateIndicator();
    document.dispatchEvent(new CustomEvent("foyer:ended", { detail: state }));
  };

  let missed = false;
  const openStream = () => {
    if (stream || isExpired || document.hidden) return;
    const kinds = new Set();
    for (const e of document.querySelectorAll("[data-reload-on]")) {
      kinds.add(e.dataset.reloadOn);
    }
    for (const part of parts()) {
      for (const kind of part.dataset.live.split(/\s+/)) kinds.add(kind);
    }
    kinds.delete("");
    if (kinds.size === 0) return;
    stream = new EventSource(
      lastEventID === "" ? "/api/events" : `/api/events?after=${encodeURIComponent(lastEventID)}`);
    stream.onopen = () => {
      streamState = "live";
      updateIndicator();
      // Pruned events cannot be resumed: update every part once.
      if (missed) for (const part of parts()) requestUpdate(part);
      missed = false;
    };
    stream.onerror = () => {
      streamState = "reconnecting";
      missed = true;
      updateIndicator();
      if (stream?.readyState === EventSource.CLOSED) {
        closeStream();
        isWorkspaceGone().then((is) => {
          if (is) endUpdates("expired");
          else setTimeout(openStream, 2000);
        });
      }
    };
    for (const kind of kinds) stream.addEventListener(kind, handleEvent);
  };
  const closeStream = () => {
    stream?.close();
    stream = undefined;
  };

  document.addEventListener("visibilitychange", () =>
    document.hidden ? closeStream() : openStream());
  addEventListener("pagehide", closeStream);
  addEventListener("pageshow", openStream);

  // A link that only changes one part of this page: `data-swap="part"`.
  const loadPart = (link) => {
    const part = document.querySelector(`[data-part="${link.dataset.swap}"]`);
    if (!part) return false;
    const url = new URL(link.href);
    url.searchParams.set("part", link.dataset.swap);
    fetchParts([[part, url.href]]);
    return true;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-swap]");
    if (!link || event.ctrlKey || event.metaKey || event.button) return;
    if (loadPart(link)) event.preventDefault();
  });

  // Hides unmasked values again after a while.
  let hideTimer;
  document.addEventListener("foyer:swapped", () => {
    clearTimeout(hideTimer);
    const link = document.querySelector("a[data-hide-after]");
    if (!link) return;
    const seconds = Number(link.dataset.hideAfter);
    hideTimer = setTimeout(() => link.isConnected && loadPart(link), seconds * 1000);
  });

  updateIndicator();
  openStream();
})();
