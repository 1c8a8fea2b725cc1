// How large a target is for a finger: what is drawn, with its label and with
// what is added around it, found by asking what lies under each point.
import { name, place } from "./names.js";
import { tabStops } from "./order.js";

export const least = 44;
export const leastWCAG = 24;

const isDrawn = (box) => box.width > 1 && box.height > 1;

const belongs = (hit, control) => {
  if (!hit) return false;
  if (control.contains(hit)) return true;
  const label = hit.closest("label");
  return label?.control === control
    && hit.closest("a, button, input") === null;
};

/** A link within a sentence keeps to the line: WCAG 2.5.5 and 2.5.8 let it. */
function isInline(control) {
  const own = control.ownerDocument.defaultView.getComputedStyle(control);
  if (control.localName !== "a" || own.display !== "inline") return false;
  let around = "";
  for (const node of control.parentElement.childNodes) {
    if (node !== control) around += node.textContent;
  }
  return /\p{L}/u.test(around);
}

/** How far the control is hit from a point, one way. */
function reach(control, from, [dx, dy], most = 60) {
  const page = control.ownerDocument;
  let far = 0;
  while (far < most
    && belongs(page.elementFromPoint(from.x + dx * (far + 1), from.y + dy * (far + 1)), control)) {
    far += 1;
  }
  return far;
}

function union(boxes) {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  return new DOMRect(left, top, Math.max(...boxes.map((box) => box.right)) - left,
    Math.max(...boxes.map((box) => box.bottom)) - top);
}

const isSpoken = (element) => {
  const own = element.ownerDocument.defaultView.getComputedStyle(element);
  return own.clipPath.startsWith("inset(50%")
    || (element.offsetWidth <= 1 && element.offsetHeight <= 1);
};

function size(control) {
  const page = control.ownerDocument;
  const { innerWidth, innerHeight } = page.defaultView;
  const boxes = () => {
    const labels = ["checkbox", "radio"].includes(control.type)
      ? [...control.labels ?? []].filter((label) => !isSpoken(label)) : [];
    return [...(isSpoken(control) && labels.length ? [] : [control]), ...labels]
      .map((element) => element.getBoundingClientRect()).filter(isDrawn);
  };
  let drawn = boxes();
  if (drawn.length === 0) return null;
  let box = union(drawn);
  if (box.top < 0 || box.bottom > innerHeight) {
    control.scrollIntoView({ block: "center", behavior: "instant" });
    box = union(boxes());
  }
  let { width, height } = box;
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const inside = middle.x > 0 && middle.x < innerWidth && middle.y > 0 && middle.y < innerHeight;
  // Only what is drawn small can be larger for a finger.
  if (inside && belongs(page.elementFromPoint(middle.x, middle.y), control)) {
    if (width < least) {
      width = Math.max(width, reach(control, middle, [-1, 0]) + reach(control, middle, [1, 0]) + 1);
    }
    if (height < least) {
      height = Math.max(height, reach(control, middle, [0, -1]) + reach(control, middle, [0, 1]) + 1);
    }
  }
  const round = (value) => Math.round(value * 10) / 10;
  return { width: round(width), height: round(height) };
}

/** Every target with its size, and why it may be smaller. */
export function targets(page) {
  return tabStops(page).flatMap((control) => {
    const found = size(control);
    if (!found) return [];
    const small = found.width < least - .5 || found.height < least - .5;
    return [{
      element: control, name: name(control), place: place(control), ...found, small,
      tiny: found.width < leastWCAG || found.height < leastWCAG,
      exempt: small && isInline(control) ? "in a sentence" : null,
    }];
  });
}
