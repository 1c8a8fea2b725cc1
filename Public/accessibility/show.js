// What was measured of a state, as the page shows it.
import { ratioText } from "./measure.js";

/** An element: its attributes, then what is within. */
export function make(tag, attributes = {}, ...within) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value);
    }
  }
  element.append(...within.flat().filter((part) => part !== null && part !== undefined));
  return element;
}

const drawn = (tag, attributes, ...within) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...within);
  return element;
};

const icon = (name) => {
  const svg = drawn("svg", { class: "icon", "aria-hidden": "true" });
  svg.append(drawn("use", { href: `/assets/icons.svg#${name}` }));
  return svg;
};

export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export function chip(text, tone, symbol) {
  return make("span", { class: `chip chip-${tone}` }, symbol ? icon(symbol) : null, text);
}

export const kindWords = {
  name: "name", target: "target", text: "text", edge: "edge", told: "announcement",
};

export function finding(one, after) {
  return make("li", { class: "audit-finding", "data-kind": one.kind, "data-testid": "audit.finding" },
    chip(kindWords[one.kind], "warn"),
    make("span", { class: "audit-what" }, one.what),
    make("span", { class: "mono dim audit-place" }, one.place),
    make("span", { class: "small dim audit-mend" }, `${one.mend} `,
      make("span", { class: "audit-rule" }, one.rule)),
    after);
}

const saying = (one) => [
  make("strong", {}, one.name || "no name"),
  one.role ? make("span", { class: "dim" }, `, ${one.role}`) : null,
  one.states.length ? make("span", {}, `, ${one.states.join(", ")}`) : null,
  one.description ? make("span", { class: "audit-hint" }, one.description) : null,
];

function stops(state) {
  const sizes = new Map(state.targets.map((one) => [`${one.place} ${one.name}`, one]));
  const list = make("ol", { class: "audit-stops", "data-testid": "audit.stops" },
    state.stops.map((one) => {
      const size = sizes.get(`${one.id} ${one.name}`);
      const small = size?.small && !size.exempt;
      return make("li", { "data-testid": "audit.stop" }, make("span", {}, saying(one)),
        size ? make("span", {
          class: `small audit-size ${small ? "tone-warn" : "dim"}`,
        }, `${size.width} × ${size.height}${size.exempt ? `, ${size.exempt}` : ""}`) : null);
    }));
  const exempt = state.targets.filter((one) => one.exempt);
  return make("section", {}, make("h4", {}, "Focus order"),
    state.stops.length ? list : make("p", { class: "dim" }, "Nothing takes the focus."),
    state.passed.length ? make("p", { class: "small dim" }, "Passed by, not in use: ",
      state.passed.map((one) => `${one.name || "no name"}, ${one.role}`).join("; "), ".") : null,
    exempt.length ? make("p", { class: "small dim" },
      `${count(exempt.length, "link")} in a sentence may be smaller than 44 × 44 (WCAG 2.5.5 and 2.5.8, inline).`) : null);
}

const quoted = (text) => `“${text}”`;

function arrival(state) {
  const rows = [["Title", quoted(state.title)]];
  if (state.arrival) rows.push(["Focus", make("span", {}, saying(state.arrival))]);
  for (const one of state.announced.filter((said) => said.text)) {
    rows.push([`${one.kind[0].toUpperCase()}${one.kind.slice(1)}`,
      make("span", {}, quoted(one.text), make("span", { class: "dim" }, `, ${one.how}`))]);
  }
  const waiting = state.announced.filter((said) => !said.text && said.kind !== "dialog");
  if (waiting.length) {
    rows.push(["Live", make("span", { class: "dim" },
      `${count(waiting.length, "region")} without words yet`)]);
  }
  if (state.busy) rows.push(["Busy", make("span", { class: "dim" }, "aria-busy: a part waits for an answer")]);
  return make("section", {}, make("h4", {}, "On arrival"),
    make("dl", { class: "audit-arrival", "data-testid": "audit.announced" },
      rows.map(([term, text]) => make("div", {}, make("dt", {}, term), make("dd", {}, text)))));
}

