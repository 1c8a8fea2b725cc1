// What an element is to assistive technology: its role, its accessible name
// and description (Accessible Name and Description Computation 1.2, as far as
// screens use it) and its states.

const inputs = {
  button: "button", submit: "button", reset: "button", image: "button",
  checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton",
  search: "searchbox", hidden: null, color: "color well", file: "button",
};
const tags = {
  button: "button", textarea: "textbox", nav: "navigation", main: "main",
  aside: "complementary", fieldset: "group", ul: "list", ol: "list",
  menu: "list", li: "listitem", p: "paragraph", dialog: "dialog",
  output: "status", progress: "progressbar", hr: "separator", table: "table",
  summary: "summary", details: "group", dl: "definitions", dt: "term",
  dd: "definition", iframe: "frame", option: "option", meter: "meter",
};

export function role(element) {
  const explicitRole = element.getAttribute("role")?.trim().split(/\s+/)[0];
  const tag = element.localName;
  if (explicitRole && explicitRole !== "none" && explicitRole !== "presentation") {
    return explicitRole === "image" ? "img" : explicitRole;
  }
  if (explicitRole) return null;
  if (tag === "a" || tag === "area") {
    return element.hasAttribute("href") ? "link" : null;
  }
  if (/^h[1-6]$/.test(tag)) return "heading";
  if (tag === "input") {
    const type = element.type;
    if (type in inputs) return inputs[type];
    return element.hasAttribute("list") ? "combobox" : "textbox";
  }
  if (tag === "select") {
    return element.multiple || element.size > 1 ? "listbox" : "combobox";
  }
  if (tag === "img") return element.getAttribute("alt") === "" ? null : "img";
  if (tag === "svg") {
    return element.hasAttribute("aria-label")
      || element.querySelector(":scope > title") ? "img" : null;
  }
  const inside = element.closest("main, article, aside, nav, section");
  if (tag === "header") return inside ? null : "banner";
  if (tag === "footer") return inside ? null : "contentinfo";
  const isNamed = ["aria-label", "aria-labelledby", "title"]
    .some((attribute) => element.getAttribute(attribute)?.trim());
  if (tag === "section") return isNamed ? "region" : null;
  if (tag === "form") return isNamed ? "form" : null;
  return tags[tag] ?? null;
}

/** Whether it is rendered; for `display: contents`, whether its children may be. */
export function isShown(element) {
  const { display, visibility } = element.ownerDocument.defaultView.getComputedStyle(element);
  if (display !== "contents") return element.checkVisibility({ visibilityProperty: true });
  return visibility === "visible"
    && (!element.parentElement || isShown(element.parentElement));
}

/** Whether a screen reader ignores it: not rendered, hidden or inert. */
export function isHidden(element) {
  return element.closest("[aria-hidden='true'], [inert], [data-inert]") !== null
    || !isShown(element);
}

const flat = (text) => text.replace(/\s+/g, " ").trim();

const generatedText = (element, which) => {
  const { content, display } =
    element.ownerDocument.defaultView.getComputedStyle(element, which);
  const text = /^"((?:[^"\\]|\\.)*)"$/.exec(content)?.[1] ?? "";
  return display.startsWith("inline") || !text ? text : ` ${text} `;
};

const fromContent = new Set([
  "button", "link", "heading", "option", "tab", "checkbox", "radio", "switch",
  "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "summary",
  "cell", "gridcell", "columnheader", "rowheader", "tooltip", "row",
]);

/** The text of the element's content, each part by its own name. */
function content(element, seen, referenced) {
  let text = generatedText(element, "::before");
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) text += node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    if (!referenced && isExcluded(node)) continue;
    const own = compute(node, seen, { within: true, referenced });
    const { display } =
      node.ownerDocument.defaultView.getComputedStyle(node);
    text += display.startsWith("inline") || display === "contents"
      ? own : ` ${own} `;
    if (node.localName === "br") text += " ";
  }
  return text + generatedText(element, "::after");
}

const isExcluded = (element) =>
  element.getAttribute("aria-hidden") === "true"
  || !isShown(element);

const referencedElements = (element, attribute) =>
  (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean)
    .map((id) => element.ownerDocument.getElementById(id));

