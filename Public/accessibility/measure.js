// Measures one state in an off-screen frame: what the browser renders, what a
// screen reader reads, and the resulting findings.
import { marks, texts } from "./contrast.js";
import { brokenReferences, name, selector, role, describeElement } from "./names.js";
import {
  announced, initialFocus, isBusy, isHidden, missingAnnouncement, reading, skippedControls,
  tabStops,
} from "./order.js";
import { minimumSize, minimumSizeWCAG, targets } from "./targets.js";

const loadTimeout = 120_000;

/** An off-screen frame of the phone's size, hidden from assistive technology. */
export function makeMeasuringFrame(size) {
  const frame = document.createElement("iframe");
  frame.className = "audit-measuring-frame";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.title = "Measured";
  frame.width = size.width;
  frame.height = size.height;
  document.body.append(frame);
  return frame;
}

function load(frame, address) {
  return new Promise((done, fail) => {
    const timer = setTimeout(
      () => fail(new Error("No response within two minutes.")), loadTimeout);
    frame.addEventListener("load", () => {
      clearTimeout(timer);
      done(frame.contentDocument);
    }, { once: true });
    // Replaces the history entry, so that going back leaves the page.
    frame.contentWindow.location.replace(address);
  });
}

const painted = (frame) => new Promise((done) => {
  // A background tab gets no animation frames.
  const timer = setTimeout(done, 250);
  frame.contentWindow.requestAnimationFrame(() => {
    clearTimeout(timer);
    done();
  });
});

const boxOf = (element) => {
  const box = element.getBoundingClientRect();
  return { x: box.x, y: box.y, width: box.width, height: box.height };
};

/** Measures the state at `address`. */
export async function measure(frame, address, expects) {
  const page = await load(frame, address);
  const unreachable = page?.querySelector("[data-testid='tile.unreachable']");
  if (unreachable) {
    return { unreachable: unreachable.querySelector("p")?.textContent.trim() ?? "" };
  }
  const broken = page?.querySelector("[data-testid='tile.broken'] p");
  if (broken) throw new Error(broken.textContent.trim());
  if (!page?.documentElement.classList.contains("static")) {
    const heading = page?.querySelector("h1")?.textContent.trim();
    throw new Error(heading ? `${heading}.` : "Couldn't render.");
  }
  await page.fonts?.ready;
  await painted(frame);
  const stops = tabStops(page);
  const state = {
    title: page.title,
    stops: stops.map((element) => ({ ...describeElement(element), box: boxOf(element) })),
    skipped: skippedControls(page).map(describeElement),
    initialFocus: initialFocus(page), busy: isBusy(page), announced: announced(page),
    reading: reading(page),
  };
  const findings = [...nameFindings(page, stops), ...announcementFindings(page, expects)];
  state.targets = targets(page);
  frame.contentWindow.scrollTo(0, 0);
  // From here on inert elements are measured too.
  for (const element of page.querySelectorAll("[inert]")) {
    element.dataset.inert = "";
    element.inert = false;
  }
  const sheet = new frame.contentWindow.CSSStyleSheet();
  sheet.replaceSync("*, *::before, *::after { pointer-events: auto !important; "
    + "transition: none !important }");
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
  state.texts = texts(page);
  frame.contentWindow.scrollTo(0, 0);
  state.marks = marks(page);
  findings.push(...targetFindings(state.targets), ...textFindings(state.texts),
    ...edgeFindings(state.marks));
  frame.contentWindow.scrollTo(0, 0);
  // The frame is reused for the next state; only boxes are kept.
  for (const one of [...findings, ...state.targets, ...state.texts, ...state.marks]) {
    one.box = one.element ? boxOf(one.element) : null;
    delete one.element;
  }
  state.findings = findings;
  return state;
}

// --- findings --------------------------------------------------------------

const label = (one) => one.name ? `“${cut(one.name)}”` : one.selector;

const cut = (text, limit = 48) =>
  text.length > limit ? `${text.slice(0, limit - 1).trimEnd()}…` : text;

const ratioText = (value) => (Math.floor(value * 100) / 100).toFixed(2);

