// The studio alone: the phone follows its device, the timeline is walked, and
// the jump links say where one is.
(() => {
  "use strict";
  const studio = document.querySelector("[data-studio]");
  const frame = document.getElementById("phone-frame");
  if (!studio || !frame) return;

  // --- the phone follows -------------------------------------------------

  const screenOf = (path) => path.replace(frame.dataset.phone, "").split("/")[0];
  const shown = () => {
    try {
      return frame.contentWindow.location.pathname;
    } catch {
      return "";
    }
  };
  const go = (path) => {
    try {
      frame.contentWindow.location.replace(path);
    } catch {
      frame.src = path;
    }
  };

  // What was put back may be another state of the screen that is shown.
  document.addEventListener("foyer:event", ({ detail }) => {
    const { kind, app, device } = detail;
    if (kind !== "moment.restored" && kind !== "snapshot.restored") return;
    if (app && app !== studio.dataset.studio) return;
    if (device && device !== studio.dataset.device) return;
    go(frame.dataset.phone);
  });

  // The device was changed, here or elsewhere: the frame is drawn as it now
  // is, and what the screen has to hear of is heard by showing it anew.
  const phone = frame.closest(".phone");
  const facts = () =>
    ({ ...document.querySelector(".device-controls").dataset });
  let held = facts();
  document.addEventListener("foyer:swapped", () => {
    const now = facts();
    for (const name of ["size", "ink"]) {
      phone.classList.replace(held[name], now[name]);
    }
    for (const [part, name] of [[phone, "phone"], [studio, "studio"]]) {
      part.classList.replace(
        `${name}-${held.orientation}`, `${name}-${now.orientation}`);
    }
    frame.title = now.title;
    const other = now.shows !== held.shows;
    held = now;
    if (!other) return;
    try {
      frame.contentWindow.location.reload();
    } catch {
      // The browser's own page of an error stands there.
      go(frame.dataset.phone);
    }
  });

  // A screen shown by the page itself is already there, or on its way: only
  // when it is still elsewhere a moment later was it somebody else.
  let moving;
  document.addEventListener("foyer:event", ({ detail }) => {
    if (detail.app !== studio.dataset.studio) return;
    if (detail.device && detail.device !== studio.dataset.device) return;
    if (detail.kind !== "screen.shown" || !detail.subject) return;
    clearTimeout(moving);
    moving = setTimeout(() => {
      const here = screenOf(shown());
      if (here !== "" && here !== detail.subject) {
        go(frame.dataset.phone + detail.subject);
      }
    }, 600);
  });

  document.addEventListener("foyer:sent", ({ detail: form }) => {
    if (form.dataset.quiet === "phone") go(frame.dataset.phone);
    if (form.id === "backend") location.reload();
  });

  // --- the timeline ------------------------------------------------------

  const marks = () => [...document.querySelectorAll(".timeline .mark")];
  let popover, walked;
  let leaving;
  const known = () => marks().find((mark) => mark.dataset.key === walked);
  const hide = () => {
    clearTimeout(leaving);
    popover?.remove();
    popover = undefined;
  };
  // Time to reach what can be done with it.
  const leave = () => {
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      const held = [popover, known()].some(
        (part) => part?.matches(":hover, :focus"));
      if (held) leave();
      else hide();
    }, 300);
  };
  const place = (mark) => {
    const box = mark.querySelector(".mark-ground").getBoundingClientRect();
    const middle = box.left + box.width / 2 - popover.offsetWidth / 2;
    const most = innerWidth - popover.offsetWidth - 12;
    popover.style.left = `${Math.max(12, Math.min(middle, most))}px`;
    popover.style.top = `${box.top - popover.offsetHeight - 8}px`;
  };
  const line = (name, text) => {
    if (!text) return;
    const p = document.createElement("p");
    p.className = name;
    p.textContent = text;
    popover.append(p);
  };
  const show = (mark) => {
    hide();
    walked = mark.dataset.key;
    const { what, when, then, end } = mark.dataset;
    popover = document.createElement("div");
    popover.className = "popover";
    popover.setAttribute("aria-hidden", "true");
    const head = document.createElement("p");
    head.className = "popover-head";
    const name = document.createElement("strong");
    name.textContent = what;
    const total = document.createElement("span");
    total.textContent = end;
    head.append(name, total);
    popover.append(head);
    line("popover-when", when);
    line("popover-then", then);
    if (mark.dataset.restore) {
      const link = document.createElement("a");
      link.className = "popover-restore";
      link.href = mark.dataset.restore;
      link.dataset.dialog = "";
      link.dataset.testid = "timeline.restore";
      link.tabIndex = -1;
      link.textContent = "Restore this moment";
      popover.append(link);
    }
    document.body.append(popover);
    place(mark);
  };
  const walk = (by) => {
    const all = marks();
    if (all.length === 0) return;
    const at = all.indexOf(known());
    const next = at < 0 ? (by < 0 ? all.length - 1 : 0) : at + by;
    all[Math.max(0, Math.min(next, all.length - 1))].focus();
  };

  // The strip shows its newest end; what is walked to further back comes in.
  const reach = (mark) => {
    const drawing = mark.closest(".timeline-drawing");
    const track = drawing.parentElement.getBoundingClientRect();
    const moved = new DOMMatrix(getComputedStyle(drawing).transform).m41;
    const box = mark.querySelector(".mark-ground").getBoundingClientRect();
    const hidden = track.left + 40 - (box.left - moved);
    drawing.style.transform = hidden > 0 ? `translateX(${hidden}px)` : "";
  };

  const of = (event) => event.target.closest?.(".timeline .mark");
  document.addEventListener("pointerover", (e) => of(e) && show(of(e)));
  document.addEventListener("pointerout", (e) => of(e) && leave());
  document.addEventListener("focusin", (e) => {
    if (!of(e)) return;
    reach(of(e));
    show(of(e));
  });
  document.addEventListener("focusout", (e) => {
    if (!of(e) || popover?.contains(e.relatedTarget)) return;
    hide();
    if (e.relatedTarget?.closest(".timeline .mark, [data-walk]")) return;
    of(e).closest(".timeline-drawing").style.transform = "";
  });
  document.addEventListener("click", (e) =>
    e.target.closest(".popover-restore") && hide());
  // The strip was drawn anew below what is being read: it stays, above the
  // same event, for as long as one is there.
  document.addEventListener("foyer:swapped", () => {
    if (!popover) return;
    const mark = known();
    if (!mark) return hide();
    if (!popover.matches(":hover")) place(mark);
    leave();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    if (!of(event)) return;
    if (event.key === "r" && popover) {
      popover.querySelector(".popover-restore")?.click();
    }
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      event.preventDefault();
      walk(by);
    }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-walk]");
    if (button) walk(Number(button.dataset.walk));
  });

  // --- the jump links ----------------------------------------------------

  const jumps = [...document.querySelectorAll(".jumps [href^='#']")];
  const told = () => {
    const line = 180;
    let current = jumps[0];
    for (const jump of jumps) {
      const target = document.querySelector(jump.hash);
      if (target && target.getBoundingClientRect().top <= line) current = jump;
    }
    for (const jump of jumps) {
      if (jump === current) jump.setAttribute("aria-current", "true");
      else jump.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", told, { passive: true });
  told();
})();
