// The contrast of every text with its actual background (WCAG 1.4.3), and of the
// edges and icons that identify a control (1.4.11).
import { color, gradient, hex, suggestedColor, parts, ratio } from "./colors.js";
import { isCovered, pairs, worst } from "./background.js";
import { isDisabled, isShown, name, selector } from "./names.js";
import { tabStops } from "./order.js";

const style = (element, which) =>
  element.ownerDocument.defaultView.getComputedStyle(element, which);

/** For screen readers only: one pixel wide, or clipped. */
function isVisuallyHidden(element) {
  for (let here = element; here; here = here.parentElement) {
    const own = style(here);
    if (own.clipPath.startsWith("inset(50%") || Number(own.opacity) === 0) return true;
    if (own.overflow === "hidden" && own.position === "absolute"
      && here.offsetWidth <= 1 && here.offsetHeight <= 1) return true;
  }
  return false;
}

const isInDisabledControl = (element) => {
  const control = element.closest("button, input, select, textarea, a, label");
  const own = control?.localName === "label" ? control.control : control;
  return Boolean(own && isDisabled(own))
    || element.closest("fieldset:disabled, [aria-disabled=true]") !== null;
};

/** Scrolls the boxes into view and returns those that fit. */
function scrollIntoView(element, boxes) {
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView;
  const fits = (box) => box.top >= 0 && box.bottom <= innerHeight
    && box.left >= 0 && box.right <= innerWidth;
  let found = boxes();
  if (!found.every(fits)) {
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    found = boxes();
  }
  return found.filter((box) => box.width > 1 && box.height > 1 && fits(box));
}

function measured(element, text, own, boxes, extra) {
  const size = parseFloat(own.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(own.fontWeight) >= 700);
  const needed = large ? 3 : 4.5;
  const one = { element, text, needed, large, selector: selector(element), ...extra };
  if (isInDisabledControl(element)) return { ...one, exempt: "disabled" };
  const ink = color(own.webkitTextFillColor ?? own.color);
  if (!ink || ink[3] === 0) return { ...one, unknown: "text color unknown" };
  const lines = scrollIntoView(element, boxes);
  const box = lines[0];
  if (!box) return { ...one, unknown: "off-screen" };
  const points = lines.slice(0, 4).flatMap((line) => [
    line.left + Math.min(2, line.width / 4), line.left + line.width / 2,
    line.right - Math.min(2, line.width / 4),
  ].map((x) => ({ x, y: line.top + line.height / 2 })));
  if (isCovered(element, points[1])) return { ...one, exempt: "behind an overlay" };
  const found = worst(element, points, ink);
  if (!found) return { ...one, unknown: "image background" };
  return {
    ...one, ratio: found.ratio, ink: hex(found.seen), background: hex(found.background),
    atWorst: found.isOpen,
    better: found.ratio < needed ? suggestedColor(found.seen, found.background, needed) : null,
  };
}

const linesOf = (node) => () => {
  const range = node.ownerDocument.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
};

const inset = (input) => () => {
  const box = input.getBoundingClientRect();
  const own = style(input);
  const left = box.left + parseFloat(own.paddingLeft) + parseFloat(own.borderLeftWidth);
  const size = parseFloat(own.fontSize);
  return [new DOMRect(left, box.top + box.height / 2 - size / 2,
    Math.min(80, Math.max(4, box.right - left - 4)), size)];
};

/** Every visible text, with its ratio. */
export function texts(page) {
  const found = [];
  const walk = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const text = node.data.replace(/\s+/g, " ").trim();
    const element = node.parentElement;
    if (!text || element.closest("script, style, noscript, [data-inert], svg, option")) continue;
    if (!isShown(element)) continue;
    if (isVisuallyHidden(element) || linesOf(node)().length === 0) continue;
    found.push(measured(element, text, style(element), linesOf(node), {}));
  }
  for (const input of page.querySelectorAll("input, textarea")) {
    if (input.closest("[data-inert]") || isVisuallyHidden(input)) continue;
    if (!input.checkVisibility({ visibilityProperty: true })) continue;
    if (["hidden", "checkbox", "radio", "range", "submit", "button"].includes(input.type)) continue;
    const text = input.value || input.placeholder;
    if (!text.trim()) continue;
    const own = input.value ? style(input) : style(input, "::placeholder");
    const hint = !input.value;
    found.push(measured(
      input, input.type === "password" && !hint ? "typed text" : text,
      hint ? withOpacity(own) : own, inset(input), { hint }));
  }
  return found;
}

/** Applies a placeholder's opacity to its color. */
function withOpacity(own) {
  const ink = color(own.color);
  if (!ink) return own;
  const alpha = ink[3] * Number(own.opacity || 1);
  return {
    fontSize: own.fontSize, fontWeight: own.fontWeight,
    color: `rgba(${ink.slice(0, 3).join(", ")}, ${alpha})`,
  };
}

// --- edges and icons -----------------------------------------------------

const needed = 3;

