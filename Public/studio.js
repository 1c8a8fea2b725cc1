// The studio: keeps the phones on their devices' screens, navigates the timeline,
// and marks the current section link.
(() => {
  "use strict";
  const studio = document.querySelector("[data-studio]");
  const frame = document.getElementById("phone-frame");
  if (!studio || !frame) return;

  // --- the phones --------------------------------------------------------

  // Of two devices side by side, the second may be replaced by an update.
  const frames = () => document.querySelectorAll("iframe[data-phone]");
  const go = (frame, path) => {
    try {
      frame.contentWindow.location.replace(path);
    } catch {
      frame.src = path;
    }
  };
  const restart = () => {
    for (const frame of frames()) go(frame, frame.dataset.phone);
  };
  // The frames that an event of this app concerns.
  const framesOf = ({ app, device }) =>
    app && app !== studio.dataset.studio ? [] : [...frames()].filter(
      (frame) => !device || device === frame.dataset.device);

  const fieldsOf = (frame) => {
    try {
      return [...frame.contentDocument.querySelectorAll("main input:not([type='hidden'])")];
    } catch {
      return [];
    }
  };
  // Shows the screen again, with what was typed if it is still the same.
  const showKeepingInput = (frame) => {
    const typed = fieldsOf(frame).map(({ id, value, checked }) => ({ id, value, checked }));
    frame.addEventListener("load", () => {
      const fields = fieldsOf(frame);
      if (fields.some(({ id }, index) => id !== typed[index]?.id)) return;
      for (const [index, field] of fields.entries()) {
        Object.assign(field, typed[index]);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }, { once: true });
    go(frame, frame.dataset.phone);
  };

  // A restore may change the state of the screen that is shown; in the
  // background it is dimmed.
  const showAgain = {
    "state.restored": (frame) => go(frame, frame.dataset.phone),
    "snapshot.restored": (frame) => go(frame, frame.dataset.phone),
    "app.backgrounded": showKeepingInput,
    "app.foregrounded": showKeepingInput,
  };
  document.addEventListener("foyer:event", ({ detail }) => {
    const show = showAgain[detail.kind];
    if (show) framesOf(detail).forEach(show);
  });

  // The device has changed, here or elsewhere: the frame is updated, and the
  // screen is reloaded if the change affects it.
  const phone = frame.closest(".phone");
  const deviceData = () =>
    ({ ...document.querySelector(".device-controls").dataset });
  let previous = deviceData();
  document.addEventListener("foyer:swapped", () => {
    const current = deviceData();
    for (const name of ["size", "statusBar"]) {
      phone.classList.replace(previous[name], current[name]);
    }
    for (const [part, name] of [[phone, "phone"], [studio, "studio"]]) {
      part.classList.replace(
        `${name}-${previous.orientation}`,
        `${name}-${current.orientation}`);
    }
    frame.title = current.title;
    const isUnaffected = current.displayKey === previous.displayKey;
    previous = current;
    if (isUnaffected) return;
    try {
      frame.contentWindow.location.reload();
    } catch {
      // The frame shows an error page of the browser.
      go(frame, frame.dataset.phone);
    }
  });

  // After its own navigation a frame is already there, or on the way: it
  // follows only if it shows another screen a moment later.
  const screenOf = (frame) => {
    try {
      const path = frame.contentWindow.location.pathname;
      return path.replace(frame.dataset.phone, "").split("/")[0];
    } catch {
      return "";
    }
  };
  const followTimers = new Map();
  document.addEventListener("foyer:event", ({ detail }) => {
    if (!detail.app || detail.kind !== "screen.shown" || !detail.subject) return;
    for (const frame of framesOf(detail)) {
      const { device, phone: base } = frame.dataset;
      clearTimeout(followTimers.get(device));
      followTimers.set(device, setTimeout(() => {
        const screen = screenOf(frame);
        if (screen !== "" && screen !== detail.subject) go(frame, base + detail.subject);
      }, 600));
    }
  });

  document.addEventListener("foyer:sent", ({ detail: form }) => {
    if (form.dataset.async === "phone") restart();
    if (form.id === "backend") location.reload();
  });

  // --- the timeline ------------------------------------------------------

  const marks = () => [...document.querySelectorAll(".timeline .mark")];
  let popover, selectedKey;
  let hideTimer;
  const selected = () =>
    marks().find((mark) => mark.dataset.key === selectedKey);
  const hide = () => {
    clearTimeout(hideTimer);
    popover?.remove();
    popover = undefined;
  };
  // The delay lets the pointer reach the popover's link.
  const scheduleHide = () => {
    clearTimeout(hideTimer);
    hideTimer = setTimeout(() => {
      const isInUse = [popover, selected()].some(
        (part) => part?.matches(":hover, :focus"));
      if (isInUse) scheduleHide();
      else hide();
    }, 300);
  };
  const position = (mark) => {
    const box = mark.querySelector(".mark-background").getBoundingClientRect();
    const left = box.left + box.width / 2 - popover.offsetWidth / 2;
    const maxLeft = innerWidth - popover.offsetWidth - 12;
    popover.style.left = `${Math.max(12, Math.min(left, maxLeft))}px`;
    popover.style.top = `${box.top - popover.offsetHeight - 8}px`;
  };
  const addLine = (name, text) => {
    if (!text) return;
    const p = document.createElement("p");
    p.className = name;
    p.textContent = text;
    popover.append(p);
  };
  const show = (mark) => {
    hide();
    selectedKey = mark.dataset.key;
    const { title, timing, cause, duration } = mark.dataset;
    popover = document.createElement("div");
    popover.className = "popover";
    popover.setAttribute("aria-hidden", "true");
    const head = document.createElement("p");
    head.className = "popover-head";
    const name = document.createElement("strong");
    name.textContent = title;
    const total = document.createElement("span");
    total.textContent = duration;
    head.append(name, total);
    popover.append(head);
    addLine("popover-timing", timing);
    addLine("popover-cause", cause);
    if (mark.dataset.restore) {
      const link = document.createElement("a");
      link.className = "popover-restore";
      link.href = mark.dataset.restore;
      link.dataset.dialog = "";
      link.dataset.testid = "timeline.restore";
      link.tabIndex = -1;
      link.textContent = "Restore this point";
      popover.append(link);
    }
    document.body.append(popover);
    position(mark);
  };
  const step = (offset) => {
    const all = marks();
    if (all.length === 0) return;
    const index = all.indexOf(selected());
    const next =
      index < 0 ? (offset < 0 ? all.length - 1 : 0) : index + offset;
    all[Math.max(0, Math.min(next, all.length - 1))].focus();
  };

  // The timeline shows its newest end; an older mark is moved into view.
  const reveal = (mark) => {
    const drawing = mark.closest(".timeline-drawing");
    const track = drawing.parentElement.getBoundingClientRect();
    const offset = new DOMMatrix(getComputedStyle(drawing).transform).m41;
    const box = mark.querySelector(".mark-background").getBoundingClientRect();
    const hidden = track.left + 40 - (box.left - offset);
    drawing.style.transform = hidden > 0 ? `translateX(${hidden}px)` : "";
  };

  const markOf = (event) => event.target.closest?.(".timeline .mark");
  document.addEventListener("pointerover", (e) =>
    markOf(e) && show(markOf(e)));
  document.addEventListener("pointerout", (e) => markOf(e) && scheduleHide());
  document.addEventListener("focusin", (e) => {
    if (!markOf(e)) return;
    reveal(markOf(e));
    show(markOf(e));
  });
  document.addEventListener("focusout", (e) => {
    if (!markOf(e) || popover?.contains(e.relatedTarget)) return;
    hide();
    const isInTimeline = ".timeline .mark, [data-timeline-step]";
    if (e.relatedTarget?.closest(isInTimeline)) return;
    markOf(e).closest(".timeline-drawing").style.transform = "";
  });
  document.addEventListener("click", (e) =>
    e.target.closest(".popover-restore") && hide());
  // The timeline was replaced: the popover stays above the same event, if that
  // still exists.
  document.addEventListener("foyer:swapped", () => {
    if (!popover) return;
    const mark = selected();
    if (!mark) return hide();
    if (!popover.matches(":hover")) position(mark);
    scheduleHide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    if (!markOf(event)) return;
    if (event.key === "r" && popover) {
      popover.querySelector(".popover-restore")?.click();
    }
    const offset = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (offset) {
      event.preventDefault();
      step(offset);
    }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-timeline-step]");
    if (button) step(Number(button.dataset.timelineStep));
  });

  // --- the section links -------------------------------------------------

  const links = [...document.querySelectorAll(".section-links [href^='#']")];
  const markCurrent = () => {
    const line = 180;
    let current = links[0];
    for (const link of links) {
      const target = document.querySelector(link.hash);
      if (target && target.getBoundingClientRect().top <= line) current = link;
    }
    for (const link of links) {
      if (link === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", markCurrent, { passive: true });
  markCurrent();
})();
