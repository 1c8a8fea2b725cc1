// The size of touch targets: the visible box with its label and the clickable
// area around it, found by hit testing.
import { name, selector } from "./names.js";
import { tabStops } from "./order.js";

export const minimumSize = 44;
export const minimumSizeWCAG = 24;

const hasArea = (box) => box.width > 1 && box.height > 1;

const belongs = (hit, control) => {
  if (!hit) return false;
  if (control.contains(hit)) return true;
  const label = hit.closest("label");
  return label?.control === control
    && hit.closest("a, button, input") === null;
};

/** A link within a sentence is exempt: WCAG 2.5.5 and 2.5.8. */
function isInline(control) {
  const own = control.ownerDocument.defaultView.getComputedStyle(control);
  if (control.localName !== "a" || own.display !== "inline") return false;
  let around = "";
  for (const node of control.parentElement.childNodes) {
    if (node !== control) around += node.textContent;
  }
  return /\p{L}/u.test(around);
}

/** How far the control is hit from a point, in one direction. */
function reach(control, from, [dx, dy], limit = 60) {
  const page = control.ownerDocument;
  let distance = 0;
  while (distance < limit
    && belongs(page.elementFromPoint(from.x + dx * (distance + 1), from.y + dy * (distance + 1)), control)) {
    distance += 1;
  }
  return distance;
}

function union(boxes) {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  return new DOMRect(left, top, Math.max(...boxes.map((box) => box.right)) - left,
    Math.max(...boxes.map((box) => box.bottom)) - top);
}

const isVisuallyHidden = (element) => {
  const own = element.ownerDocument.defaultView.getComputedStyle(element);
  return own.clipPath.startsWith("inset(50%")
    || (element.offsetWidth <= 1 && element.offsetHeight <= 1);
};

function size(control) {
  const page = control.ownerDocument;
  const { innerWidth, innerHeight } = page.defaultView;
  const boxes = () => {
    const labels = ["checkbox", "radio"].includes(control.type)
      ? [...control.labels ?? []].filter((label) => !isVisuallyHidden(label)) : [];
    return [...(isVisuallyHidden(control) && labels.length ? [] : [control]), ...labels]
      .map((element) => element.getBoundingClientRect()).filter(hasArea);
  };
  const visibleBoxes = boxes();
  if (visibleBoxes.length === 0) return null;
  let box = union(visibleBoxes);
  if (box.top < 0 || box.bottom > innerHeight) {
    control.scrollIntoView({ block: "center", behavior: "instant" });
    box = union(boxes());
  }
  let { width, height } = box;
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const inside = middle.x > 0 && middle.x < innerWidth && middle.y > 0 && middle.y < innerHeight;
  // The clickable area is measured only if the visible box is small.
  if (inside && belongs(page.elementFromPoint(middle.x, middle.y), control)) {
    if (width < minimumSize) {
      width = Math.max(width, reach(control, middle, [-1, 0]) + reach(control, middle, [1, 0]) + 1);
    }
    if (height < minimumSize) {
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
    const small = found.width < minimumSize - .5 || found.height < minimumSize - .5;
    return [{
      element: control, name: name(control), selector: selector(control), ...found, small,
      tiny: found.width < minimumSizeWCAG || found.height < minimumSizeWCAG,
      exempt: small && isInline(control) ? "inline link" : null,
    }];
  });
}
