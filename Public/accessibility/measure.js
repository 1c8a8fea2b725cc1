// Measures one state: its document in a frame nobody sees, read as a browser
// draws it and a screen reader hears it, and what of it is an obstacle.
import { marks, texts } from "./contrast.js";
import { lostReferences, name, place, role, told } from "./names.js";
import { announced, arrival, isBusy, isGone, passedBy, reading, tabStops, unheard } from "./order.js";
import { least, leastWCAG, targets } from "./targets.js";

const patience = 120_000;

/** A frame as large as the phone, out of sight and of every order. */
export function stage(size) {
  const frame = document.createElement("iframe");
  frame.className = "audit-stage";
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
      () => fail(new Error("It did not come within two minutes.")), patience);
    frame.addEventListener("load", () => {
      clearTimeout(timer);
      done(frame.contentDocument);
    }, { once: true });
    // A step back leads off the page, not through what was measured.
    frame.contentWindow.location.replace(address);
  });
}

const painted = (frame) => new Promise((done) => {
  // A tab in the background draws nothing; it is measured all the same.
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

/** What was found in the state at `address`. */
export async function measure(frame, address, expects) {
  const page = await load(frame, address);
  const lost = page?.querySelector("[data-testid='tile.unreachable']");
  if (lost) {
    return { unreachable: lost.querySelector("p")?.textContent.trim() ?? "" };
  }
  const broken = page?.querySelector("[data-testid='tile.broken'] p");
  if (broken) throw new Error(broken.textContent.trim());
  if (!page?.documentElement.classList.contains("still")) {
    const said = page?.querySelector("h1")?.textContent.trim();
    throw new Error(said ? `${said}.` : "It could not be drawn.");
  }
  await page.fonts?.ready;
  await painted(frame);
  const stops = tabStops(page);
  const state = {
    title: page.title,
    stops: stops.map((element) => ({ ...told(element), box: boxOf(element) })),
    passed: passedBy(page).map(told),
    arrival: arrival(page), busy: isBusy(page), announced: announced(page),
    reading: reading(page),
  };
  const findings = [...unnamed(page, stops), ...unsaid(page, expects)];
  state.targets = targets(page);
  frame.contentWindow.scrollTo(0, 0);
  // From here on everything is looked at, what cannot be pressed too.
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
  findings.push(...tooSmall(state.targets), ...tooFaint(state.texts),
    ...tooPale(state.marks));
  frame.contentWindow.scrollTo(0, 0);
  // The frame goes on to the next state; only places outlive it.
  for (const one of [...findings, ...state.targets, ...state.texts, ...state.marks]) {
    one.box = one.element ? boxOf(one.element) : null;
    delete one.element;
  }
  state.findings = findings;
  return state;
}

// --- what is an obstacle ---------------------------------------------------

const called = (one) => one.name ? `“${cut(one.name)}”` : one.place;

const cut = (text, most = 48) =>
  text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;

const ratioText = (value) => (Math.floor(value * 100) / 100).toFixed(2);

function unnamed(page, stops) {
  const found = stops.filter((element) => !name(element)).map((element) => ({
    kind: "name", place: place(element), element,
    what: `A ${told(element).role || "control"} has no name`,
    mend: "Give it words, a label, or an aria-label.", rule: "WCAG 4.1.2",
  }));
  for (const image of page.querySelectorAll("img:not([alt]), [role=img]")) {
    if (isGone(image) || name(image)) continue;
    found.push({
      kind: "name", place: place(image), element: image, what: "An image has no text",
      mend: "Say what it shows in alt; alt=\"\" if it only decorates.",
      rule: "WCAG 1.1.1",
    });
  }
  for (const element of stops) {
    for (const lost of lostReferences(element)) {
      if (lost.startsWith("aria-controls")) continue;
      found.push({
        kind: "name", place: place(element), element,
        what: `${cut(name(element)) || "A control"}: ${lost}, which is not there`,
        mend: "Name an element of the page, or leave the attribute out.",
        rule: "WCAG 1.3.1",
      });
    }
    const seen = (element.innerText ?? "").replace(/\s+/g, " ").trim().toLowerCase();
    const heard = name(element).toLowerCase();
    if (seen && heard && element.hasAttribute("aria-label") && !heard.includes(seen)) {
      found.push({
        kind: "name", place: place(element), element,
        what: `It reads “${cut(seen)}” and is called “${cut(heard)}”`,
        mend: "Begin the aria-label with the words that are seen.", rule: "WCAG 2.5.3",
      });
    }
  }
  if (stops.some((element) => element.tabIndex > 0)) {
    const first = stops.find((element) => element.tabIndex > 0);
    found.push({
      kind: "name", place: place(first), element: first, what: "A positive tabindex changes the order",
      mend: "Use 0 and put it where it belongs in the document.", rule: "WCAG 2.4.3",
    });
  }
  return found;
}

function unsaid(page, expects) {
  const found = [];
  const add = (what, mend, rule, element) => found.push(
    { kind: "told", what, mend, rule, element, place: element ? place(element) : "the page" });
  if (!page.title.trim()) add("The page has no title", "Give the screen a title.", "WCAG 2.4.2");
  const heads = [...page.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")]
    .filter((element) => !isGone(element));
  const dialog = page.querySelector("[aria-modal=true], dialog:modal");
  if (!dialog && heads.length === 0) {
    add("No heading says what screen this is",
      "Make its title an h1; one only for listeners will do.", "WCAG 2.4.6");
  }
  if (!dialog && ![...page.querySelectorAll("main, [role=main]")].some((e) => !isGone(e))) {
    add("There is no main landmark", "Put the screen into main.", "WCAG 1.3.1");
  }
  for (const field of page.querySelectorAll("[aria-invalid=true]")) {
    if (isGone(field) || told(field).description) continue;
    add(`“${cut(name(field)) || "A field"}” is invalid and nothing says why`,
      "Tie the error to the field with aria-describedby.", "WCAG 3.3.1", field);
  }
  const silent = unheard(page, expects);
  if (silent && !found.some((one) => one.rule === "WCAG 3.3.1")) {
    add(silent, {
      field: "Mark the field aria-invalid and tie its error with aria-describedby.",
      alert: "Give the message role=\"alert\".",
      status: "Give the message role=\"status\".",
      dialog: "Give it role=\"alertdialog\", aria-modal and aria-labelledby.",
      busy: "Say aria-busy=\"true\" on the form, or tell it in a role=\"status\".",
    }[expects], "WCAG 4.1.3");
  }
  const owners = [...page.querySelectorAll("dialog, [role=dialog], [role=alertdialog]")];
  for (const element of owners.filter((one) => !isGone(one) && !name(one))) {
    add(`A ${role(element)} has no name`, "Name it with aria-labelledby.", "WCAG 4.1.2", element);
  }
  return found;
}

function tooSmall(all) {
  return all.filter((one) => one.small && !one.exempt).map((one) => ({
    kind: "target", place: one.place, element: one.element,
    what: `${called(one)} is ${one.width} × ${one.height}, less than ${least} × ${least}`,
    mend: `Give it a min-height and min-width of ${least}px, or padding, or a ::after around it.`,
    rule: one.tiny ? `under ${leastWCAG} too: WCAG 2.5.8 unless it stands alone`
      : "Apple HIG, WCAG 2.5.5 (AAA)",
  }));
}

function tooFaint(all) {
  return all.filter((one) => one.ratio < one.needed).map((one) => ({
    kind: "text", place: one.place, element: one.element,
    what: `“${cut(one.text)}”${one.hint ? " (placeholder)" : ""} has ${ratioText(one.ratio)} : 1${one.atWorst ? " at worst" : ""}, needs ${one.needed}`,
    mend: `${one.ink} on ${one.ground}.`
      + (one.better ? ` ${one.better} would do.` : " The ground has to change."),
    rule: "WCAG 1.4.3",
  }));
}

function tooPale(all) {
  return all.filter((one) => one.ratio < one.needed).map((one) => ({
    kind: "edge", place: one.place, element: one.element,
    what: one.kind === "icon"
      ? `The icon of ${called(one)} has ${ratioText(one.ratio)} : 1, needs 3`
      : `${called(one)} is told from its ground by ${ratioText(one.ratio)} : 1, needs 3`,
    mend: `${one.ink} on ${one.ground}.` + (one.kind === "icon" ? ""
      : " A border or a fill of 3 : 1 shows where the field is."),
    rule: "WCAG 1.4.11",
  }));
}

export { cut, ratioText };
