// The order of the tab key, and what a screen reader says: on arrival, and
// then from the top to the bottom.
import { isDisabled, isGone, name, description, place, role, told } from "./names.js";

const stops = "a[href], area[href], button, input, select, textarea, summary, "
  + "iframe, [tabindex], [contenteditable=true], audio[controls], video[controls]";

const isUsable = (element) =>
  element.type !== "hidden" && !element.closest("[inert], [data-inert]")
  && element.checkVisibility({ visibilityProperty: true });

/** Where the tab key stops, in its order. */
export function tabStops(page) {
  const all = [...page.querySelectorAll(stops)].filter((element) =>
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

/** Controls that are seen and that the tab key passes by. */
export function passedBy(page) {
  return [...page.querySelectorAll("button, input, select, textarea, a[href]")]
    .filter((element) => isUsable(element) && !isGone(element)
      && element.matches(":disabled"));
}

const live = "[role=alert], [role=status], [role=log], [role=alertdialog], "
  + "[role=dialog], dialog[open], output, [aria-live]:not([aria-live=off])";

const wordsOf = (element) =>
  (element.innerText ?? element.textContent).replace(/\s+/g, " ").trim();

/** What is said without being asked for, the loudest first. */
export function announced(page) {
  const said = [];
  for (const element of page.querySelectorAll(live)) {
    if (isGone(element)) continue;
    const own = role(element);
    const dialog = own === "alertdialog" || own === "dialog";
    const text = dialog
      ? [name(element), description(element)].filter(Boolean).join(". ")
      : wordsOf(element);
    const kind = dialog ? "dialog"
      : own === "alert" || element.getAttribute("aria-live") === "assertive"
        ? "alert" : "status";
    said.push({
      kind, text, place: place(element),
      how: { dialog: `${own === "dialog" ? "dialog" : "alert dialog"}, takes the focus`,
        alert: "at once", status: "when nothing else is said" }[kind],
      modal: element.getAttribute("aria-modal") === "true"
        || element.matches(":modal"),
    });
  }
  const rank = { dialog: 0, alert: 1, status: 2 };
  return said.sort((a, b) => rank[a.kind] - rank[b.kind]);
}

/** Where the focus is put when the screen comes. */
export function arrival(page) {
  const first = page.querySelector("[data-autofocus]");
  return first && isUsable(first) ? told(first) : null;
}

export function isBusy(page) {
  return [...page.querySelectorAll("[aria-busy=true]")]
    .some((element) => !isGone(element));
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

/** What is read from the top: each with how deep it lies. */
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
    if (isGone(element) || element.type === "hidden") return;
    const own = role(element);
    if (leaves.has(own)) {
      flush();
      lines.push({ kind: own, ...told(element), depth });
      return;
    }
    const opens = landmarks.has(own) && !(own === "group" && !name(element));
    const breaks = opens || !element.ownerDocument.defaultView
      .getComputedStyle(element).display.startsWith("inline");
    if (breaks) flush();
    if (opens) lines.push({ kind: "landmark", ...told(element), depth });
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

/** What keeps a state from being heard: nothing says it. */
export function unheard(page, expected) {
  const said = announced(page).filter((one) => one.text);
  const has = (...kinds) => said.some((one) => kinds.includes(one.kind));
  const invalid = [...page.querySelectorAll("[aria-invalid=true]")]
    .filter((element) => !isGone(element));
  switch (expected) {
    case "field": {
      if (invalid.length === 0) {
        return "No field is marked invalid, so nobody is told which one it is.";
      }
      return invalid.some((element) => description(element)) || has("alert")
        ? null : "A field is invalid and nothing says why.";
    }
    case "alert":
      return has("alert", "dialog") ? null
        : "What went wrong is shown and not said: no alert has words.";
    case "status":
      return has("status", "alert", "dialog") ? null
        : "What was done is shown and not said: no status has words.";
    case "dialog":
      return has("dialog") ? null : "The question is no dialog with a name.";
    case "busy":
      return isBusy(page) || has("status", "alert")
        || [...page.querySelectorAll("[role=progressbar], progress")]
          .some((element) => !isGone(element))
        ? null : "That it is busy is shown and not said.";
  }
  return null;
}

export { isDisabled, isGone };
