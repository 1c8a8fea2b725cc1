// The tab order, and what a screen reader reads: on load, and from top to
// bottom.
import { isDisabled, isHidden, name, description, selector, role, describeElement } from "./names.js";

const focusable = "a[href], area[href], button, input, select, textarea, summary, "
  + "iframe, [tabindex], [contenteditable=true], audio[controls], video[controls]";

const isUsable = (element) =>
  element.type !== "hidden" && !element.closest("[inert], [data-inert]")
  && element.checkVisibility({ visibilityProperty: true });

/** The tab stops, in tab order. */
export function tabStops(page) {
  const all = [...page.querySelectorAll(focusable)].filter((element) =>
    isUsable(element) && element.tabIndex >= 0 && !element.matches(":disabled")
    && !(element.localName === "summary"
      && element.parentElement?.localName !== "details"));
  // Radio buttons of one name are one stop.
  const single = all.filter((element) => {
    if (element.type !== "radio" || !element.name) return true;
    const group = all.filter((other) => other.type === "radio"
      && other.name === element.name && other.form === element.form);
    return (group.find((other) => other.checked) ?? group[0]) === element;
  });
  const first = single.filter((element) => element.tabIndex > 0)
    .sort((a, b) => a.tabIndex - b.tabIndex);
  return [...first, ...single.filter((element) => element.tabIndex === 0)];
}

/** Visible disabled controls, which are no tab stops. */
export function skippedControls(page) {
  return [...page.querySelectorAll("button, input, select, textarea, a[href]")]
    .filter((element) => isUsable(element) && !isHidden(element)
      && element.matches(":disabled"));
}

const live = "[role=alert], [role=status], [role=log], [role=alertdialog], "
  + "[role=dialog], dialog[open], output, [aria-live]:not([aria-live=off])";

const wordsOf = (element) =>
  (element.innerText ?? element.textContent).replace(/\s+/g, " ").trim();

/** The announcements on load, the most assertive first. */
export function announced(page) {
  const announcements = [];
  for (const element of page.querySelectorAll(live)) {
    if (isHidden(element)) continue;
    const own = role(element);
    const dialog = own === "alertdialog" || own === "dialog";
    const text = dialog
      ? [name(element), description(element)].filter(Boolean).join(". ")
      : wordsOf(element);
    const kind = dialog ? "dialog"
      : own === "alert" || element.getAttribute("aria-live") === "assertive"
        ? "alert" : "status";
    announcements.push({
      kind, text, selector: selector(element),
      how: { dialog: `${own === "dialog" ? "dialog" : "alert dialog"}, takes the focus`,
        alert: "immediately", status: "when idle" }[kind],
      modal: element.getAttribute("aria-modal") === "true"
        || element.matches(":modal"),
    });
  }
  const rank = { dialog: 0, alert: 1, status: 2 };
  return announcements.sort((a, b) => rank[a.kind] - rank[b.kind]);
}

/** The element focused on load. */
export function initialFocus(page) {
  const first = page.querySelector("[data-autofocus]");
  return first && isUsable(first) ? describeElement(first) : null;
}

export function isBusy(page) {
  return [...page.querySelectorAll("[aria-busy=true]")]
    .some((element) => !isHidden(element));
}

const landmarks = new Set([
  "banner", "main", "navigation", "complementary", "contentinfo", "region",
  "form", "search", "group", "dialog", "alertdialog", "list", "alert",
  "status", "radiogroup", "tablist",
]);
const leaves = new Set([
  "link", "button", "textbox", "searchbox", "checkbox", "radio", "img",
  "heading", "combobox", "listbox", "slider", "spinbutton", "switch", "tab",
  "progressbar", "separator", "frame", "option", "summary",
]);

/** What is read from the top, each with its nesting depth. */
export function reading(page) {
  const lines = [];
  const paragraph = { text: "", depth: 0 };
  const flush = () => {
    const text = paragraph.text.replace(/\s+/g, " ").trim();
    if (text) lines.push({ kind: "text", text, depth: paragraph.depth });
    paragraph.text = "";
  };
  const into = (element, depth) => {
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        paragraph.text += node.data;
        paragraph.depth = depth;
      }
      if (node.nodeType === Node.ELEMENT_NODE) walk(node, depth);
    }
  };
  const walk = (element, depth) => {
    if (["script", "style", "noscript", "template"].includes(element.localName)) return;
    if (isHidden(element) || element.type === "hidden") return;
    const own = role(element);
    if (leaves.has(own)) {
      flush();
      lines.push({ kind: own, ...describeElement(element), depth });
      return;
    }
    const opens = landmarks.has(own) && !(own === "group" && !name(element));
    const breaks = opens || !element.ownerDocument.defaultView
      .getComputedStyle(element).display.startsWith("inline");
    if (breaks) flush();
    if (opens) lines.push({ kind: "landmark", ...describeElement(element), depth });
    into(element, depth + (opens ? 1 : 0));
    if (breaks) flush();
  };
  into(page.body, 0);
  flush();
  // A field's own label is read with it.
  const names = new Set(lines.filter((line) => line.kind !== "text")
    .map((line) => line.name));
  return lines.filter((line) => line.kind !== "text" || !names.has(line.text));
}

/** Why the state is not announced as expected; null if it is. */
export function missingAnnouncement(page, expected) {
  const announcements = announced(page).filter((one) => one.text);
  const has = (...kinds) => announcements.some((one) => kinds.includes(one.kind));
  const invalid = [...page.querySelectorAll("[aria-invalid=true]")]
    .filter((element) => !isHidden(element));
  switch (expected) {
    case "field": {
      if (invalid.length === 0) {
        return "No field is marked invalid.";
      }
      return invalid.some((element) => description(element)) || has("alert")
        ? null : "An invalid field has no error description.";
    }
    case "alert":
      return has("alert", "dialog") ? null
        : "Error not announced: no alert with text.";
    case "status":
      return has("status", "alert", "dialog") ? null
        : "Success not announced: no status with text.";
    case "dialog":
      return has("dialog") ? null : "The confirmation is not a named dialog.";
    case "busy":
      return isBusy(page) || has("status", "alert")
        || [...page.querySelectorAll("[role=progressbar], progress")]
          .some((element) => !isHidden(element))
        ? null : "Busy state not announced.";
  }
  return null;
}

export { isDisabled, isHidden };
