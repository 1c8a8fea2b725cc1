// Colors: parsing, compositing, and contrast (WCAG 2.2, relative luminance and
// contrast ratio).

const paper = () => {
  const canvas = new OffscreenCanvas(1, 1);
  return canvas.getContext("2d", { willReadFrequently: true });
};
let brush;
const read = new Map();

/** `[r, g, b, a]` from 0 to 255, and a from 0 to 1; null if it is not a color. */
export function color(text) {
  if (read.has(text)) return read.get(text);
  let value = null;
  const parts = /^rgba?\(([^)]*)\)$/.exec(text)?.[1]
    .split(/[\s,/]+/).filter(Boolean).map(Number);
  const srgb = /^color\(srgb ([^)]*)\)$/.exec(text)?.[1]
    .split(/[\s/]+/).filter(Boolean).map(Number);
  if (parts?.length >= 3 && parts.every(Number.isFinite)) {
    value = [parts[0], parts[1], parts[2], parts[3] ?? 1];
  } else if (srgb?.length >= 3 && srgb.every(Number.isFinite)) {
    value = [...srgb.slice(0, 3).map((v) => v * 255), srgb[3] ?? 1];
  } else if (CSS.supports("color", text)) {
    brush ??= paper();
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = text;
    brush.fillRect(0, 0, 1, 1);
    const { data } = brush.getImageData(0, 0, 1, 1);
    value = [data[0], data[1], data[2], data[3] / 255];
  }
  read.set(text, value);
  return value;
}

/** `over` painted on the opaque `under`. */
export function painted(over, under, opacity = 1) {
  const alpha = over[3] * opacity;
  return [0, 1, 2].map((i) => over[i] * alpha + under[i] * (1 - alpha)).concat(1);
}

function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map((v) => v / 255).map(
    (v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * x + .7152 * y + .0722 * z;
}

export function ratio(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + .05) / (low + .05);
}

export function hex(value) {
  return "#" + value.slice(0, 3).map((v) => Math.round(Math.min(255, Math.max(0, v)))
    .toString(16).padStart(2, "0")).join("");
}

/** The color nearest to `ink` that reaches `needed` on `background`; null if none. */
export function suggestedColor(ink, background, needed) {
  const ends = [[0, 0, 0], [255, 255, 255]];
  const found = ends.flatMap((end) => {
    for (let step = 1; step <= 100; step += 1) {
      const mixed = [0, 1, 2].map((i) =>
        Math.round(ink[i] + (end[i] - ink[i]) * step / 100));
      if (ratio(mixed, background) >= needed) return [{ step, mixed }];
    }
    return [];
  }).sort((a, b) => a.step - b.step);
  return found.length ? hex(found[0].mixed) : null;
}

/** Splits a list at its commas, but not within brackets. */
export function parts(text) {
  const found = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) found.push("");
    else found[found.length - 1] += letter;
  }
  return found.map((part) => part.trim());
}

const stopOf = (part) => {
  const found = /^((?:rgba?|color|hsla?|oklch|oklab|lab|lch)\([^)]*\)|#\w+|[a-z]+)\s*(.*)$/i
    .exec(part);
  const value = found && color(found[1]);
  return value && { value, at: found[2] };
};

/**
 * The possible colors of a gradient at a point: one for a linear gradient with a
 * known box, otherwise all stops. Null for an image.
 */
export function gradient(text, box, point) {
  const found = /^(repeating-)?(linear|radial|conic)-gradient\((.*)\)$/s.exec(text);
  if (!found) return null;
  const all = parts(found[3]);
  const stops = all.map(stopOf).filter(Boolean);
  if (stops.length === 0) return null;
  const any = stops.map((stop) => stop.value);
  if (found[1] || found[2] !== "linear" || !box) return any;
  const head = stopOf(all[0]) ? "180deg" : all[0];
  const sides = { "to top": 0, "to right": 90, "to bottom": 180, "to left": 270 };
  const degrees = sides[head] ?? (/^(-?[\d.]+)deg$/.exec(head)?.[1]);
  if (degrees === undefined) return any;
  const angle = Number(degrees) * Math.PI / 180;
  const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
  const length = Math.abs(box.width * dx) + Math.abs(box.height * dy);
  if (!length) return any;
  const along = ((point.x - box.left - box.width / 2) * dx
    + (point.y - box.top - box.height / 2) * dy) / length + .5;
  const places = stops.map(({ at }, index) => {
    if (/^-?[\d.]+%$/.test(at)) return parseFloat(at) / 100;
    if (/^-?[\d.]+px$/.test(at)) return parseFloat(at) / length;
    if (at) return NaN;
    return index === 0 ? 0 : index === stops.length - 1 ? 1 : undefined;
  });
  if (places.some(Number.isNaN)) return any;
  for (let i = 0; i < places.length; i += 1) {
    if (places[i] !== undefined) continue;
    let next = i;
    while (places[next] === undefined) next += 1;
    places[i] = places[i - 1] + (places[next] - places[i - 1]) / (next - i + 1);
  }
  if (along <= places[0]) return [any[0]];
  for (let i = 1; i < places.length; i += 1) {
    if (along > places[i]) continue;
    const span = places[i] - places[i - 1];
    const t = span > 0 ? (along - places[i - 1]) / span : 1;
    return [[0, 1, 2, 3].map((c) => any[i - 1][c] * (1 - t) + any[i][c] * t)];
  }
  return [any.at(-1)];
}
