// Keeps a page true: one stream of events, and for every part that an event
// concerns a fragment from the server.
//
// A part is `<… data-part="tokens" data-live="kind kind" data-live-src="url">`,
// narrowed by `data-live-app` and `data-live-device`. The stream starts after
// the event the page was rendered at (`body[data-live-after]`), is closed
// while the tab is hidden, and resumes where it was.
(() => {
  "use strict";
  const body = document.body;
  let last = body.dataset.liveAfter || "";
  let stream;

  const parts = () => document.querySelectorAll("[data-live][data-live-src]");

  // --- swapping ---------------------------------------------------------

  // A way back to the element that had the focus: its id or its test id
  // (with the row it stands in), since the element itself is replaced.
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

  // What is being typed, pressed or marked is not taken away under the fingers:
  // a button that is gone between press and release was never clicked.
  const typed = "input:not([type=radio], [type=checkbox]), textarea";
  const isHeld = (part) => {
    const marked = getSelection();
    return part.matches(":active")
      // Also while another window has the keys.
      || part.contains(document.activeElement)
        && document.activeElement.matches(typed)
      // `:is` spares browsers that do not know `:open`.
      || part.querySelector(":is(select:open)")
      || !marked.isCollapsed && part.contains(marked.anchorNode);
  };

  // What the server chose.
  const given = ({ options }) => {
    const all = [...options];
    return (all.find((option) => option.defaultSelected) ?? all[0])?.value;
  };

  const swap = (part, html, url) => {
    if (isHeld(part)) return later(part, url);
    const active = part.contains(document.activeElement)
      ? document.activeElement : null;
    const back = active && pathTo(active);
    const known = new Set();
    for (const row of part.querySelectorAll("[data-key]")) {
      known.add(row.dataset.key);
    }
    const open = [...part.querySelectorAll("details[open]")].map(pathTo);
    const ticked = [...part.querySelectorAll("[type=checkbox]:checked")]
      .map((e) => `[name="${CSS.escape(e.name)}"][value="${CSS.escape(e.value)}"]`);
    // Choices that were not submitted yet.
    const picked = [...part.querySelectorAll("select")]
      .filter((e) => e.value !== given(e))
      .map((e) => [pathTo(e), e.value, given(e)]);
    const scrolls = [part, ...part.querySelectorAll("[data-scroll]")]
      .map((e) => [e.scrollTop, e.scrollLeft]);
    part.innerHTML = html;
    [part, ...part.querySelectorAll("[data-scroll]")].forEach((e, i) => {
      if (scrolls[i]) [e.scrollTop, e.scrollLeft] = scrolls[i];
    });
    for (const path of open) {
      if (path) part.querySelector(path)?.setAttribute("open", "");
    }
    for (const path of ticked) {
      const box = part.querySelector(path);
      if (box) box.checked = true;
    }
    for (const [path, value, old] of picked) {
      const choice = path && part.querySelector(path);
      // One that was sent at once has its answer when what is given changed.
      const isAnswered = choice?.form?.matches("[data-submit-on-change]")
        && given(choice) !== old;
      const isThere = [...choice?.options ?? []].some((o) => o.value === value);
      if (isThere && !isAnswered) choice.value = value;
    }
    if (known.size) {
      for (const row of part.querySelectorAll("[data-key]")) {
        if (!known.has(row.dataset.key)) row.classList.add("is-new");
      }
    }
    if (back) part.querySelector(back)?.focus({ preventScroll: true });
    mark();
    part.dispatchEvent(new CustomEvent("foyer:swapped", { bubbles: true }));
  };

  // Once a part is let go; nothing is asked for until then.
  const waiting = new Map();
  let looking;
  const later = (part, url) => {
    waiting.set(part, url);
    looking ??= setInterval(() => {
      for (const [one, wished] of waiting) {
        if (one.isConnected && isHeld(one)) continue;
        waiting.delete(one);
        if (one.isConnected) fetchPart(one, wished);
      }
      if (waiting.size > 0) return;
      clearInterval(looking);
      looking = undefined;
    }, 500);
  };

  // --- fetching: one under way per part, the last wish wins --------------

  const under = new WeakMap();
  const fetchPart = async (part, url = part.dataset.liveSrc) => {
    waiting.delete(part);
    const state = under.get(part);
    if (state) {
      state.again = url;
      return;
    }
    const mine = { again: null };
    under.set(part, mine);
    try {
      const answer = await fetch(url, {
        credentials: "same-origin", cache: "no-store",
      });
      if (answer.ok && !mine.again) swap(part, await answer.text(), url);
      // The key or the page is gone: only a whole page can say so. Of a
      // workspace that is gone, what was shown last is kept.
      if (answer.status === 404 && await ended()) over();
      else if (answer.status === 401 || answer.status === 404) location.reload();
    } catch {
      // A stream that broke as well asks for every part when it is back; one
      // that lives will not.
      if (word === "live") later(part, url);
    } finally {
      under.delete(part);
      if (mine.again && part.isConnected) fetchPart(part, mine.again);
    }
  };

  // Bursts of events cost one fetch per part.
  const due = new Set();
  const wish = (part) => {
    if (due.size === 0) {
      setTimeout(() => {
        for (const p of due) if (p.isConnected) fetchPart(p);
        due.clear();
      }, 30);
    }
    due.add(part);
  };

  // --- the stream --------------------------------------------------------

  const words = {
    live: ["Live", "This page updates automatically"],
    waiting: ["Reconnecting", "Reconnecting to the event stream"],
    over: ["Expired", "Workspace expired"],
  };
  let word = "waiting";
  const mark = () => {
    for (const e of document.querySelectorAll("[data-live-indicator]")) {
      e.classList.toggle("waiting", word !== "live");
      const [text, title] = words[word];
      if (e.textContent !== text) e.textContent = text;
      e.title = title;
    }
  };

  const hear = (event) => {
    last = event.lastEventId || last;
    let facts = {};
    try {
      facts = JSON.parse(event.data);
    } catch {
      return;
    }
    for (const part of parts()) {
      const { live, liveApp, liveDevice } = part.dataset;
      // A clock that moved concerns everything that shows a time.
      if (event.type !== "clock.changed"
          && !live.split(/\s+/).includes(event.type)) continue;
      if (liveApp && facts.app && facts.app !== liveApp) continue;
      if (liveDevice && facts.device && facts.device !== liveDevice) continue;
      wish(part);
    }
    for (const e of document.querySelectorAll("[data-reload-on]")) {
      if (e.dataset.reloadOn === event.type) location.reload();
    }
    document.dispatchEvent(
      new CustomEvent("foyer:event", { detail: { ...facts, kind: event.type } }));
  };

  // A stream that is refused may be one of a workspace that is no more.
  const ended = async () => {
    const stop = new AbortController();
    try {
      const answer = await fetch("/api/events", {
        headers: { Accept: "text/event-stream" }, signal: stop.signal,
      });
      stop.abort();
      return answer.status === 404;
    } catch {
      return false;
    }
  };
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    shut();
    word = "over";
    mark();
    const note = document.createElement("div");
    note.className = "banner";
    note.setAttribute("role", "alert");
    note.dataset.testid = "workspace-expired";
    note.innerHTML = '<strong class="banner-name">Workspace expired</strong>'
      + '<span class="banner-text">This page shows its last state.</span>'
      + '<a class="banner-more" href="/workspaces">Choose another workspace</a>';
    (document.querySelector(".banners") ?? document.body).replaceChildren(note);
  };

  let missed = false;
  const open = () => {
    if (stream || isOver || document.hidden) return;
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
      last === "" ? "/api/events" : `/api/events?after=${encodeURIComponent(last)}`);
    stream.onopen = () => {
      word = "live";
      mark();
      // What was forgotten meanwhile cannot be resumed: look once at all.
      if (missed) for (const part of parts()) wish(part);
      missed = false;
    };
    stream.onerror = () => {
      word = "waiting";
      missed = true;
      mark();
      if (stream?.readyState === EventSource.CLOSED) {
        shut();
        ended().then((is) => {
          if (is) over();
          else setTimeout(open, 2000);
        });
      }
    };
    for (const kind of kinds) stream.addEventListener(kind, hear);
  };
  const shut = () => {
    stream?.close();
    stream = undefined;
  };

  document.addEventListener("visibilitychange", () =>
    document.hidden ? shut() : open());
  addEventListener("pagehide", shut);
  addEventListener("pageshow", open);

  // A link that only changes one part of this page: `data-swap="part"`.
  const follow = (link) => {
    const part = document.querySelector(`[data-part="${link.dataset.swap}"]`);
    if (!part) return false;
    const url = new URL(link.href);
    url.searchParams.set("part", link.dataset.swap);
    fetchPart(part, url.href);
    return true;
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-swap]");
    if (!link || event.ctrlKey || event.metaKey || event.button) return;
    if (follow(link)) event.preventDefault();
  });

  // What was shown whole hides itself again.
  let hiding;
  document.addEventListener("foyer:swapped", () => {
    clearTimeout(hiding);
    const link = document.querySelector("a[data-hide-after]");
    if (!link) return;
    const seconds = Number(link.dataset.hideAfter);
    hiding = setTimeout(() => link.isConnected && follow(link), seconds * 1000);
  });

  mark();
  open();
})();
