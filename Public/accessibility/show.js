// Renders the measurements of a state.
import { ratioText } from "./measure.js";

/** Creates an element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((part) => part !== null && part !== undefined));
  return element;
}

const makeSVG = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const icon = (name) => {
  const svg = makeSVG("svg", { class: "icon", "aria-hidden": "true" });
  svg.append(makeSVG("use", { href: `/assets/icons.svg#${name}` }));
  return svg;
};

export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export function chip(text, tone, symbol) {
  return make("span", { class: `chip chip-${tone}` }, symbol ? icon(symbol) : null, text);
}

export const kindLabels = {
  name: "Name", target: "Target", text: "Text", edge: "Non-text", announcement: "Announcement",
};

export function finding(one, after) {
  return make("li", { class: "audit-finding", "data-kind": one.kind, "data-testid": "audit.finding" },
    chip(kindLabels[one.kind], "warn"),
    make("span", { class: "audit-what" }, one.what),
    make("span", { class: "mono dim audit-selector" }, one.selector),
    make("span", { class: "small dim audit-fix" }, `${one.fix} `,
      make("span", { class: "audit-rule" }, one.rule)),
    after);
}

const describe = (one) => [
  make("strong", {}, one.name || "(no name)"),
  one.role ? make("span", { class: "dim" }, `, ${one.role}`) : null,
  one.states.length ? make("span", {}, `, ${one.states.join(", ")}`) : null,
  one.description ? make("span", { class: "audit-hint" }, one.description) : null,
];

function focusOrder(state) {
  const sizes = new Map(state.targets.map((one) => [`${one.selector} ${one.name}`, one]));
  const list = make("ol", { class: "audit-stops", "data-testid": "audit.stops" },
    state.stops.map((one) => {
      const size = sizes.get(`${one.id} ${one.name}`);
      const small = size?.small && !size.exempt;
      return make("li", { "data-testid": "audit.stop" }, make("span", {}, describe(one)),
        size ? make("span", {
          class: `small audit-size ${small ? "tone-warn" : "dim"}`,
        }, `${size.width} × ${size.height}${size.exempt ? `, ${size.exempt}` : ""}`) : null);
    }));
  const exempt = state.targets.filter((one) => one.exempt);
  return make("section", {}, make("h4", {}, "Focus order"),
    state.stops.length ? list : make("p", { class: "dim" }, "No tab stops."),
    state.skipped.length ? make("p", { class: "small dim" }, "Skipped (disabled): ",
      state.skipped.map((one) => `${one.name || "(no name)"}, ${one.role}`).join("; "), ".") : null,
    exempt.length ? make("p", { class: "small dim" },
      `${count(exempt.length, "link")} in a sentence may be smaller than 44 × 44 (WCAG 2.5.5 and 2.5.8, inline).`) : null);
}

const quoted = (text) => `“${text}”`;

function loadAnnouncements(state) {
  const rows = [["Title", quoted(state.title)]];
  if (state.initialFocus) rows.push(["Focus", make("span", {}, describe(state.initialFocus))]);
  for (const one of state.announced.filter((entry) => entry.text)) {
    rows.push([`${one.kind[0].toUpperCase()}${one.kind.slice(1)}`,
      make("span", {}, quoted(one.text), make("span", { class: "dim" }, `, ${one.how}`))]);
  }
  const empty = state.announced.filter((entry) => !entry.text && entry.kind !== "dialog");
  if (empty.length) {
    rows.push(["Live", make("span", { class: "dim" },
      count(empty.length, "empty region"))]);
  }
  if (state.busy) rows.push(["Busy", make("span", { class: "dim" }, "aria-busy: waiting for a response")]);
  return make("section", {}, make("h4", {}, "Announced on load"),
    make("dl", { class: "audit-announcements", "data-testid": "audit.announced" },
      rows.map(([term, text]) => make("div", {}, make("dt", {}, term), make("dd", {}, text)))));
}

function reading(state) {
  const lines = state.reading.map((line) => make("li", {
    class: `audit-reading-line depth-${Math.min(4, line.depth)}`,
  }, line.kind === "text" ? line.text
    : line.kind === "landmark"
      ? make("span", { class: "dim" }, [line.role, line.name].filter(Boolean).join(", "))
      : make("span", {}, describe(line))));
  return make("section", {}, make("h4", {}, "Reading order"),
    make("ol", { class: "audit-reading", "data-testid": "audit.reading" }, lines));
}

function contrast(state) {
  const known = state.texts.filter((one) => one.ratio !== undefined)
    .sort((a, b) => a.ratio / a.needed - b.ratio / b.needed);
  const rows = known.map((one) => make("tr", { "data-testid": "audit.ratio" },
    make("td", {}, one.text, one.hint ? make("span", { class: "dim" }, " (placeholder)") : null),
    make("td", { class: "end" }, ratioText(one.ratio), " ",
      one.ratio < one.needed ? chip(`Below ${one.needed}`, "warn")
        : make("span", { class: "dim" }, `(min ${one.needed}${one.atWorst ? ", worst case" : ""})`)),
    make("td", { class: "mono dim end" }, `${one.ink} on ${one.background}`)));
  const others = new Map();
  for (const one of [...state.texts, ...state.marks]) {
    const why = one.exempt ?? one.unknown;
    if (why) others.set(why, (others.get(why) ?? 0) + 1);
  }
  return make("section", { class: "audit-contrast" }, make("h4", {}, "Text contrast"),
    rows.length ? make("div", { class: "audit-scroll", "data-scroll": true, tabindex: 0, role: "region", "aria-label": "Text contrast" },
      make("table", {}, make("thead", { class: "visually-hidden" }, make("tr", {},
        ["Text", "Ratio", "Colors"].map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, rows))) : make("p", { class: "dim" }, "No texts."),
    others.size ? make("p", { class: "small dim" }, "Not checked: ",
      [...others].map(([why, number]) => `${number}, ${why}`).join("; "), ".") : null);
}

const scale = .5;

/** The screen at reduced size, with numbered tab stops and outlined findings. */
function preview(row, state, size) {
  const frame = make("iframe", {
    src: row.dataset.frame, title: `${row.dataset.state}, preview`, tabindex: -1,
    width: size.width, height: size.height, loading: "lazy",
  });
  const marks = makeSVG("svg", {
    class: "audit-marks", width: size.width * scale, height: size.height * scale,
    viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true",
  });
  for (const { box } of state.findings) {
    if (!box || box.y > size.height) continue;
    marks.append(makeSVG("rect", {
      class: "audit-outline", x: box.x - 4, y: box.y - 4, width: box.width + 8,
      height: box.height + 8, rx: 8,
    }));
  }
  state.stops.forEach(({ box }, index) => {
    if (box.y > size.height || box.width < 1) return;
    const x = Math.max(14, box.x + 2);
    const number = makeSVG("text", { x, y: box.y + 7 });
    number.textContent = index + 1;
    marks.append(makeSVG("g", { class: "audit-number" },
      makeSVG("circle", { cx: x, cy: box.y + 1, r: 14 }), number));
  });
  const phone = make("div", { class: "audit-phone", inert: true }, frame, marks);
  phone.style.width = `${size.width * scale}px`;
  phone.style.height = `${size.height * scale}px`;
  return phone;
}

export function details(row, state, size, isOpen) {
  const announcementCount = state.announced.filter((one) => one.text).length;
  const own = make("details", {
    class: "audit-details", open: isOpen, "data-testid": "audit.details",
  }, make("summary", { class: "small" },
    `${count(state.stops.length, "tab stop")}, ${count(announcementCount, "announcement")}, ${count(state.texts.length, "text")}`));
  const fill = () => {
    if (own.childElementCount > 1) return;
    own.append(make("div", { class: "audit-body" }, preview(row, state, size),
      make("div", { class: "audit-parts" },
        make("div", { class: "audit-column" }, focusOrder(state), loadAnnouncements(state)), reading(state),
        contrast(state))));
  };
  own.addEventListener("toggle", () => own.open && fill());
  if (isOpen) fill();
  return own;
}