function reading(state) {
  const lines = state.reading.map((line) => make("li", {
    class: `audit-line depth-${Math.min(4, line.depth)}`,
  }, line.kind === "text" ? line.text
    : line.kind === "landmark"
      ? make("span", { class: "dim" }, [line.role, line.name].filter(Boolean).join(", "))
      : make("span", {}, saying(line))));
  return make("section", {}, make("h4", {}, "Reading order"),
    make("ol", { class: "audit-reading", "data-testid": "audit.reading" }, lines));
}

function contrast(state) {
  const known = state.texts.filter((one) => one.ratio !== undefined)
    .sort((a, b) => a.ratio / a.needed - b.ratio / b.needed);
  const rows = known.map((one) => make("tr", { "data-testid": "audit.ratio" },
    make("td", {}, one.text, one.hint ? make("span", { class: "dim" }, " (placeholder)") : null),
    make("td", { class: "end" }, ratioText(one.ratio), " ",
      one.ratio < one.needed ? chip(`under ${one.needed}`, "warn")
        : make("span", { class: "dim" }, `of ${one.needed}${one.atWorst ? ", at worst" : ""}`)),
    make("td", { class: "mono dim end" }, `${one.ink} on ${one.ground}`)));
  const others = new Map();
  for (const one of [...state.texts, ...state.marks]) {
    const why = one.exempt ?? one.unknown;
    if (why) others.set(why, (others.get(why) ?? 0) + 1);
  }
  return make("section", { class: "audit-contrast" }, make("h4", {}, "Contrast of its texts"),
    rows.length ? make("div", { class: "audit-scroll", "data-scroll": true, tabindex: 0, role: "region", "aria-label": "Contrast of its texts" },
      make("table", {}, make("thead", { class: "spoken" }, make("tr", {},
        ["Text", "Ratio", "Colours"].map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, rows))) : make("p", { class: "dim" }, "None to judge."),
    others.size ? make("p", { class: "small dim" }, "Not judged: ",
      [...others].map(([why, number]) => `${number}, ${why}`).join("; "), ".") : null);
}

const scale = .5;

/** The screen, small, with its stops numbered and its findings outlined. */
function preview(row, state, size) {
  const frame = make("iframe", {
    src: row.dataset.frame, title: `${row.dataset.state}, drawn`, tabindex: -1,
    width: size.width, height: size.height, loading: "lazy",
  });
  const marks = drawn("svg", {
    class: "audit-marks", width: size.width * scale, height: size.height * scale,
    viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true",
  });
  for (const { box } of state.findings) {
    if (!box || box.y > size.height) continue;
    marks.append(drawn("rect", {
      class: "audit-spot", x: box.x - 4, y: box.y - 4, width: box.width + 8,
      height: box.height + 8, rx: 8,
    }));
  }
  state.stops.forEach(({ box }, index) => {
    if (box.y > size.height || box.width < 1) return;
    const x = Math.max(14, box.x + 2);
    const number = drawn("text", { x, y: box.y + 7 });
    number.textContent = index + 1;
    marks.append(drawn("g", { class: "audit-number" },
      drawn("circle", { cx: x, cy: box.y + 1, r: 14 }), number));
  });
  const phone = make("div", { class: "audit-phone", inert: true }, frame, marks);
  phone.style.width = `${size.width * scale}px`;
  phone.style.height = `${size.height * scale}px`;
  return phone;
}

export function details(row, state, size, isOpen) {
  const said = state.announced.filter((one) => one.text).length;
  const own = make("details", {
    class: "audit-details", open: isOpen, "data-testid": "audit.details",
  }, make("summary", { class: "small" },
    `${count(state.stops.length, "stop")}, ${count(said, "announcement")}, ${count(state.texts.length, "text")}`));
  const fill = () => {
    if (own.childElementCount > 1) return;
    own.append(make("div", { class: "audit-body" }, preview(row, state, size),
      make("div", { class: "audit-parts" },
        make("div", { class: "audit-pair" }, stops(state), arrival(state)), reading(state),
        contrast(state))));
  };
  own.addEventListener("toggle", () => own.open && fill());
  if (isOpen) fill();
  return own;
}