function nameFindings(page, stops) {
  const found = stops.filter((element) => !name(element)).map((element) => ({
    kind: "name", selector: selector(element), element,
    what: `A ${describeElement(element).role || "control"} has no name`,
    fix: "Add text, a label, or an aria-label.", rule: "WCAG 4.1.2",
  }));
  for (const image of page.querySelectorAll("img:not([alt]), [role=img]")) {
    if (isHidden(image) || name(image)) continue;
    found.push({
      kind: "name", selector: selector(image), element: image, what: "An image has no alternative text",
      fix: "Describe it in alt; use alt=\"\" if it is decorative.",
      rule: "WCAG 1.1.1",
    });
  }
  for (const element of stops) {
    for (const reference of brokenReferences(element)) {
      if (reference.startsWith("aria-controls")) continue;
      found.push({
        kind: "name", selector: selector(element), element,
        what: `${cut(name(element)) || "A control"}: ${reference}, which does not exist`,
        fix: "Reference an existing element, or remove the attribute.",
        rule: "WCAG 1.3.1",
      });
    }
    const visibleText = (element.innerText ?? "").replace(/\s+/g, " ").trim().toLowerCase();
    const accessibleName = name(element).toLowerCase();
    if (visibleText && accessibleName && element.hasAttribute("aria-label")
      && !accessibleName.includes(visibleText)) {
      found.push({
        kind: "name", selector: selector(element), element,
        what: `Visible text “${cut(visibleText)}”, accessible name “${cut(accessibleName)}”`,
        fix: "Start the aria-label with the visible text.", rule: "WCAG 2.5.3",
      });
    }
  }
  if (stops.some((element) => element.tabIndex > 0)) {
    const first = stops.find((element) => element.tabIndex > 0);
    found.push({
      kind: "name", selector: selector(first), element: first, what: "A positive tabindex changes the order",
      fix: "Use 0 and change the order in the document.", rule: "WCAG 2.4.3",
    });
  }
  return found;
}

function announcementFindings(page, expects) {
  const found = [];
  const add = (what, fix, rule, element) => found.push(
    { kind: "announcement", what, fix, rule, element, selector: element ? selector(element) : "the page" });
  if (!page.title.trim()) add("The page has no title", "Give the screen a title.", "WCAG 2.4.2");
  const heads = [...page.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")]
    .filter((element) => !isHidden(element));
  const dialog = page.querySelector("[aria-modal=true], dialog:modal");
  if (!dialog && heads.length === 0) {
    add("No heading identifies the screen",
      "Make its title an h1; it can be visually hidden.", "WCAG 2.4.6");
  }
  if (!dialog && ![...page.querySelectorAll("main, [role=main]")].some((e) => !isHidden(e))) {
    add("There is no main landmark", "Put the screen in main.", "WCAG 1.3.1");
  }
  for (const field of page.querySelectorAll("[aria-invalid=true]")) {
    if (isHidden(field) || describeElement(field).description) continue;
    add(`“${cut(name(field)) || "A field"}” is invalid without an error description`,
      "Link the error to the field with aria-describedby.", "WCAG 3.3.1", field);
  }
  const missing = missingAnnouncement(page, expects);
  if (missing && !found.some((one) => one.rule === "WCAG 3.3.1")) {
    add(missing, {
      field: "Mark the field aria-invalid and link its error with aria-describedby.",
      alert: "Give the message role=\"alert\".",
      status: "Give the message role=\"status\".",
      dialog: "Give it role=\"alertdialog\", aria-modal and aria-labelledby.",
      busy: "Set aria-busy=\"true\" on the form, or add a role=\"status\".",
    }[expects], "WCAG 4.1.3");
  }
  const owners = [...page.querySelectorAll("dialog, [role=dialog], [role=alertdialog]")];
  for (const element of owners.filter((one) => !isHidden(one) && !name(one))) {
    add(`A ${role(element)} has no name`, "Name it with aria-labelledby.", "WCAG 4.1.2", element);
  }
  return found;
}

function targetFindings(all) {
  return all.filter((one) => one.small && !one.exempt).map((one) => ({
    kind: "target", selector: one.selector, element: one.element,
    what: `${label(one)} is ${one.width} × ${one.height}, less than ${minimumSize} × ${minimumSize}`,
    fix: `Give it a min-height and min-width of ${minimumSize}px, or padding, or a ::after around it.`,
    rule: one.tiny ? `also under ${minimumSizeWCAG}: WCAG 2.5.8 unless it is spaced apart`
      : "Apple HIG, WCAG 2.5.5 (AAA)",
  }));
}

function textFindings(all) {
  return all.filter((one) => one.ratio < one.needed).map((one) => ({
    kind: "text", selector: one.selector, element: one.element,
    what: `“${cut(one.text)}”${one.hint ? " (placeholder)" : ""} has ${ratioText(one.ratio)}:1${one.atWorst ? " in the worst case" : ""}, needs ${one.needed}`,
    fix: `${one.ink} on ${one.background}.`
      + (one.better ? ` Use ${one.better}.` : " Change the background."),
    rule: "WCAG 1.4.3",
  }));
}

function edgeFindings(all) {
  return all.filter((one) => one.ratio < one.needed).map((one) => ({
    kind: "edge", selector: one.selector, element: one.element,
    what: one.kind === "icon"
      ? `The icon of ${label(one)} has ${ratioText(one.ratio)}:1, needs 3`
      : `${label(one)} has ${ratioText(one.ratio)}:1 contrast with background, needs 3`,
    fix: `${one.ink} on ${one.background}.` + (one.kind === "icon" ? ""
      : " Add a border or fill with 3:1."),
    rule: "WCAG 1.4.11",
  }));
}

export { cut, ratioText };
