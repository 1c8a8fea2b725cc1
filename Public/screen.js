// Progressive enhancement of an app screen; every form works without it.
// Controlled by attributes only, so that templates need no script.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, within = document) =>
    Array.from(within.querySelectorAll(selector));

  // Inside the console's phone frame the status bar and the home indicator
  // cover the page's edges.
  const framed = window.self !== window.top;
  root.classList.add(framed ? "framed" : "unframed");

  const updateScrolled = () => root.classList.toggle("is-scrolled", scrollY > 0);
  addEventListener("scroll", updateScrolled, { passive: true });
  updateScrolled();

  // A tile of the storyboard is static.
  const isStatic = root.classList.contains("static");

  // ---- Submits: the form is disabled until the response arrives.

  const disable = (form, pressed) => {
    form.classList.add("is-busy");
    if (pressed?.matches(".button")) pressed.classList.add("is-pressed");
    form.setAttribute("aria-busy", "true");
    // After the browser has collected the values: disabled fields send none.
    setTimeout(() => {
      if (!form.classList.contains("is-busy")) return;
      for (const part of all("fieldset, button", form)) {
        if (part.disabled) continue;
        part.disabled = true;
        part.dataset.wasEnabled = "";
      }
      for (const link of all("a[href]", form)) {
        link.setAttribute("aria-disabled", "true");
        link.inert = true;
      }
    }, 0);
  };

  const enable = (form) => {
    form.classList.remove("is-busy");
    form.removeAttribute("aria-busy");
    form.querySelector(".is-pressed")?.classList.remove("is-pressed");
    for (const part of all("[data-was-enabled]", form)) {
      part.disabled = false;
      delete part.dataset.wasEnabled;
    }
    for (const link of all("a[aria-disabled]", form)) {
      link.removeAttribute("aria-disabled");
      link.inert = false;
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("[data-busy]")) return;
    // Switching tabs keeps the typed values; the form is not disabled.
    if (event.submitter?.matches("[data-keep-values]")) return;
    if (form.classList.contains("is-busy")) event.preventDefault();
    else disable(form, event.submitter);
  });

  // Disabled buttons and links do nothing.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[aria-disabled=true]")) event.preventDefault();
  });

  // ---- A button that requires fields: <button data-filled="email code"> is
  // enabled once none of them is empty and, with data-valid, no field shows an
  // error. Without a script it is always enabled, and the response shows the
  // errors.

  const isFilled = (form, name) => {
    const part = form.elements[name];
    if (!part) return true;
    return part.type === "checkbox" ? part.checked : part.value.trim() !== "";
  };

  const updateButtons = (form) => {
    if (form.classList.contains("is-busy")) return;
    const isValid = !form.querySelector(".field.is-invalid");
    for (const button of all("button[data-filled]", form)) {
      const names = button.dataset.filled.split(" ").filter(Boolean);
      const isIncomplete = !names.every((name) => isFilled(form, name))
        || ("valid" in button.dataset && !isValid);
      button.disabled = isIncomplete;
      button.classList.remove("is-waiting");
    }
  };

  // ---- Enter moves to the next field: <input data-enter="next">. Without a
  // script it submits the form.

  document.addEventListener("keydown", (event) => {
    const here = event.target;
    if (event.key !== "Enter" || event.isComposing) return;
    if (!here.matches?.("[data-enter=next]") || !here.form) return;
    event.preventDefault();
    const inputs = all(".field-input:enabled", here.form);
    inputs[inputs.indexOf(here) + 1]?.focus();
  });

  // ---- The bar above the keyboard: <div data-keyboard-bar hidden>, shown while a
  // text field has the focus. Its button ends the input. It comes before the
  // form, so that Tab still leads from field to field.

  const keyboardBar = document.querySelector("[data-keyboard-bar]");
  if (keyboardBar && !isStatic) {
    document.querySelector("form:has(.field-input)")?.before(keyboardBar);
    const needsBar = (part) =>
      Boolean(part?.matches?.(".field-input") || keyboardBar.contains(part));
    document.addEventListener("focusin", ({ target }) => {
      keyboardBar.hidden = !needsBar(target);
    });
    document.addEventListener("focusout", ({ relatedTarget }) => {
      if (!needsBar(relatedTarget)) keyboardBar.hidden = true;
    });
    // A press on the bar leaves the focus in the field until it is released.
    keyboardBar.addEventListener("pointerdown", (event) => event.preventDefault());
    keyboardBar.addEventListener("mousedown", (event) => event.preventDefault());
    keyboardBar.querySelector("button").addEventListener("click", () => {
      document.activeElement.blur();
    });
    keyboardBar.hidden = !needsBar(document.activeElement);
  }

  // ---- The launch is submitted automatically after the first paint.

  const launch = () => {
    const form = document.querySelector("form[data-launch]");
    if (!form || isStatic || document.querySelector(".in-background")) return;
    requestAnimationFrame(() => setTimeout(() => form.submit(), 0));
  };

  // Navigation stopped by the user: the form is enabled again.
  window.navigation?.addEventListener("navigateerror", () => {
    all("form.is-busy").forEach(enable);
  });

  // A page restored from the back/forward cache was left during a submit: its
  // forms are enabled, and a launch starts again.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    all("form.is-busy").forEach(enable);
    all("form").forEach(updateButtons);
    launch();
  });

  // ---- Pull to refresh: <form data-refresh> is submitted after a pull of the
  // page's top. Without a script its button, visible when focused, does it.

  const refreshForm = document.querySelector("form[data-refresh]");
  if (refreshForm && !isStatic) {
    const farEnough = 64;
    let startY = null;
    const isStarted = (target) =>
      scrollY <= 0 && !refreshForm.matches(".is-busy") && !target.closest("[inert], .scrim");
    const pull = (y) => {
      const distance = startY === null ? 0 : Math.max(0, y - startY);
      refreshForm.classList.toggle("is-pulled", distance > 8);
      refreshForm.classList.toggle("is-ready", distance >= farEnough);
      refreshForm.style.setProperty("--pull", `${Math.min(distance / 2, farEnough / 2)}px`);
      root.classList.toggle("is-pulling", distance > 8);
      return distance;
    };
    const release = (submits) => {
      const isReady = refreshForm.matches(".is-ready");
      startY = null;
      pull(0);
      if (isReady && submits) refreshForm.requestSubmit();
    };

    addEventListener("touchstart", ({ target, touches }) => {
      startY = touches.length === 1 && isStarted(target) ? touches[0].clientY : null;
    }, { passive: true });
    addEventListener("touchmove", (event) => {
      if (startY === null) return;
      if (pull(event.touches[0].clientY) > 8) event.preventDefault();
      else if (scrollY > 0) release(false);
    }, { passive: false });
    addEventListener("touchend", () => release(true));
    addEventListener("touchcancel", () => release(false));

    // A drag that begins on a control is the control's own.
    addEventListener("mousedown", ({ button, clientY, target }) => {
      const isControl = target.closest("a, button, input, label, select, textarea");
      startY = button === 0 && !isControl && isStarted(target) ? clientY : null;
    });
    addEventListener("mousemove", ({ buttons, clientY }) => {
      if (startY === null) return;
      if (buttons & 1) pull(clientY);
      else release(false);
    });
    addEventListener("mouseup", () => release(true));
    addEventListener("blur", () => release(false));
  }

  // ---- <form data-keep-scroll> changes a part of the page, which stays where it was; so does
  // the focus of a keyboard.

  const keptPlace = `place ${location.pathname}`;
  if (!isStatic) {
    try {
      const [y, name] = JSON.parse(sessionStorage.getItem(keptPlace)) ?? [scrollY];
      sessionStorage.removeItem(keptPlace);
      scrollTo(0, y);
      const focused = name && document.querySelector(`[data-testid="${CSS.escape(name)}"]`);
      focused?.focus({ preventScroll: true });
      document.addEventListener("submit", ({ target, submitter }) => {
        if (!target.matches("[data-keep-scroll]")) return;
        const name = submitter?.matches(":focus-visible") ? submitter.dataset.testid : null;
        sessionStorage.setItem(keptPlace, JSON.stringify([scrollY, name]));
      });
    } catch {
      // The browser stores nothing for this site.
    }
  }

  // ---- <time datetime> is shown in the browser's language and time zone, with
  // data-date as a date in words. Without this script it is as the backend sent it.

  for (const part of all("time[datetime]")) {
    const at = new Date(part.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    part.textContent = "date" in part.dataset
      ? at.toLocaleDateString(root.lang, { dateStyle: "long" })
      : at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }

  // ---- Show and hide a password.

  for (const toggle of all("[data-toggles-password]")) {
    toggle.hidden = false;
    const input = document.getElementById(toggle.dataset.togglesPassword);
    toggle.addEventListener("click", () => {
      const shown = input.type === "password";
      const at = input.selectionStart;
      input.type = shown ? "text" : "password";
      toggle.setAttribute("aria-label", shown ? "Hide password" : "Show password");
      if (document.activeElement === input) input.setSelectionRange(at, at);
    });
  }

  // ---- Editing a field removes its error.

  const showError = (field, input, message) => {
    let note = field.querySelector(".field-error");
    field.classList.toggle("is-invalid", message !== null);
    if (message === null) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
      note?.remove();
      return;
    }
    if (!note) {
      note = document.createElement("p");
      note.className = "field-error";
      note.id = `${input.id}-error`;
      note.setAttribute("role", "alert");
      note.dataset.testid = `${input.dataset.testid}.error`;
      note.append(document.createElement("span"));
      field.append(note);
    }
    // An unchanged message is not announced again.
    const textElement = note.querySelector("span");
    if (textElement.textContent !== message) textElement.textContent = message;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", note.id);
  };

  const fieldEdited = (input) => {
    const field = input.closest?.(".field");
    const form = input.form;
    if (!field || !form) return;
    const checksLive = form.dataset.check;
    if (checksLive) check(form, input);
    if (!checksLive || "live" in form.dataset) showError(field, input, null);
    form.querySelector(".failure")?.remove();
    const counter = form.querySelector(`[data-counts="${input.id}"] span`);
    if (counter) counter.textContent = Array.from(input.value.trim()).length;
    updateButtons(form);
  };

  document.addEventListener("input", (event) => fieldEdited(event.target));

  // ---- Validation after a pause in typing, if the app has it:
  // <form data-check="url" data-delay="500">. The server validates the form
  // and returns {"errors": {name: text}}. With data-live it checks only some
  // rules, and typing removes the errors of the last submit.

  // The strength of a password, as the server reports it.
  const showStrength = (input, { level, label }) => {
    const shown = input?.closest(".field").querySelector(".strength");
    if (!shown) return;
    shown.dataset.level = level;
    const textElement = shown.querySelector(".strength-label");
    if (textElement.textContent !== label) textElement.textContent = label;
  };

  const pendingChecks = new WeakMap();
  function check(form, input) {
    // Errors that are shown may be fixed now, in any field.
    const shownErrors = all(".field.is-invalid[data-field]", form)
      .map((field) => field.dataset.field);
    const pendingCheck = pendingChecks.get(form) ?? { touched: new Set(shownErrors) };
    pendingChecks.set(form, pendingCheck);
    pendingCheck.touched.add(input.name);
    clearTimeout(pendingCheck.timer);
    pendingCheck.request?.abort();
    pendingCheck.timer = setTimeout(async () => {
      // A form that was submitted in the meantime is disabled.
      if (form.classList.contains("is-busy")) return;
      pendingCheck.request = new AbortController();
      try {
        const response = await fetch(form.dataset.check, {
          method: "POST",
          body: new URLSearchParams(new FormData(form)),
          headers: { Accept: "application/json" },
          signal: pendingCheck.request.signal,
        });
        if (!response.ok) return;
        const { errors, strengths } = await response.json();
        for (const [name, strength] of Object.entries(strengths ?? {}))
          showStrength(form.elements[name], strength);
        for (const name of pendingCheck.touched) {
          const field = form.querySelector(
            `.field[data-field="${CSS.escape(name)}"]`);
          const part = field?.querySelector("input, textarea");
          if (part) showError(field, part, errors[name] ?? null);
        }
        updateButtons(form);
      } catch {
        // Aborted by more typing, or the console stopped: the submit reports it.
      }
    }, Number(form.dataset.delay ?? 0));
  }

  // Text typed before this script was loaded counts too.
  // Browsers trim spaces in e-mail fields.
  for (const input of all(".field-input")) {
    if (input.value.trim() !== input.defaultValue.trim()) fieldEdited(input);
  }

  // ---- Dialogs: Escape cancels.

  document.addEventListener("keydown", (event) => {
    const dialog = document.querySelector("[data-escape]");
    if (event.key !== "Escape" || !dialog) return;
    if (dialog.querySelector(".is-busy")) return;
    window.location.assign(dialog.dataset.escape);
  });

  // ---- Announces messages that are on the page from the start: a live region
  // announces only changes.

  const announce = () => {
    for (const region of all("[role=alert], [role=status]"))
      region.replaceChildren(...region.childNodes);
  };

  if (!isStatic) {
    // Browsers honour autofocus in a frame only while nothing has the focus,
    // and after a submit the frame itself has it.
    if (framed && document.hasFocus())
      document.querySelector("[autofocus]")?.focus();
    setTimeout(announce, 150);
    // The style sheet has faded it out by then (3 s and both transitions).
    const toast = document.querySelector(".toast");
    if (toast) setTimeout(() => toast.remove(), 3450);
  }
  all("form").forEach(updateButtons);
  launch();
})();
