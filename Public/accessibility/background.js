// The background at a point of a page: every layer from the bottom up, including
// groups with opacity.
import { color, gradient, painted, parts, ratio } from "./colors.js";

const style = (element, which) =>
  element.ownerDocument.defaultView.getComputedStyle(element, which);

const maxBackgrounds = 12;

/** The background of an empty page. */
function canvas(page) {
  const probe = page.createElement("i");
  probe.style.backgroundColor = "Canvas";
  page.body.append(probe);
  const found = color(style(probe).backgroundColor);
  probe.remove();
  return found ?? [255, 255, 255, 1];
}

/** The possible colors of each background image, the lowest first. */
function images(own, box, point) {
  if (own.backgroundImage === "none") return [];
  const sizes = parts(own.backgroundSize);
  return parts(own.backgroundImage).flatMap((image, index) => {
    if (image === "none") return [];
    const size = sizes[index % sizes.length];
    const isWhole = ["auto", "auto auto", "100%", "100% 100%", "cover"].includes(size);
    return [gradient(image, isWhole ? box : null, point)];
  }).reverse();
}

/** The effect of a backdrop filter; null if unknown. */
function filtered(text) {
  const steps = [...text.matchAll(/([a-z-]+)\(([^)]*)\)/g)].map(([, what, amount]) => {
    const n = amount.endsWith("%") ? parseFloat(amount) / 100 : parseFloat(amount);
    const grey = ([r, g, b]) => .2126 * r + .7152 * g + .0722 * b;
    switch (what) {
      case "blur": return (c) => c;
      case "brightness": return (c) => c.map((v) => v * n);
      case "contrast": return (c) => c.map((v) => (v - 127.5) * n + 127.5);
      case "saturate": return (c) => c.map((v) => grey(c) + (v - grey(c)) * n);
      case "grayscale": return (c) => c.map((v) => v + (grey(c) - v) * Math.min(1, n));
    }
    return null;
  });
  if (steps.includes(null)) return null;
  const kept = (v) => Math.min(255, Math.max(0, v));
  return (value) => [...steps.reduce(
    (c, step) => step(c).map(kept), value.slice(0, 3)), 1];
}

/** A shape's colors; null if unknown. */
function shape(element, own) {
  if (own.fill === "none") return undefined;
  const server = /^url\("?#([^")]+)"?\)/.exec(own.fill);
  if (!server) {
    const value = color(own.fill);
    return value && [[...value.slice(0, 3), value[3] * Number(own.fillOpacity)]];
  }
  const stops = element.ownerDocument.getElementById(server[1])
    ?.querySelectorAll("stop") ?? [];
  const found = [...stops].map((stop) => {
    const value = color(style(stop).stopColor);
    return value && [...value.slice(0, 3), value[3] * Number(style(stop).stopOpacity)];
  }).filter(Boolean);
  return found.length ? found : null;
}

const pictures = "img, canvas, video, image, object, embed, iframe";

/** The layers an element adds at a point, each as the colors it may have. */
function layersOf(element, point) {
  const own = style(element);
  if (element.matches(pictures)) return [null];
  const { SVGGeometryElement } = element.ownerDocument.defaultView;
  if (element instanceof SVGGeometryElement) {
    const found = shape(element, own);
    return found === undefined ? [] : [found];
  }
  if (own.backgroundClip === "text" || isMasked(own)) return [];
  const box = element.getBoundingClientRect();
  const layers = [];
  if (own.backdropFilter && own.backdropFilter !== "none") {
    layers.push(filtered(own.backdropFilter));
  }
  layers.push(...fillsOf(own, box, point));
  for (const { drawn, at } of drawnAt(element, point)) {
    const opacity = Number(drawn.opacity);
    layers.push(...fillsOf(drawn, at, point).map((layer) =>
      layer?.map((c) => [...c.slice(0, 3), c[3] * opacity]) ?? null));
  }
  return layers;
}

/** The ::before and ::after boxes of an element at the point. */
function drawnAt(element, point) {
  return ["::before", "::after"].flatMap((which) => {
    const drawn = style(element, which);
    if (["none", "normal"].includes(drawn.content) || isMasked(drawn)) return [];
    if (!["absolute", "fixed"].includes(drawn.position)) return [];
    const at = boxOf(element, drawn);
    const covers = point.x >= at.left && point.x <= at.left + at.width
      && point.y >= at.top && point.y <= at.top + at.height;
    return covers ? [{ drawn, at }] : [];
  });
}

