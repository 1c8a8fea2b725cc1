// What every page gains from a script: copying, dialogs over page fallbacks,
// quiet submits, menus that close, keys, and new rows that flash.
(() => {
  "use strict";
  const page = document;
  page.documentElement.classList.add("has-js");

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

  // A dialog with `parts` in it; closed, the focus is back at what opened it,
  // or at the menu that lies in.
  const present = (parts, opener) => {
    const dialog = page.createElement("dialog");
    dialog.className = "dialog";
    dialog.append(parts);
    const title = dialog.querySelector(".dialog-title");
    if (title) dialog.setAttribute("aria-labelledby", title.id);
    dialog.addEventListener("close", () => {
      dialog.remove();
      (opener?.closest("details")?.querySelector("summary") ?? opener)?.focus();
    });
    page.body.append(dialog);
    opener?.closest("details")?.removeAttribute("open");
    dialog.showModal();
  };
  const parsed = (html) => {
    const made = page.createElement("template");
    made.innerHTML = html;
    return made.content;
  };

  // A link to a page that asks: the page's form is shown in a dialog instead.
  const ask = async (link) => {
    const url = new URL(link.href);
    url.searchParams.set("part", "dialog");
    const answer = await fetch(url, { credentials: "same-origin" });
    if (!answer.ok) return complain(await problemOf(answer), link);
    present(parsed(await answer.text()), link);
  };

  // --- what is refused -----------------------------------------------------

  // Of a refused request: its title and detail, or the form as a page shows
  // it, with its error. Without the key only a whole page can say so.
  const problemOf = async (answer) => {
    if (answer.status === 401) location.reload();
    const text = await answer.text();
    const type = answer.headers.get("Content-Type") ?? "";
    if (type.startsWith("text/html")) {
      return { form: parsed(text).querySelector("main .dialog") };
    }
    try {
      return JSON.parse(text);
    } catch {
      return { title: `Rejected: ${answer.status}`, detail: "" };
    }
  };

  const complain = ({ title, detail }, opener) => {
    const parts = parsed(`<h1 class="dialog-title" id="dialog-title"></h1>
      <p class="dialog-text" role="alert" data-testid="problem.text"></p>
      <div class="dialog-actions"><button class="button primary" type="button"
        data-close data-testid="problem.close">Close</button></div>`);
    parts.querySelector("h1").textContent = title;
    parts.querySelector("p").textContent = detail;
    present(parts, opener);
  };

  // Above the buttons of the dialog, whose form stays as it was filled in.
  const warn = (form, text) => {
    form.querySelector(".dialog-error")?.remove();
    const line = page.createElement("p");
    line.className = "field-error dialog-error";
    line.setAttribute("role", "alert");
    line.dataset.testid = "dialog.error";
    line.textContent = text;
    form.querySelector(".dialog-actions").before(line);
  };

  const typed = "input:not([type=hidden], [type=radio], [type=checkbox]), "
    + "textarea, select";
  const showAgain = (dialog, form, refused) => {
    const values = new FormData(form);
    dialog.replaceChildren(...refused.childNodes);
    for (const field of dialog.querySelectorAll(typed)) {
      if (values.has(field.name)) field.value = values.get(field.name);
    }
    (dialog.querySelector("[aria-invalid=true], [aria-describedby]")
      ?? dialog.querySelector(typed))?.focus();
  };

  // The form of a dialog: what is refused is said there, with what was typed.
  const sendFrom = async (dialog, form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter));
    form.dataset.sending = "true";
    submitter?.setAttribute("aria-busy", "true");
    try {
      const to = submitter?.getAttribute("formaction") ?? form.action;
      const answer = await fetch(
        to, { method: "POST", body, credentials: "same-origin" });
      if (answer.ok || answer.redirected) return location.assign(answer.url);
      const problem = await problemOf(answer);
      if (problem.form) showAgain(dialog, form, problem.form);
      else warn(form, `${problem.title}. ${problem.detail}`);
    } catch {
      warn(form, "Foyer did not respond. Is it still running?");
    }
    delete form.dataset.sending;
    submitter?.removeAttribute("aria-busy");
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
      if (answer.type !== "opaqueredirect" && !answer.ok) {
        return complain(await problemOf(answer), submitter);
      }
      // What it changed may have replaced the form meanwhile.
      page.dispatchEvent(new CustomEvent("foyer:sent", { detail: form }));
    } catch {
      // As a form of its own, with the button that was pressed.
      if (!form.isConnected) {
        form.hidden = true;
        page.body.append(form);
      }
      delete form.dataset.async;
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

  // A time lies above its row's link, for what it says on hover.
  page.addEventListener("click", (event) => {
    const row = event.target.closest("time")?.closest("tr, li");
    if (event.target.closest("a, button")) return;
    row?.querySelector(".row-link")?.dispatchEvent(new MouseEvent("click", event));
  });

  page.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sending) return event.preventDefault();
    if (form.matches("[data-async]")) {
      event.preventDefault();
      return void send(form, event.submitter);
    }
    const dialog = form.closest("dialog");
    if (dialog && form.method === "post") {
      event.preventDefault();
      return void sendFrom(dialog, form, event.submitter);
    }
    if (form.method === "post") {
      form.dataset.sending = "true";
      event.submitter?.setAttribute("aria-busy", "true");
    }
  });

  page.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-submit-on-change]");
    form?.requestSubmit();
    pick();
  });

  // A form over rows of a list: `data-picks` of them are to be ticked.
  const pick = () => {
    for (const form of page.querySelectorAll("form[data-picks]")) {
      const ticked = page.querySelectorAll(`[form="${form.id}"]:checked`).length;
      const button = form.querySelector("button");
      button.disabled = ticked !== Number(form.dataset.picks);
      button.title = button.disabled ? form.dataset.hint : "";
    }
  };
  page.addEventListener("foyer:swapped", pick);

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
    pick();
    for (const form of page.querySelectorAll("[data-sending]")) {
      delete form.dataset.sending;
    }
    for (const busy of page.querySelectorAll("[aria-busy=true]")) {
      busy.removeAttribute("aria-busy");
    }
  });

  window.foyer = { say };
})();
