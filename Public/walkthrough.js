// The walkthrough page: places the numbered markers beside the elements they
// describe, steps with the arrow keys, shows the phone's screen in the frames
// of other sizes, and follows the phone while it is used.
(() => {
  "use strict";
  const main = document.querySelector("[data-walkthrough]");
  const frame = document.querySelector("[data-walkthrough-phone]");
  if (!main || !frame) return;

  // The frame's document; null while the browser's own error page is shown, which cannot be read.
  const framePage = () => {
    try {
      return frame.contentDocument;
    } catch {
      return null;
    }
  };
  const screenOf = (page) => page?.body?.dataset.screen ?? "";

  let isLeaving = false;

  // --- markers -----------------------------------------------------------

  const markers = [...document.querySelectorAll("[data-marker]")];
  const MARKER_SIZE = 26;

  // The element a point describes: a field, an action, a link or a tab; without
  // a name the screen's text.
  const findTarget = (page, name) => {
    const screen = main.dataset.screen;
    const ids = [`${screen}.${name}`, `${screen}.tab.${name}`];
    if (!name) {
      return ["main p strong", "main p", "main h1", "main svg"]
        .flatMap((selector) => [...page.querySelectorAll(selector)])
        .find((part) => part.getBoundingClientRect().height > 1);
    }
    for (const id of ids) {
      const found = page.querySelector(`[data-testid="${CSS.escape(id)}"]`);
      if (found) return found;
    }
    return page.querySelector(`[data-testid^="${CSS.escape(ids[0])}."]`);
  };

  // Fixed bars at the bottom, such as tabs: what is beneath them is not visible.
  const bottomBars = (page) => {
    const view = page.defaultView;
    return [...page.body.querySelectorAll("*")].filter((part) => {
      const { position } = view.getComputedStyle(part);
      if (position !== "fixed" && position !== "sticky") return false;
      const box = part.getBoundingClientRect();
      return box.height > 0 && box.height < view.innerHeight / 3
        && box.bottom >= view.innerHeight - 1;
    });
  };
  // Why a point has no marker; empty if it has one.
  const offscreenText = (page, part, box, middle) => {
    if (!box || box.height === 0) return "Not shown now.";
    const bars = bottomBars(page);
    if (bars.some((bar) => bar.contains(part))) return "";
    const end = Math.min(
      page.defaultView.innerHeight,
      ...bars.map((bar) => bar.getBoundingClientRect().top));
    return middle > end - 4 ? "Further down." : middle < 16 ? "Further up." : "";
  };
  const showOffscreenText = (number, text) => {
    const point = document.querySelector(`[data-point="${number}"]`);
    if (!point) return;
    point.classList.toggle("is-offscreen", text !== "");
    let label = point.querySelector(".walkthrough-offscreen");
    if (!label) {
      label = document.createElement("span");
      label.className = "walkthrough-offscreen";
      point.lastElementChild.append(" ", label);
    }
    if (label.textContent !== text) label.textContent = text;
  };

  const placeMarkers = () => {
    const page = framePage();
    const isAtStep = page && screenOf(page) === main.dataset.screen;
    const outer = frame.getBoundingClientRect();
    const phone = frame.closest(".phone").getBoundingClientRect();
    const scale = outer.width / frame.offsetWidth;
    const positions = [];
    for (const marker of markers) {
      const part = isAtStep ? findTarget(page, marker.dataset.target) : null;
      const box = part?.getBoundingClientRect();
      const middle = box && box.top + Math.min(box.height, 120) / 2;
      const text = offscreenText(page, part, box, middle);
      marker.hidden = text !== "";
      showOffscreenText(marker.dataset.marker, text);
      if (marker.hidden) continue;
      const maximum = frame.offsetHeight - 24;
      const inner = Math.max(24, Math.min(middle, maximum));
      positions.push({ marker, top: outer.top - phone.top + inner * scale });
    }
    // Markers on the same line are stacked.
    positions.sort((a, b) => a.top - b.top
      || a.marker.dataset.marker - b.marker.dataset.marker);
    let free = -Infinity;
    for (const position of positions) {
      const top = Math.max(position.top, free);
      position.marker.style.top = `${Math.round(top)}px`;
      free = top + MARKER_SIZE;
    }
  };

  let request;
  const scheduleMarkers = () => {
    cancelAnimationFrame(request);
    request = requestAnimationFrame(placeMarkers);
  };
  addEventListener("resize", scheduleMarkers);

  // --- the phone ---------------------------------------------------------

  // On "back" a browser restores a frame's last page, although the walkthrough
  // may use another device by now.
  const src = new URL(frame.src);
  let isChecked = false;
  const isStale = (page) => {
    if (isChecked) return false;
    isChecked = true;
    return page.location.pathname !== src.pathname;
  };

  let lastScreen;
  const frameLoaded = () => {
    const page = framePage();
    if (!page?.body || page.location.href === "about:blank") return;
    if (isStale(page)) {
      page.defaultView.location.replace(src);
      return;
    }
    // An edge case, and a step's capture, are recordings that cannot be used.
    if ("branch" in main.dataset || "capture" in main.dataset) {
      page.addEventListener("keydown", handleKey);
      if ("capture" in main.dataset) scheduleMarkers();
      return;
    }
    const screen = screenOf(page);
    if (lastScreen !== undefined) {
      if (screen !== lastScreen) follow(screen);
      updateActivity();
    }
    lastScreen = screen;
    updateOtherSizes(page);
    page.addEventListener("keydown", handleKey);
    page.addEventListener("scroll", scheduleMarkers, { passive: true });
    page.defaultView.addEventListener("resize", scheduleMarkers);
    page.fonts?.ready.then(scheduleMarkers);
    scheduleMarkers();
  };

  // Opens the step of the screen to which the phone was navigated, if there is one.
  const steps = [...document.querySelectorAll("[data-step]")];
  const follow = (screen) => {
    const current = steps.findIndex((s) => s.getAttribute("aria-current"));
    if (screen === main.dataset.screen) return;
    const next = steps.findIndex((s, i) => i > current && s.dataset.step === screen);
    const step = steps[next] ?? steps.find((s) => s.dataset.step === screen);
    if (step) location.assign(step.dataset.href);
  };

  // Reloads the network activity, unless the page is being left.
  const activity = document.querySelector("[data-walkthrough-activity]");
  const updateActivity = async () => {
    try {
      const response = await fetch(activity.dataset.walkthroughActivity);
      if (!response.ok || isLeaving) return;
      const text = await response.text();
      const part = new DOMParser().parseFromString(text, "text/html").body;
      activity.replaceChildren(...part.childNodes);
    } catch {
      // The server cannot be reached, or the page is being left: the old activity stays.
    }
  };

  const staticURL = (page) => {
    const url = new URL(page.location.href);
    url.search = "?still=1";
    return url.href;
  };
  const otherFrames = [...document.querySelectorAll("[data-walkthrough-other-size]")];
  let areOthersLoaded = false;
  const updateOtherSizes = (page) => {
    if (!screenOf(page)) return;
    const path = staticURL(page);
    for (const other of otherFrames) {
      try {
        const now = other.contentWindow.location;
        if (now.href !== path) now.replace(path);
        else if (areOthersLoaded) now.reload();
      } catch {
        other.src = path;
      }
    }
    areOthersLoaded = true;
  };

  // --- the arrow keys ----------------------------------------------------

  const TYPING = "input, textarea, select, [contenteditable], [role=menu]";
  const next = document.querySelector("[data-walkthrough-next]");
  const back = document.querySelector("[data-walkthrough-back]");
  const handleKey = (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey
      || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.(TYPING)) return;
    if (event.key === "ArrowRight" && next && !isLeaving) {
      event.preventDefault();
      next.requestSubmit();
    } else if (event.key === "ArrowLeft" && back && !isLeaving) {
      event.preventDefault();
      back.requestSubmit();
    }
  };
  document.addEventListener("keydown", handleKey);
  for (const form of [next, back]) {
    form?.addEventListener("submit", (event) => {
      if (isLeaving) return event.preventDefault();
      isLeaving = true;
      form.querySelector("button").setAttribute("aria-busy", "true");
    });
  }
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isLeaving = false;
    for (const form of [next, back]) {
      form?.querySelector("button").removeAttribute("aria-busy");
    }
  });

  // The frame may have loaded before this script.
  frame.addEventListener("load", frameLoaded);
  if (framePage()?.readyState === "complete") frameLoaded();
  main.dataset.walkthrough = "ready";
})();