/** Whether an overlay covers the element, as on a busy screen. */
export function isCovered(element, point) {
  const all = element.ownerDocument.elementsFromPoint(point.x, point.y);
  const fills = (own) => !isMasked(own) && Number(own.opacity) > 0
    && (color(own.backgroundColor)?.[3] > .05 || own.backgroundImage !== "none");
  const over = all.slice(0, Math.max(0, all.indexOf(element)))
    .filter((other) => !element.contains(other));
  return over.some((other) => fills(style(other)))
    || all.some((here) => drawnAt(here, point).some(
      ({ drawn }) => Number(drawn.zIndex) > 0 && fills(drawn)));
}

/** A masked element is an edge or a glyph, not a background. */
const isMasked = (own) => own.maskImage && own.maskImage !== "none";

function fillsOf(own, box, point) {
  const fill = color(own.backgroundColor);
  return [...fill?.[3] > 0 ? [[fill]] : [], ...images(own, box, point)];
}

/** The box of a ::before or ::after of an element. */
function boxOf(element, drawn) {
  const [left, top, width, height] = [drawn.left, drawn.top, drawn.width, drawn.height]
    .map(parseFloat);
  if (drawn.position === "fixed") return { left, top, width, height };
  let holder = element;
  while (holder.parentElement && style(holder).position === "static") {
    holder = holder.parentElement;
  }
  const box = holder.getBoundingClientRect();
  return {
    left: box.left + holder.clientLeft + left, top: box.top + holder.clientTop + top,
    width, height,
  };
}

/** The elements at a point, from the bottom, without those above `element`. */
function stack(element, point) {
  const page = element.ownerDocument;
  const all = page.elementsFromPoint(point.x, point.y);
  const at = all.indexOf(element);
  if (at >= 0) return all.slice(at).reverse();
  const chain = [];
  for (let here = element; here; here = here.parentElement) chain.push(here);
  return chain.reverse();
}

/**
 * The background of `element` at a point and the resulting color of `ink` on it:
 * pairs `{ background, seen }`, several if a gradient is ambiguous. Null if an image
 * or a blend mode makes the background unknown.
 */
export function pairs(element, point, ink) {
  const page = element.ownerDocument;
  const whole = (here) => Number(style(here).opacity);
  let found = [{ background: canvas(page), seen: null }];
  // The groups with opacity around the element, the outermost first.
  const groups = [];
  for (let here = element; here; here = here.parentElement) {
    const own = style(here);
    if (own.mixBlendMode !== "normal" || /invert|hue|contrast|bright/.test(own.filter)) {
      return null;
    }
    if (Number(own.opacity) < 1) groups.unshift(here);
  }
  const open = [];
  const enter = (here) => {
    for (const group of groups) {
      if (open.some((one) => one.group === group) || !group.contains(here)) continue;
      open.push({ group, opacity: whole(group), below: found.map((one) => one.background) });
    }
  };
  const behind = stack(element, point);
  for (const here of behind) {
    const layers = layersOf(here, point);
    if (layers.length === 0) continue;
    enter(here);
    let opacity = 1;
    for (let up = here; up; up = up.parentElement) {
      if (!groups.includes(up)) opacity *= whole(up);
    }
    for (const layer of layers) {
      if (layer === null) {
        found = null;
        break;
      }
      if (typeof layer === "function") {
        found = found?.map((one) => ({ background: layer(one.background) })) ?? null;
        continue;
      }
      if (found === null) {
        // An opaque layer hides the image.
        if (layer.every((c) => c[3] * opacity > .995)) {
          found = layer.map((c) => ({ background: [...c.slice(0, 3), 1] }));
          for (const one of open) one.below = null;
        }
        continue;
      }
      // Keeps the saved backgrounds of the groups parallel to the list.
      const next = [];
      const kept = open.map(() => []);
      found.forEach((one, index) => layer.forEach((over) => {
        if (next.length >= maxBackgrounds) return;
        next.push({ background: painted(over, one.background, opacity) });
        open.forEach((group, i) => kept[i].push(group.below?.[index] ?? null));
      }));
      found = next;
      open.forEach((group, i) => { if (group.below) group.below = kept[i]; });
    }
  }
  if (found === null) return null;
  enter(element);
  if (open.some((one) => one.below === null)) return null;
  return found.map(({ background }, index) => {
    let behindIt = background;
    let seen = painted(ink, background);
    for (const { opacity, below } of open.toReversed()) {
      behindIt = painted([...behindIt.slice(0, 3), opacity], below[index]);
      seen = painted([...seen.slice(0, 3), opacity], below[index]);
    }
    return { background: behindIt, seen };
  });
}

/**
 * The lowest contrast of several points: its ratio and colors, and whether a
 * gradient makes it ambiguous.
 */
export function worst(element, points, ink) {
  let found = null;
  for (const point of points) {
    const all = pairs(element, point, ink);
    if (all === null) return null;
    for (const pair of all) {
      const value = ratio(pair.background, pair.seen);
      if (!found || value < found.ratio) found = { ratio: value, ...pair, isOpen: all.length > 1 };
    }
  }
  return found;
}