function compute(element, seen, { within = false, referenced = false } = {}) {
  if (seen.has(element)) return "";
  seen.add(element);
  if (!referenced && within && isExcluded(element)) return "";
  const tag = element.localName;
  // Hidden content counts only within a referenced hidden element.
  const isOpen = referenced && isExcluded(element);
  if (!referenced || !within) {
    const others = referencedElements(element, "aria-labelledby").filter(Boolean);
    if (others.length && !seen.has("labelledby")) {
      const text = flat(others.map((other) => compute(
        other, new Set(["labelledby"]), { referenced: true })).join(" "));
      if (text) return text;
    }
  }
  // A field within another control's label contributes its value.
  if (within && tag === "input" && inputs[element.type] === undefined) {
    return element.value;
  }
  const label = flat(element.getAttribute("aria-label") ?? "");
  if (label) return label;

  const title = flat(element.getAttribute("title") ?? "");
  if (["input", "select", "textarea"].includes(tag)) {
    if (["submit", "reset", "button"].includes(element.type)) {
      return flat(element.value)
        || { submit: "Submit", reset: "Reset" }[element.type] || title;
    }
    if (element.type === "image") {
      return flat(element.alt ?? "") || flat(element.value) || title;
    }
    const labels = [...element.labels ?? []].map((own) =>
      compute(own, new Set([...seen]), { referenced: true, within: true }));
    return flat(labels.join(" ")) || title
      || flat(element.getAttribute("placeholder") ?? "");
  }
  if (tag === "img" || tag === "area") {
    return element.hasAttribute("alt") ? flat(element.alt) : title;
  }
  if (tag === "svg") {
    return flat(element.querySelector(":scope > title")?.textContent ?? "");
  }
  const head = { fieldset: "legend", table: "caption", figure: "figcaption" };
  if (head[tag]) {
    const own = element.querySelector(`:scope > ${head[tag]}`);
    const text = own && flat(content(own, seen, isOpen));
    if (text) return text;
  }
  if (within || referenced || fromContent.has(role(element))) {
    const text = content(element, seen, isOpen);
    if (within || flat(text)) return within ? text : flat(text);
  }
  return title;
}

export function name(element) {
  return flat(compute(element, new Set()));
}

/** What is read after the name: hints and errors. */
export function description(element) {
  const others = referencedElements(element, "aria-describedby").filter(Boolean);
  if (others.length) {
    return flat(others.map((other) => compute(
      other, new Set(["labelledby"]), { referenced: true })).join(" "));
  }
  const text = flat(element.getAttribute("aria-description") ?? "");
  if (text) return text;
  const title = flat(element.getAttribute("title") ?? "");
  return title && title !== name(element) ? title : "";
}

/** References to ids that do not exist on the page. */
export function brokenReferences(element) {
  return ["aria-labelledby", "aria-describedby", "aria-controls"].flatMap(
    (attribute) => (element.getAttribute(attribute) ?? "").split(/\s+/)
      .filter((id) => id && !element.ownerDocument.getElementById(id))
      .map((id) => `${attribute} references “${id}”`));
}

export function isDisabled(element) {
  return element.matches(":disabled")
    || element.getAttribute("aria-disabled") === "true";
}

export function states(element) {
  const aria = (of) => element.getAttribute(`aria-${of}`);
  const words = [];
  if (aria("required") === "true" || element.required) words.push("required");
  if (["true", "grammar", "spelling"].includes(aria("invalid"))) {
    words.push("invalid");
  }
  if (isDisabled(element)) words.push("disabled");
  if (["checkbox", "radio"].includes(element.type)) {
    words.push(element.checked ? "checked" : "not checked");
  } else if (aria("checked")) {
    words.push(aria("checked") === "true" ? "checked" : "not checked");
  }
  if (aria("expanded")) {
    words.push(aria("expanded") === "true" ? "expanded" : "collapsed");
  }
  if (aria("pressed")) {
    words.push(aria("pressed") === "true" ? "pressed" : "not pressed");
  }
  if (aria("selected") === "true") words.push("selected");
  if (aria("current") && aria("current") !== "false") {
    words.push(`current${aria("current") === "true" ? "" : ` ${aria("current")}`}`);
  }
  if (element.readOnly || aria("readonly") === "true") words.push("read only");
  if (aria("busy") === "true") words.push("busy");
  if (aria("haspopup") && aria("haspopup") !== "false") words.push("opens a pop-up");
  return words;
}

const spokenRoles = {
  textbox: "text field", searchbox: "search field", checkbox: "check box",
  radio: "radio button", img: "image", combobox: "pop-up button",
  alertdialog: "alert dialog", listitem: "item", spinbutton: "number field",
  progressbar: "progress", contentinfo: "footer", summary: "disclosure",
};

/** The role as a screen reader reads it. */
export function roleWords(element) {
  const own = role(element);
  if (own === "heading") {
    const level = element.getAttribute("aria-level")
      ?? (/^h([1-6])$/.exec(element.localName)?.[1] ?? "2");
    return `heading ${level}`;
  }
  if (own === "textbox" && element.type === "password") {
    return "secure text field";
  }
  return spokenRoles[own] ?? own ?? "";
}

/** Identifies the element in a finding: by its test id, or tag and classes. */
export function selector(element) {
  const id = element.dataset?.testid;
  if (id) return id;
  const own = element.localName
    + (element.classList?.length ? `.${[...element.classList].join(".")}` : "");
  const near = element.parentElement?.closest("[data-testid]");
  return near ? `${own} in ${near.dataset.testid}` : own;
}

/** Its name, role, states and description, as they are read. */
export function describeElement(element) {
  return {
    name: name(element), role: roleWords(element), states: states(element),
    description: description(element), id: element.dataset?.testid ?? "",
  };
}
