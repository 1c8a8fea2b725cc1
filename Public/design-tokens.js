// Updates the screens, the swatches and the contrast ratios when a token is
// edited. Saves nothing; the form does that.
(() => {
  "use strict";
  const page = document.querySelector("[data-design-tokens]");
  const form = page?.querySelector("[data-tokens-form]");
  if (!form) return;
  const rows = [...page.querySelectorAll("[data-token]")];
  const frames = [...document.querySelectorAll("[data-preview-frame]")];
  const field = (row) => row.querySelector("[data-value]");
  const flat = (text) => text.split(/\s+/).filter(Boolean).join(" ");
  const value = (row) => {
    const input = field(row);
    return input ? flat(input.value) : row.dataset.saved;
  };
  const changed = (row) => value(row) !== row.dataset.saved;

  // --- colors, resolved by the browser ------------------------------------

  // No token has this color; it is inherited where a value is not a color.
  const fallbackColor = "rgb(1, 2, 3)";
  const probes = {};
  for (const appearance of ["light", "dark"]) {
    const probe = document.createElement("div");
    probe.className = "design-probe";
    probe.setAttribute("aria-hidden", "true");
    probe.style.colorScheme = appearance;
    probe.style.color = fallbackColor;
    probe.append(document.createElement("i"));
    document.body.append(probe);
    probes[appearance] = probe;
  }

  const updateProbes = () => {
    for (const [appearance, probe] of Object.entries(probes)) {
      for (const row of rows) {
        const own = appearance === "dark" && row.dataset.dark && !changed(row)
          ? row.dataset.dark : value(row);
        probe.style.setProperty(row.dataset.token, own);
      }
    }
  };

  // [red, green, blue, alpha] of a value, in 0 … 255 and 0 … 1; null if it is
  // not a color.
  const color = (text, appearance) => {
    const mark = probes[appearance].firstChild;
    mark.style.color = "";
    mark.style.color = text;
    const computed = getComputedStyle(mark).color;
    if (!mark.style.color || computed === fallbackColor) return null;
    const parts = computed.match(/^rgba?\(([^)]+)\)$/)?.[1].split(/[ ,/]+/).map(Number);
    return parts ? [parts[0], parts[1], parts[2], parts[3] ?? 1] : null;
  };
  const css = ([r, g, b, a]) =>
    a < 1 ? `rgba(${r}, ${g}, ${b}, ${+a.toFixed(3)})` : hex([r, g, b]);
  const hex = (parts) => "#" + parts.slice(0, 3)
    .map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");

  // --- contrast, WCAG 2.2 -------------------------------------------------

  const over = (top, below) => [0, 1, 2]
    .map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = (parts) => {
    const [r, g, b] = parts.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (foreground, background, page) => {
    const below = over(background, over(page ?? [255, 255, 255, 1], [255, 255, 255, 1]));
    const one = luminance(over(foreground, below));
    const other = luminance(below);
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const grade = (r) => r >= 7 ? ["AAA", "ok"] : r >= 4.5 ? ["AA", "ok"]
    : r >= 3 ? ["AA for large text only", "warn"] : ["Fails", "bad"];

  const measure = () => {
    let failing = 0;
    const pairs = page.querySelectorAll("[data-pair]");
    for (const pair of pairs) {
      let worst = Infinity;
      for (const cell of pair.querySelectorAll("[data-ratio]")) {
        const number = cell.querySelector("[data-number]");
        if (!number) continue;
        const appearance = cell.dataset.ratio;
        const foreground = color(pair.dataset.foreground, appearance);
        const background = color(pair.dataset.background, appearance);
        const chip = cell.querySelector("[data-grade]");
        if (!foreground || !background) {
          number.textContent = "–";
          chip.className = "chip chip-neutral";
          chip.textContent = "Unknown";
          continue;
        }
        const r = ratio(foreground, background, color("var(--page)", appearance));
        const [words, tone] = grade(r);
        // Rounding must not show a grade that is not reached.
        const rounded = Math.round(r * 100) / 100;
        number.textContent =
          (grade(rounded)[0] === words ? rounded : rounded - 0.01).toFixed(2);
        chip.className = `chip chip-${tone}`;
        chip.textContent = words;
        if (r < worst) {
          worst = r;
          pair.querySelector("[data-sample-foreground]").setAttribute("fill", css(foreground));
          pair.querySelector("[data-sample-background]").setAttribute("fill", css(background));
        }
      }
      if (worst < 4.5) failing += 1;
    }
    const pairsText = page.querySelector("[data-testid='design.pairs.text']");
    const summary = document.querySelector("[data-testid='design.summary']");
    if (pairsText && isEdited) {
      summary.textContent = summary.textContent.replace(
        /[^,]*$/, ` ${failing} ${failing === 1 ? "pair" : "pairs"} below AA`);
      pairsText.textContent = failing === 0
        ? `All ${pairs.length} pairs meet AA.`
        : `${failing} of ${pairs.length} pairs below AA.`;
    }
  };

  // --- edits --------------------------------------------------------------

  let isEdited = false;

  const applyTokens = (frame) => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    for (const row of rows) {
      if (changed(row)) root.style.setProperty(row.dataset.token, value(row));
      else root.style.removeProperty(row.dataset.token);
    }
  };

  const state = page.querySelector("[data-edit-status]");
  // Unsaved values are lost with the page, unless the form is submitted.
  let isSubmitting = false;
  page.querySelector("[data-tokens-form]")?.addEventListener("submit", () => {
    isSubmitting = true;
  });
  addEventListener("beforeunload", (event) => {
    if (!isSubmitting && rows.some(changed)) event.preventDefault();
  });
  const show = () => {
    updateProbes();
    let count = 0;
    for (const row of rows) {
      const is = changed(row);
      count += is ? 1 : 0;
      row.classList.toggle("edited", is);
      const revert = row.querySelector("[data-revert]");
      if (revert) revert.hidden = !is;
      const original = row.querySelector("[data-original]");
      if (original) original.hidden = !is;
      for (const swatch of row.querySelectorAll("[data-swatch]")) {
        const appearance = swatch.dataset.swatch;
        const parts = color(`var(${row.dataset.token})`, appearance);
        if (!parts) continue;
        swatch.setAttribute("fill", css(parts));
        const pick = row.querySelector(`[data-picker="${appearance}"]`);
        if (pick && pick !== document.activeElement) pick.value = hex(parts);
      }
    }
    if (state) {
      state.textContent = count === 0 ? "No changes"
        : count === 1 ? "1 value changed, not saved"
        : `${count} values changed, not saved`;
    }
    measure();
    frames.forEach(applyTokens);
  };

  // Reports an invalid color while it is typed; removes the server's error for an
  // earlier value.
  const validate = (row) => {
    const swatches = [...row.querySelectorAll("[data-swatch]")];
    const isBad = swatches.length > 0 && changed(row)
      && swatches.every((swatch) =>
        !color(`var(${row.dataset.token})`, swatch.dataset.swatch));
    const input = field(row);
    row.querySelector(".field-error")?.remove();
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
    if (!isBad) return;
    const error = document.createElement("span");
    error.className = "field-error";
    error.id = `error-live-${input.name}`;
    error.dataset.testid = `design.error.${row.dataset.token.replace(/^--/, "")}`;
    error.textContent = "Invalid color";
    input.closest(".design-edit").after(error);
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", error.id);
  };

  // The halves of light-dark(a, b); null for anything else.
  const halves = (text) => {
    const inside = text.match(/^light-dark\((.*)\)$/s)?.[1];
    if (inside === undefined) return null;
    let depth = 0;
    for (let i = 0; i < inside.length; i += 1) {
      if (inside[i] === "(") depth += 1;
      if (inside[i] === ")") depth -= 1;
      if (inside[i] === "," && depth === 0) {
        return [inside.slice(0, i).trim(), inside.slice(i + 1).trim()];
      }
    }
    return null;
  };

  // A picked color keeps the alpha of the old one.
  const picked = (row, pick) => {
    const appearance = pick.dataset.picker;
    const [, , , alpha] = color(`var(${row.dataset.token})`, appearance) ?? [0, 0, 0, 1];
    const n = parseInt(pick.value.slice(1), 16);
    const pickedColor = css([n >> 16, (n >> 8) & 255, n & 255, alpha]);
    const written = halves(value(row));
    if ("single" in pick.dataset && !written) return pickedColor;
    const now = written ?? ["light", "dark"].map((appearance) => {
      const parts = color(`var(${row.dataset.token})`, appearance);
      return parts ? css(parts) : value(row);
    });
    now[appearance === "dark" ? 1 : 0] = pickedColor;
    return `light-dark(${now.join(", ")})`;
  };

  let frameRequest;
  form.addEventListener("input", (event) => {
    const row = event.target.closest("[data-token]");
    if (!row) return;
    isEdited = true;
    if (event.target.dataset.picker) field(row).value = picked(row, event.target);
    cancelAnimationFrame(frameRequest);
    frameRequest = requestAnimationFrame(() => {
      show();
      validate(row);
    });
  });

  form.addEventListener("click", (event) => {
    const revert = event.target.closest("[data-revert]");
    if (!revert) return;
    const row = revert.closest("[data-token]");
    field(row).value = row.dataset.saved;
    isEdited = true;
    show();
    validate(row);
    field(row).focus();
  });

  for (const frame of frames) {
    frame.addEventListener("load", () => applyTokens(frame));
  }

  // The note on a save is shown once, not again after a reload.
  const address = new URL(location.href);
  if (address.searchParams.has("saved")) {
    address.searchParams.delete("saved");
    address.searchParams.delete("in");
    history.replaceState(history.state, "", address.pathname + address.search);
  }
  show();
})();
