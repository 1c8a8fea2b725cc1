// The walkthrough alone: marks stand beside what they speak of, the arrow keys
// go on and back, the other frames show what the phone shows, and the page
// follows a phone that somebody uses.
(() => {
  "use strict";
  const walk = document.querySelector("[data-walk]");
  const frame = document.querySelector("[data-walk-phone]");
  if (!walk || !frame) return;

  // Nothing of the frame's page can be read while an error page stands there.
  const inside = () => {
    try {
      return frame.contentDocument;
    } catch {
      return null;
    }
  };
  const screenOf = (page) => page?.body?.dataset.screen ?? "";

  let going = false;

  // --- marks -------------------------------------------------------------

  const marks = [...document.querySelectorAll("[data-mark]")];
  const MARK = 26;

  // What a point speaks of: a field, an action, a link or a tab; without a
  // name the screen's own words.
  const target = (page, at) => {
    const screen = walk.dataset.screen;
    const ids = [`${screen}.${at}`, `${screen}.tab.${at}`];
    if (!at) {
      return ["main p strong", "main p", "main h1", "main svg"]
        .flatMap((words) => [...page.querySelectorAll(words)])
        .find((part) => part.getBoundingClientRect().height > 1);
    }
    for (const id of ids) {
      const found = page.querySelector(`[data-testid="${CSS.escape(id)}"]`);
      if (found) return found;
    }
    return page.querySelector(`[data-testid^="${CSS.escape(ids[0])}."]`);
  };

  // What stays where it is at the page's end, such as a bar with tabs: what
  // lies beneath is not seen.
  const barsOf = (page) => {
    const view = page.defaultView;
    return [...page.body.querySelectorAll("*")].filter((part) => {
      const { position } = view.getComputedStyle(part);
      if (position !== "fixed" && position !== "sticky") return false;
      const box = part.getBoundingClientRect();
      return box.height > 0 && box.height < view.innerHeight / 3
        && box.bottom >= view.innerHeight - 1;
    });
  };
  // Where one has to look for a part that has no mark.
  const away = (page, part, box, middle) => {
    if (!box || box.height === 0) return "Not shown now.";
    const bars = barsOf(page);
    if (bars.some((bar) => bar.contains(part))) return "";
    const end = Math.min(
      page.defaultView.innerHeight,
      ...bars.map((bar) => bar.getBoundingClientRect().top));
    return middle > end - 4 ? "Further down." : middle < 16 ? "Further up." : "";
  };
  const tell = (number, where) => {
    const point = document.querySelector(`[data-point="${number}"]`);
    if (!point) return;
    point.classList.toggle("is-away", where !== "");
    let said = point.querySelector(".walk-away");
    if (!said) {
      said = document.createElement("span");
      said.className = "walk-away";
      point.lastElementChild.append(" ", said);
    }
    if (said.textContent !== where) said.textContent = where;
  };

  const place = () => {
    const page = inside();
    const isHere = page && screenOf(page) === walk.dataset.screen;
    const outer = frame.getBoundingClientRect();
    const phone = frame.closest(".phone").getBoundingClientRect();
    const scale = outer.width / frame.offsetWidth;
    const spots = [];
    for (const mark of marks) {
      const part = isHere ? target(page, mark.dataset.at) : null;
      const box = part?.getBoundingClientRect();
      const middle = box && box.top + Math.min(box.height, 120) / 2;
      const where = away(page, part, box, middle);
      mark.hidden = where !== "";
      tell(mark.dataset.mark, where);
      if (mark.hidden) continue;
      const most = frame.offsetHeight - 24;
      const inner = Math.max(24, Math.min(middle, most));
      spots.push({ mark, top: outer.top - phone.top + inner * scale });
    }
    // Two of one line stand below one another.
    spots.sort((a, b) => a.top - b.top
      || a.mark.dataset.mark - b.mark.dataset.mark);
    let free = -Infinity;
    for (const spot of spots) {
      const top = Math.max(spot.top, free);
      spot.mark.style.top = `${Math.round(top)}px`;
      free = top + MARK;
    }
  };

  let drawing;
  const soon = () => {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(place);
  };
  addEventListener("resize", soon);

  // --- what the phone shows ----------------------------------------------

  // A browser that goes back shows in a frame what it showed there last,
  // though the walk may have taken another phone since.
  const src = new URL(frame.src);
  let isChecked = false;
  const isStale = (page) => {
    if (isChecked) return false;
    isChecked = true;
    return page.location.pathname !== src.pathname;
  };

  let known;
  const loaded = () => {
    const page = inside();
    if (!page?.body || page.location.href === "about:blank") return;
    if (isStale(page)) {
      page.defaultView.location.replace(src);
      return;
    }
    // A branch, and a step's picture, are one moment: nothing in them leads
    // on.
    if ("branch" in walk.dataset || "picture" in walk.dataset) {
      page.addEventListener("keydown", keys);
      if ("picture" in walk.dataset) soon();
      return;
    }
    const screen = screenOf(page);
    if (known !== undefined) {
      if (screen !== known) follow(screen);
      lookBehind();
    }
    known = screen;
    beside(page);
    page.addEventListener("keydown", keys);
    page.addEventListener("scroll", soon, { passive: true });
    page.defaultView.addEventListener("resize", soon);
    page.fonts?.ready.then(soon);
    soon();
  };

  // The phone was used and went on: so does the page, if there is a step.
  const steps = [...document.querySelectorAll("[data-step]")];
  const follow = (screen) => {
    const here = steps.findIndex((s) => s.getAttribute("aria-current"));
    if (screen === walk.dataset.screen) return;
    const next = steps.findIndex((s, i) => i > here && s.dataset.step === screen);
    const step = steps[next] ?? steps.find((s) => s.dataset.step === screen);
    if (step) location.assign(step.dataset.href);
  };

  // What it did is told anew; a page that is being left asks for nothing.
  const behind = document.querySelector("[data-walk-behind]");
  const lookBehind = async () => {
    try {
      const answer = await fetch(behind.dataset.walkBehind);
      if (!answer.ok || going) return;
      const text = await answer.text();
      const part = new DOMParser().parseFromString(text, "text/html").body;
      behind.replaceChildren(...part.childNodes);
    } catch {
      // The console is gone, or the page is: what is told stays.
    }
  };

  const shown = (page) => {
    const url = new URL(page.location.href);
    url.search = "?still=1";
    return url.href;
  };
  const others = [...document.querySelectorAll("[data-walk-beside]")];
  const beside = (page) => {
    if (!screenOf(page)) return;
    const path = shown(page);
    for (const other of others) {
      try {
        const now = other.contentWindow.location;
        if (now.href !== path) now.replace(path);
        else if (beside.again) now.reload();
      } catch {
        other.src = path;
      }
    }
    beside.again = true;
  };

  // --- the arrow keys ----------------------------------------------------

  const TYPING = "input, textarea, select, [contenteditable], [role=menu]";
  const next = document.querySelector("[data-walk-next]");
  const back = document.querySelector("[data-walk-back]");
  const keys = (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey
      || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.(TYPING)) return;
    if (event.key === "ArrowRight" && next && !going) {
      event.preventDefault();
      next.requestSubmit();
    } else if (event.key === "ArrowLeft" && back && !going) {
      event.preventDefault();
      back.requestSubmit();
    }
  };
  document.addEventListener("keydown", keys);
  for (const form of [next, back]) {
    form?.addEventListener("submit", (event) => {
      if (going) return event.preventDefault();
      going = true;
      form.querySelector("button").setAttribute("aria-busy", "true");
    });
  }
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    going = false;
    for (const form of [next, back]) {
      form?.querySelector("button").removeAttribute("aria-busy");
    }
  });

  // The frame may have been faster.
  frame.addEventListener("load", loaded);
  if (inside()?.readyState === "complete") loaded();
  walk.dataset.walk = "ready";
})();
