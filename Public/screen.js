// What a screen gains from a script; without it every form still works.
// Driven by attributes only, so that an app's templates need no script.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, within = document) =>
    Array.from(within.querySelectorAll(selector));

  // Inside the console's phone frame the status bar and the home indicator
  // cover the page's edges.
  const framed = window.self !== window.top;
  if (framed) root.classList.add("framed");

  const scrolled = () => root.classList.toggle("is-scrolled", scrollY > 0);
  addEventListener("scroll", scrolled, { passive: true });
  scrolled();

  // A tile of the storyboard shows one moment and does nothing by itself.
  const still = root.classList.contains("static");

  // ---- Submits: one leaves, the form rests until the answer is there.

  const rest = (form, pressed) => {
    form.classList.add("is-busy");
    if (pressed?.matches(".button")) pressed.classList.add("is-pressed");
    form.setAttribute("aria-busy", "true");
    // After the browser has gathered the values: a disabled field sends none.
    setTimeout(() => {
      if (!form.classList.contains("is-busy")) return;
      for (const part of all("fieldset, button", form)) {
        if (part.disabled) continue;
        part.disabled = true;
        part.dataset.rested = "";
      }
      for (const link of all("a[href]", form)) {
        link.setAttribute("aria-disabled", "true");
        link.inert = true;
      }
    }, 0);
  };

  const wake = (form) => {
    form.classList.remove("is-busy");
    form.removeAttribute("aria-busy");
    form.querySelector(".is-pressed")?.classList.remove("is-pressed");
    for (const part of all("[data-rested]", form)) {
      part.disabled = false;
      delete part.dataset.rested;
    }
    for (const link of all("a[aria-disabled]", form)) {
      link.removeAttribute("aria-disabled");
      link.inert = false;
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("[data-busy]")) return;
    // A tab takes what was typed along; nothing is waited for.
    if (event.submitter?.matches("[data-carries]")) return;
    if (form.classList.contains("is-busy")) event.preventDefault();
    else rest(form, event.submitter);
  });

  // What does nothing yet does nothing, and a link that rests leads nowhere.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[aria-disabled=true]")) event.preventDefault();
  });

  // ---- A button that waits for its fields: <button data-filled="email code">
  // may be pressed once none of them is empty, with data-valid besides once no
  // field shows an error. Without a script it can be pressed at any time, and
  // the answer says what it waits for.

  const isFilled = (form, name) => {
    const part = form.elements[name];
    if (!part) return true;
    return part.type === "checkbox" ? part.checked : part.value.trim() !== "";
  };

  const ready = (form) => {
    if (form.classList.contains("is-busy")) return;
    const isValid = !form.querySelector(".field.is-invalid");
    for (const button of all("button[data-filled]", form)) {
      const names = button.dataset.filled.split(" ").filter(Boolean);
      const waits = !names.every((name) => isFilled(form, name))
        || ("valid" in button.dataset && !isValid);
      button.disabled = waits;
      button.classList.remove("is-waiting");
    }
  };

  // ---- The return key leads on: <input data-enter="next">. Without a script
  // it sends the form, and the rules answer.

  document.addEventListener("keydown", (event) => {
    const here = event.target;
    if (event.key !== "Enter" || event.isComposing) return;
    if (!here.matches?.("[data-enter=next]") || !here.form) return;
    event.preventDefault();
    const inputs = all(".field-input:enabled", here.form);
    inputs[inputs.indexOf(here) + 1]?.focus();
  });

  // ---- The launch goes on by itself, once its screen has been painted.

  const launch = () => {
    const form = document.querySelector("form[data-launch]");
    if (!form || still) return;
    requestAnimationFrame(() => setTimeout(() => form.submit(), 0));
  };

  // Stopped while waiting: the form can be used again.
  window.navigation?.addEventListener("navigateerror", () => {
    all("form.is-busy").forEach(wake);
  });

  // A page that comes back from the browser's memory was left in the middle
  // of a submit: it wakes up, and a launch starts again.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    all("form.is-busy").forEach(wake);
    all("form").forEach(ready);
    launch();
  });

  // ---- Show and hide a password.

  for (const eye of all("[data-reveals]")) {
    eye.hidden = false;
    const input = document.getElementById(eye.dataset.reveals);
    eye.addEventListener("click", () => {
      const shown = input.type === "password";
      const at = input.selectionStart;
      input.type = shown ? "text" : "password";
      eye.setAttribute("aria-label", shown ? "Hide password" : "Show password");
      if (document.activeElement === input) input.setSelectionRange(at, at);
    });
  }

  // ---- Editing a field takes back what was said about it.

  const say = (field, input, message) => {
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
    // What is being said already is not said again.
    const words = note.querySelector("span");
    if (words.textContent !== message) words.textContent = message;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", note.id);
  };

  const edited = (input) => {
    const field = input.closest?.(".field");
    const form = input.form;
    if (!field || !form) return;
    const lives = form.dataset.check;
    if (lives) check(form, input);
    if (!lives || "live" in form.dataset) say(field, input, null);
    form.querySelector(".failure")?.remove();
    ready(form);
  };

  document.addEventListener("input", (event) => edited(event.target));

  // ---- Validation a while after the last key, where the app wants it:
  // <form data-check="address" data-delay="500">. The rules are the server's:
  // it gets the form and answers {"errors": {name: text}}. With data-live
  // only some rules are checked by then, and a key takes back what the last
  // submit said.

  // How strong a password is, in the server's words.
  const rate = (input, { level, label }) => {
    const shown = input?.closest(".field").querySelector(".strength");
    if (!shown) return;
    shown.dataset.level = level;
    const words = shown.querySelector(".strength-label");
    if (words.textContent !== label) words.textContent = label;
  };

  const waits = new WeakMap();
  function check(form, input) {
    // What is said already may be right by now, whichever field is typed in.
    const said = all(".field.is-invalid[data-field]", form)
      .map((field) => field.dataset.field);
    const wait = waits.get(form) ?? { touched: new Set(said) };
    waits.set(form, wait);
    wait.touched.add(input.name);
    clearTimeout(wait.timer);
    wait.request?.abort();
    wait.timer = setTimeout(async () => {
      // A form that was sent meanwhile rests, and a resting field says nothing.
      if (form.classList.contains("is-busy")) return;
      wait.request = new AbortController();
      try {
        const answer = await fetch(form.dataset.check, {
          method: "POST",
          body: new URLSearchParams(new FormData(form)),
          headers: { Accept: "application/json" },
          signal: wait.request.signal,
        });
        if (!answer.ok) return;
        const { errors, strengths } = await answer.json();
        for (const [name, said] of Object.entries(strengths ?? {}))
          rate(form.elements[name], said);
        for (const name of wait.touched) {
          const field = form.querySelector(
            `.field[data-field="${CSS.escape(name)}"]`);
          const part = field?.querySelector("input");
          if (part) say(field, part, errors[name] ?? null);
        }
        ready(form);
      } catch {
        // Typed on, or the console is gone: the submit will tell.
      }
    }, Number(form.dataset.delay ?? 0));
  }

  // Text typed before this script was loaded counts too.
  // The browser itself takes blanks off an address's ends.
  for (const input of all(".field-input")) {
    if (input.value.trim() !== input.defaultValue.trim()) edited(input);
  }

  // ---- Dialogs: Escape is the safe answer.

  document.addEventListener("keydown", (event) => {
    const dialog = document.querySelector("[data-escape]");
    if (event.key !== "Escape" || !dialog) return;
    if (dialog.querySelector(".is-busy")) return;
    window.location.assign(dialog.dataset.escape);
  });

  // ---- What stands on the page from the start is announced all the same:
  // a live region speaks only of changes.

  const announce = () => {
    for (const region of all("[role=alert], [role=status]"))
      region.replaceChildren(...region.childNodes);
  };

  if (!still) {
    // Browsers honour autofocus in a frame only while nothing has the focus,
    // and after a submit the frame itself has it.
    if (framed && document.hasFocus())
      document.querySelector("[autofocus]")?.focus();
    setTimeout(announce, 150);
    // The style sheet has faded it out by then (3 s, and the ways in and out).
    const toast = document.querySelector(".toast");
    if (toast) setTimeout(() => toast.remove(), 3450);
  }
  all("form").forEach(ready);
  launch();
})();