/** The colors of an edge: borders, rings and outlines. */
function edges(own) {
  const found = ["Top", "Right", "Bottom", "Left"]
    .filter((side) => parseFloat(own[`border${side}Width`]) > 0
      && !["none", "hidden"].includes(own[`border${side}Style`]))
    .map((side) => color(own[`border${side}Color`]));
  if (own.outlineStyle !== "none" && parseFloat(own.outlineWidth) > 0) {
    found.push(color(own.outlineColor));
  }
  if (own.boxShadow !== "none") {
    for (const shadow of parts(own.boxShadow)) {
      const ink = /^((?:rgba?|color)\([^)]*\))/.exec(shadow)?.[1];
      const [, , blur, spread] = shadow.replace(ink ?? "", "").match(/-?[\d.]+px/g)
        ?.map(parseFloat) ?? [];
      if (ink && blur === 0 && spread !== undefined) found.push(color(ink));
    }
  }
  // A ring cut out of a background by a mask.
  if (/exclude|xor/.test(own.maskComposite ?? "")) {
    found.push(color(own.backgroundColor),
      ...parts(own.backgroundImage).flatMap((image) => gradient(image) ?? []));
  }
  return found.filter((value) => value?.[3] > 0);
}

/** A field's box: itself, and elements that frame it closely. */
function frames(field) {
  const own = field.getBoundingClientRect();
  const found = [field];
  for (let up = field.parentElement; up && found.length < 3; up = up.parentElement) {
    const box = up.getBoundingClientRect();
    if (box.height > own.height + 32 || box.width > own.width + 120) break;
    found.push(up);
  }
  return found;
}

function fieldEdge(field) {
  const one = { element: field, kind: "edge", name: name(field), selector: selector(field), needed };
  const [box] = scrollIntoView(field, () => [field.getBoundingClientRect()]);
  if (!box) return { ...one, unknown: "off-screen" };
  const around = frames(field);
  const outer = around.at(-1);
  const limits = outer.getBoundingClientRect();
  const background = outer.parentElement ?? outer;
  const outside = pairs(background, {
    x: limits.left + limits.width / 2, y: Math.min(limits.bottom + 2,
      field.ownerDocument.defaultView.innerHeight - 1),
  }, [0, 0, 0, 0]);
  const inside = pairs(
    field, { x: box.left + box.width / 2, y: box.top + box.height / 2 }, [0, 0, 0, 0]);
  if (!outside || !inside) return { ...one, unknown: "image background" };
  const behind = outside[0].background;
  const against = (ink) => {
    const seen = [0, 1, 2].map((i) => ink[i] * ink[3] + behind[i] * (1 - ink[3]));
    return { ratio: ratio(seen, behind), ink: hex(seen), background: hex(behind) };
  };
  const all = [against([...inside[0].background.slice(0, 3), 1])];
  for (const element of around) {
    for (const which of [undefined, "::before", "::after"]) {
      const own = style(element, which);
      if (which && ["none", "normal"].includes(own.content)) continue;
      all.push(...edges(own).map(against));
    }
  }
  return { ...one, ...all.sort((a, b) => b.ratio - a.ratio)[0] };
}

function icon(control) {
  const shapes = [...control.querySelectorAll(
    "path, circle, rect, line, polyline, polygon, ellipse")]
    .filter((part) => part.checkVisibility({ visibilityProperty: true }));
  const one = {
    element: control, kind: "icon", name: name(control), selector: selector(control), needed,
  };
  if (shapes.length === 0) return null;
  const [box] = scrollIntoView(control, () => [control.getBoundingClientRect()]);
  if (!box) return { ...one, unknown: "off-screen" };
  const point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const all = shapes.flatMap((part) => {
    const own = style(part);
    return [["stroke", "strokeOpacity"], ["fill", "fillOpacity"]].flatMap(([of, by]) => {
      const ink = own[of] === "none" ? null : color(own[of]);
      if (!ink?.[3]) return [];
      const found = worst(control, [point], [...ink.slice(0, 3), ink[3] * Number(own[by])]);
      return [found];
    });
  });
  if (all.length === 0 || all.includes(null)) {
    return { ...one, unknown: "image background" };
  }
  const best = all.sort((a, b) => b.ratio - a.ratio)[0];
  return { ...one, ratio: best.ratio, ink: hex(best.seen), background: hex(best.background) };
}

/** The edges of fields and the icons of controls without text. */
export function marks(page) {
  return tabStops(page).filter((element) => !isVisuallyHidden(element) && !isInDisabledControl(element))
    .flatMap((element) => {
      const isField = element.matches("textarea, select")
        || (element.localName === "input" && !["checkbox", "radio", "range", "submit",
          "button", "image", "file", "color"].includes(element.type));
      if (isField) return [fieldEdge(element)];
      const isIconOnly = element.matches("button, a, [role=button]")
        && !(element.innerText ?? "").trim();
      const found = isIconOnly ? icon(element) : null;
      return found ? [found] : [];
    });
}
