// Progressive enhancement of every page: copy buttons, dialogs instead of
// pages, submits without navigation, menus, keys and row selection.
(() => {
  "use strict";
  const page = document;
  page.documentElement.classList.add("has-js");

  // A toast confirms an action; errors are shown in a dialog instead.
  let toast, toastTimer;
  const showToast = (text) => {
    toast?.remove();
    clearTimeout(toastTimer);
    toast = page.createElement("p");
    toast.className = "toast";
    toast.setAttribute("role", "status");
    page.body.append(toast);
    toast.textContent = text;
    toastTimer = setTimeout(() => toast.remove(), 5000);
  };

  // Copying. `data-copy` is the text; `data-copy-src` is the URL of the full
  // text, `data-copy-field` the JSON field that contains it.
  const textToCopy = async (button) => {
    const { copy, copySrc, copyField } = button.dataset;
    if (copy !== undefined) return copy;
    const response = await fetch(copySrc, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return copyField ? (await response.json())[copyField] : response.text();
  };

  const writeClipboard = async (text) => {
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
      await writeClipboard(await textToCopy(button));
      showToast(button.dataset.copied || "Copied");
    } catch {
      location.reload();
    } finally {
      button.removeAttribute("aria-busy");
    }
  };

  // A dialog with the content `parts`. Closing it returns the focus to its
  // opener, or to the menu of the opener.
  const openDialog = (parts, opener) => {
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
  const parseHTML = (html) => {
    const template = page.createElement("template");
    template.innerHTML = html;
    return template.content;
  };

  // A link to a page with a form: the form is shown in a dialog instead.
  const openLinkedForm = async (href, opener) => {
    const url = new URL(href, location.href);
    url.searchParams.set("part", "dialog");
    try {
      const response = await fetch(url, { credentials: "same-origin" });
      if (!response.ok) return showProblem(await problemOf(response), opener);
      openDialog(parseHTML(await response.text()), opener);
    } catch {
      showProblem(noResponse, opener);
    }
  };

  // --- rejected requests ---------------------------------------------------

  // The title and detail of a rejected request, or its form with the error.
  // A 401 reloads the page, which then shows the form for the key.
  const problemOf = async (response) => {
    if (response.status === 401) location.reload();
    const text = await response.text();
    const type = response.headers.get("Content-Type") ?? "";
    const rejected = { title: `Rejected (${response.status})`, detail: "" };
    if (type.startsWith("text/html")) {
      const content = parseHTML(text);
      const textOf = (id) =>
        content.querySelector(`[data-testid="error.${id}"]`)?.textContent;
      return {
        form: content.querySelector("main .dialog"),
        title: textOf("title") ?? rejected.title,
        detail: textOf("text") ?? content.querySelector("[role=alert]")?.textContent ?? "",
      };
    }
    try {
      return JSON.parse(text);
    } catch {
      return rejected;
    }
  };
  const noResponse = {
    title: "Foyer did not respond", detail: "Check that it is still running.",
  };

  const showProblem = ({ title, detail }, opener) => {
    const parts = parseHTML(`<h1 class="dialog-title" id="dialog-title"></h1>
      <p class="dialog-text" role="alert" data-testid="problem.text"></p>
      <div class="dialog-actions"><button class="button primary" type="button"
        data-close data-testid="problem.close">Close</button></div>`);
    parts.querySelector("h1").textContent = title;
    parts.querySelector("p").textContent = detail;
    openDialog(parts, opener);
  };

  // Shows an error above the buttons of the dialog; the form keeps its values.
  const showFormError = (form, text) => {
    form.querySelector(".dialog-error")?.remove();
    const line = page.createElement("p");
    line.className = "field-error dialog-error";
    line.setAttribute("role", "alert");
    line.dataset.testid = "dialog.error";
    line.textContent = text;
    const actions = form.querySelector(".dialog-actions");
    if (actions) actions.before(line);
    else form.append(line);
  };

  const editable = "input:not([type=hidden], [type=radio], [type=checkbox]), "
    + "textarea, select";
  const showRejectedForm = (dialog, form, rejected) => {
    const values = new FormData(form);
    dialog.replaceChildren(...rejected.childNodes);
    for (const field of dialog.querySelectorAll(editable)) {
      if (values.has(field.name)) field.value = values.get(field.name);
    }
    (dialog.querySelector("[aria-invalid=true], [aria-describedby]")
      ?? dialog.querySelector(editable))?.focus();
  };

  // Submits the form of a dialog; an error is shown there, and the form keeps
  // its values.
  const submitDialog = async (dialog, form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter));
    form.dataset.sending = "true";
    submitter?.setAttribute("aria-busy", "true");
    try {
      const to = submitter?.getAttribute("formaction") ?? form.action;
      const response = await fetch(
        to, { method: "POST", body, credentials: "same-origin" });
      if (response.ok || response.redirected) return location.assign(response.url);
      const problem = await problemOf(response);
      if (problem.form) showRejectedForm(dialog, form, problem.form);
      else showFormError(form, `${problem.title}. ${problem.detail}`);
    } catch {
      showFormError(form, `${noResponse.title}. ${noResponse.detail}`);
    }
    delete form.dataset.sending;
    submitter?.removeAttribute("aria-busy");
  };

  // Submits a form without navigation; the page is updated by events.
  // Shows each error at its field; returns whether the form has all of the fields.
  const showFieldErrors = (form, errors) => {
    const fieldOf = ({ pointer }) =>
      form.elements[pointer?.replace(/^\/response(?=\/)/, "").split("/")[1]];
    for (const old of form.querySelectorAll(".field-error")) old.remove();
    for (const field of form.elements) field.removeAttribute("aria-invalid");
    if (errors.length === 0 || !errors.every(fieldOf)) return false;
    for (const error of errors) {
      const text = document.createElement("p");
      text.className = "field-error";
      text.setAttribute("role", "alert");
      text.textContent = `${error.detail.charAt(0).toUpperCase()}${error.detail.slice(1)}.`;
      fieldOf(error).setAttribute("aria-invalid", "true");
      fieldOf(error).after(text);
    }
    fieldOf(errors[0]).focus();
    return true;
  };

  const submitAsync = async (form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter));
    submitter?.setAttribute("aria-busy", "true");
    form.closest("details:not(.paused)")?.removeAttribute("open");
    try {
      const to = submitter?.getAttribute("formaction") ?? form.action;
      const response = await fetch(to, {
        method: "POST", body, credentials: "same-origin", redirect: "manual",
      });
      if (response.type !== "opaqueredirect" && !response.ok) {
        const problem = await problemOf(response);
        if (showFieldErrors(form, problem.errors ?? [])) return;
        if (!form.closest("dialog")) return showProblem(problem, submitter);
        return showFormError(form, `${problem.title}. ${problem.detail}`);
      }
      // An update may have replaced the form in the meantime.
      page.dispatchEvent(new CustomEvent("foyer:sent", { detail: form }));
    } catch {
      // Submits normally, with the same button.
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
    if (button) {
      // Without scripts a link shows the text.
      event.preventDefault();
      button.closest("details.menu")?.removeAttribute("open");
      return void copy(button);
    }
    const close = event.target.closest("dialog [data-close]");
    if (close) {
      event.preventDefault();
      return close.closest("dialog").close();
    }
    const plain = !(event.metaKey || event.ctrlKey || event.shiftKey);
    const link = event.target.closest("a[data-dialog]");
    if (link && plain && event.button === 0) {
      event.preventDefault();
      openLinkedForm(link.href, link);
    }
  });

  // A `<time>` is above its row's link, because of its tooltip.
  page.addEventListener("click", (event) => {
    const row = event.target.closest("time")?.closest("tr, li");
    if (event.target.closest("a, button")) return;
    row?.querySelector(".row-link")?.dispatchEvent(new MouseEvent("click", event));
  });

  page.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.sending) return event.preventDefault();
    const { submitter } = event;
    if (submitter?.matches("[data-dialog]")) {
      event.preventDefault();
      const query = new URLSearchParams(new FormData(form));
      return void openLinkedForm(`${submitter.getAttribute("formaction")}?${query}`, submitter);
    }
    if (form.matches("[data-async]")) {
      event.preventDefault();
      return void submitAsync(form, event.submitter);
    }
    const dialog = form.closest("dialog");
    if (dialog && form.method === "post") {
      event.preventDefault();
      return void submitDialog(dialog, form, event.submitter);
    }
    if (form.method === "post") {
      form.dataset.sending = "true";
      event.submitter?.setAttribute("aria-busy", "true");
    }
  });

  // A form that is submitted once its page is visible, which a prefetched page is
  // not: opening a mail marks it as read. Only once: the user may mark it as unread.
  const submitWhenSeen = () => {
    if (page.hidden || page.prerendering) return;
    page.removeEventListener("visibilitychange", submitWhenSeen);
    page.querySelector("form[data-submit-when-seen]")?.requestSubmit();
  };
  page.addEventListener("visibilitychange", submitWhenSeen);
  page.addEventListener("prerenderingchange", submitWhenSeen);
  submitWhenSeen();

  page.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-submit-on-change]");
    form?.requestSubmit();
    updateSelection();
  });

  // A button of a form over rows of a list, enabled if as many as `data-select`
  // are selected: a number, or `some`.
  const updateSelection = () => {
    for (const button of page.querySelectorAll("button[data-select]")) {
      const { select, hint } = button.dataset;
      const selected = page.querySelectorAll(`[form="${button.form.id}"]:checked`).length;
      button.disabled = select === "some" ? selected === 0 : selected !== Number(select);
      button.title = button.disabled ? hint : "";
      const label = button.querySelector(".label");
      if (select !== "some" || !label) continue;
      label.dataset.text ??= label.textContent;
      label.textContent = label.dataset.text + (selected ? ` (${selected})` : "");
    }
  };
  page.addEventListener("foyer:swapped", updateSelection);

  // A select that names others in data-fits leaves them the options whose
  // data-apps contain its value. If the server left some out, it is asked again.
  const fitOptions = (chooser) => {
    for (const id of chooser.dataset.fits.split(" ")) {
      const select = document.getElementById(id);
      select.allOptions ??= [...select.options];
      const chosen = select.value;
      select.replaceChildren(...select.allOptions.filter((option) =>
        !chooser.value || !option.value || option.dataset.apps.split(" ").includes(chooser.value)));
      select.value = chosen;
      if (select.selectedIndex < 0) select.selectedIndex = 0;
    }
  };
  page.addEventListener("change", (event) => {
    const chooser = event.target.closest?.("select[data-fits]");
    if (!chooser) return;
    if ("fitted" in chooser.dataset) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "fit", value: "yes" });
      chooser.form.append(field);
      chooser.form.submit();
      return;
    }
    fitOptions(chooser);
  });

  // A page that gets no more updates says why, and where to go.
  document.addEventListener("foyer:ended", (event) => {
    const list = location.pathname.split("/")[1];
    const [id, title, href, link] = event.detail === "expired"
      ? ["workspace-expired", "Workspace expired", "/workspaces", "Choose another workspace"]
      : list === "studio"
        ? ["page-deleted", "Device deleted", location.pathname, "Show another device"]
        : ["page-deleted", "Deleted elsewhere", `/${list}`, `Back to ${list}`];
    const note = document.createElement("div");
    note.className = "banner";
    note.setAttribute("role", "alert");
    note.dataset.testid = id;
    note.innerHTML = `<strong class="banner-name">${title}</strong>`
      + '<span class="banner-text">This page shows its last state.</span>'
      + `<a class="banner-more" href="${href}">${link}</a>`;
    (document.querySelector(".banners") ?? document.body).replaceChildren(note);
  });

  // Only one menu is open; Escape and a click elsewhere close it.
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
        event.preventDefault();
      }
    }
    const typing = event.target.closest?.("input, textarea, select");
    // Pages with a previous and a next step: <a data-arrow="left">.
    const arrow = { ArrowLeft: "left", ArrowRight: "right" }[event.key];
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      && !event.shiftKey && !event.defaultPrevented;
    if (arrow && plain && !typing) {
      page.querySelector(`[data-arrow="${arrow}"]`)?.click();
    }
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      const field = page.querySelector("[data-search]");
      if (field) {
        event.preventDefault();
        field.select();
      }
    }
  });

  // A page restored by back or forward must not show a form as submitting.
  addEventListener("pageshow", () => {
    updateSelection();
    for (const form of page.querySelectorAll("[data-sending]")) {
      delete form.dataset.sending;
    }
    for (const busy of page.querySelectorAll("[aria-busy=true]")) {
      busy.removeAttribute("aria-busy");
    }
  });

  window.foyer = { showToast };
})();
