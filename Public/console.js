// What every page gains from a script: copying, dialogs over page fallbacks,
// quiet submits, menus that close, keys, and new rows that flash.
(() => {
  "use strict";
  const page = document;
  page.documentElement.classList.add("scripted");

  // A toast says what was done; an error never comes here.
  let toast, leaving;
  const say = (text) => {
    toast?.remove();
    clearTimeout(leaving);
    toast = page.createElement("p");
    toast.className = "toast";
    toast.setAttribute("role", "status");
    page.body.append(toast);
    toast.textContent = text;
    leaving = setTimeout(() => toast.remove(), 5000);
  };

  // Copying. `data-copy` is the text; `data-copy-src` names where the whole
  // of it is asked for, `data-copy-field` the JSON field that holds it.
  const textOf = async (button) => {
    const { copy, copySrc, copyField } = button.dataset;
    if (copy !== undefined) return copy;
    const answer = await fetch(copySrc, { credentials: "same-origin" });
    if (!answer.ok) throw new Error("refused");
    return copyField ? (await answer.json())[copyField] : answer.text();
  };

  const put = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = page.createElement("textarea");
    area.value = text;
    page.body.append(area);
    area.select();
    page.execCommand("copy");
    area.remove();
  };

  const copy = async (button) => {
    button.setAttribute("aria-busy", "true");
    try {
      await put(await textOf(button));
      say(button.dataset.copied || "Copied");
    } catch {
      location.reload();
    } finally {
      button.removeAttribute("aria-busy");
    }
  };

  // A link to a page that asks: the page's form is shown in a dialog instead.
  const ask = async (link) => {
    const url = new URL(link.href);
    url.searchParams.set("part", "dialog");
    const answer = await fetch(url, { credentials: "same-origin" });
    if (!answer.ok) return location.assign(link.href);
    const dialog = page.createElement("dialog");
    dialog.className = "dialog";
    dialog.innerHTML = await answer.text();
    const title = dialog.querySelector(".dialog-title");
    if (title) dialog.setAttribute("aria-labelledby", title.id);
    dialog.addEventListener("close", () => {
      dialog.remove();
      // Back to the link, or to the menu it lies in.
      (link.closest("details")?.querySelector("summary") ?? link).focus();
    });
    page.body.append(dialog);
    link.closest("details")?.removeAttribute("open");
    dialog.showModal();
  };

  // A form that changes something shown live: sent without leaving the page.
  const send = async (form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter));
    submitter?.setAttribute("aria-busy", "true");
    form.closest("details")?.removeAttribute("open");
    try {
      const answer = await fetch(form.action, {
        method: "POST", body, credentials: "same-origin", redirect: "manual",
      });
      if (answer.type !== "opaqueredirect" && !answer.ok) throw answer;
      // What it changed may have replaced the form meanwhile.
      page.dispatchEvent(new CustomEvent("foyer:sent", { detail: form }));
    } catch {
      // As a form of its own, with the button that was pressed.
      if (!form.isConnected) {
        form.hidden = true;
        page.body.append(form);
      }
      delete form.dataset.quiet;
      form.requestSubmit(submitter);
    } finally {
      submitter?.removeAttribute("aria-busy");
    }
  };

  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy], [data-copy-src]");
    if (button) return void copy(button);
    const close = event.target.closest("dialog [data-close]");
    if (close) {
      event.preventDefault();
      return close.closest("dialog").close();
    }
    const plain = !(event.metaKey || event.ctrlKey || event.shiftKey);
    const link = event.target.closest("a[data-dialog]");
    if (link && plain && event.button === 0) {
      event.preventDefault();
      ask(link);
    }
  });

  page.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sending) return event.preventDefault();
    if (form.matches("[data-quiet]")) {
      event.preventDefault();
      return void send(form, event.submitter);
    }
    if (form.method === "post") {
      form.dataset.sending = "true";
      event.submitter?.setAttribute("aria-busy", "true");
    }
  });

  page.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-submit-on-change]");
    form?.requestSubmit();
  });

  // One menu open at a time; Escape and a click elsewhere close it.
  const menus = "details.menu[open], details.tab-more[open]";
  page.addEventListener("click", (event) => {
    for (const menu of page.querySelectorAll(menus)) {
      if (!menu.contains(event.target)) menu.removeAttribute("open");
    }
  });

  page.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      for (const menu of page.querySelectorAll(menus)) {
        menu.removeAttribute("open");
        menu.querySelector("summary").focus();
      }
    }
    const typing = event.target.closest?.("input, textarea, select");
    // A page that has a step before and after it: <a data-arrow="left">.
    const side = { ArrowLeft: "left", ArrowRight: "right" }[event.key];
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      && !event.shiftKey && !event.defaultPrevented;
    if (side && plain && !typing) {
      page.querySelector(`[data-arrow="${side}"]`)?.click();
    }
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      const field = page.querySelector("[data-search]");
      if (field) {
        event.preventDefault();
        field.select();
      }
    }
  });

  // Back and forward must not find a form that still says it is under way.
  addEventListener("pageshow", () => {
    for (const form of page.querySelectorAll("[data-sending]")) {
      delete form.dataset.sending;
    }
    for (const busy of page.querySelectorAll("[aria-busy=true]")) {
      busy.removeAttribute("aria-busy");
    }
  });

  window.foyer = { say };
})();
