// What a changed token does: every screen beside follows, the swatches and
// the contrast are worked out anew. Nothing is saved here; the form does that.
(() => {
  "use strict";
  const page = document.querySelector("[data-look]");
  const form = page?.querySelector("[data-look-form]");
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

  // --- the browser's own answer to what a colour comes to -----------------

  // No token is ever this; where a value is no colour it shines through.
  const nothing = "rgb(1, 2, 3)";
  const probes = {};
  for (const look of ["light", "dark"]) {
    const probe = document.createElement("div");
    probe.className = "look-probe";
    probe.setAttribute("aria-hidden", "true");
    probe.style.colorScheme = look;
    probe.style.color = nothing;
    probe.append(document.createElement("i"));
    document.body.append(probe);
    probes[look] = probe;
  }

  const fill = () => {
    for (const [look, probe] of Object.entries(probes)) {
      for (const row of rows) {
        const own = look === "dark" && row.dataset.dark && !changed(row)
          ? row.dataset.dark : value(row);
        probe.style.setProperty(row.dataset.token, own);
      }
    }
  };

  // [red, green, blue, alpha] of a value, in 0 … 255 and 0 … 1; null for what
  // is no colour.
  const colour = (text, look) => {
    const mark = probes[look].firstChild;
    mark.style.color = "";
    mark.style.color = text;
    const said = getComputedStyle(mark).color;
    if (!mark.style.color || said === nothing) return null;
    const parts = said.match(/^rgba?\(([^)]+)\)$/)?.[1].split(/[ ,/]+/).map(Number);
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
  const ratio = (ink, ground, page) => {
    const below = over(ground, over(page ?? [255, 255, 255, 1], [255, 255, 255, 1]));
    const one = luminance(over(ink, below));
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
        const look = cell.dataset.ratio;
        const ink = colour(pair.dataset.ink, look);
        const ground = colour(pair.dataset.ground, look);
        const chip = cell.querySelector("[data-grade]");
        if (!ink || !ground) {
          number.textContent = "–";
          chip.className = "chip chip-neutral";
          chip.textContent = "not known";
          continue;
        }
        const r = ratio(ink, ground, colour("var(--page)", look));
        const [words, tone] = grade(r);
        // Rounding does not show what is not reached.
        const said = Math.round(r * 100) / 100;
        number.textContent =
          (grade(said)[0] === words ? said : said - 0.01).toFixed(2);
        chip.className = `chip chip-${tone}`;
        chip.textContent = words;
        if (r < worst) {
          worst = r;
          pair.querySelector("[data-sample-ink]").setAttribute("fill", css(ink));
          pair.querySelector("[data-sample-ground]").setAttribute("fill", css(ground));
        }
      }
      if (worst < 4.5) failing += 1;
    }
    const said = page.querySelector("[data-testid='look.pairs.text']");
    const fact = document.querySelector("[data-testid='look.fact']");
    if (said && touched) {
      fact.textContent = fact.textContent.replace(
        /[^,]*$/, ` ${failing} ${failing === 1 ? "pair" : "pairs"} below AA`);
      said.textContent = failing === 0
        ? `All ${pairs.length} reach AA now.`
        : `${failing} of ${pairs.length} are below AA now.`;
    }
  };

  // --- what follows a change ----------------------------------------------

  let touched = false;

  const dress = (frame) => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    for (const row of rows) {
      if (changed(row)) root.style.setProperty(row.dataset.token, value(row));
      else root.style.removeProperty(row.dataset.token);
    }
  };

  const state = page.querySelector("[data-look-state]");
  // What was typed is gone with the page; whoever saves it leaves knowingly.
  let leaves = false;
  page.querySelector("[data-look-form]")?.addEventListener("submit", () => {
    leaves = true;
  });
  addEventListener("beforeunload", (event) => {
    if (!leaves && rows.some(changed)) event.preventDefault();
  });
  const show = () => {
    fill();
    let count = 0;
    for (const row of rows) {
      const is = changed(row);
      count += is ? 1 : 0;
      row.classList.toggle("edited", is);
      const back = row.querySelector("[data-back]");
      if (back) back.hidden = !is;
      const was = row.querySelector("[data-was]");
      if (was) was.hidden = !is;
      for (const swatch of row.querySelectorAll("[data-swatch]")) {
        const look = swatch.dataset.swatch;
        const parts = colour(`var(${row.dataset.token})`, look);
        if (!parts) continue;
        swatch.setAttribute("fill", css(parts));
        const pick = row.querySelector(`[data-pick="${look}"]`);
        if (pick && pick !== document.activeElement) pick.value = hex(parts);
      }
    }
    if (state) {
      state.textContent = count === 0 ? "Nothing changed"
        : count === 1 ? "1 value changed, not saved"
        : `${count} values changed, not saved`;
    }
    measure();
    frames.forEach(dress);
  };

  // A value that is no colour is told while it is typed; what the server said
  // of an earlier one is over.
  const judge = (row) => {
    const swatches = [...row.querySelectorAll("[data-swatch]")];
    const isBad = swatches.length > 0 && changed(row)
      && swatches.every((swatch) =>
        !colour(`var(${row.dataset.token})`, swatch.dataset.swatch));
    const input = field(row);
    row.querySelector(".field-error")?.remove();
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
    if (!isBad) return;
    const error = document.createElement("span");
    error.className = "field-error";
    error.id = `error-live-${input.name}`;
    error.dataset.testid = `look.error.${row.dataset.token.replace(/^--/, "")}`;
    error.textContent = "This is no colour.";
    input.closest(".look-edit").after(error);
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

  // A picked colour keeps how much the old one covers.
  const picked = (row, pick) => {
    const look = pick.dataset.pick;
    const [, , , alpha] = colour(`var(${row.dataset.token})`, look) ?? [0, 0, 0, 1];
    const n = parseInt(pick.value.slice(1), 16);
    const said = css([n >> 16, (n >> 8) & 255, n & 255, alpha]);
    const written = halves(value(row));
    if ("single" in pick.dataset && !written) return said;
    const now = written ?? ["light", "dark"].map((look) => {
      const parts = colour(`var(${row.dataset.token})`, look);
      return parts ? css(parts) : value(row);
    });
    now[look === "dark" ? 1 : 0] = said;
    return `light-dark(${now.join(", ")})`;
  };

  let due;
  form.addEventListener("input", (event) => {
    const row = event.target.closest("[data-token]");
    if (!row) return;
    touched = true;
    if (event.target.dataset.pick) field(row).value = picked(row, event.target);
    cancelAnimationFrame(due);
    due = requestAnimationFrame(() => {
      show();
      judge(row);
    });
  });

  form.addEventListener("click", (event) => {
    const back = event.target.closest("[data-back]");
    if (!back) return;
    const row = back.closest("[data-token]");
    field(row).value = row.dataset.saved;
    touched = true;
    show();
    judge(row);
    field(row).focus();
  });

  for (const frame of frames) {
    frame.addEventListener("load", () => dress(frame));
  }

  // What was saved is said once, not to whoever loads the page again.
  const address = new URL(location.href);
  if (address.searchParams.has("saved")) {
    address.searchParams.delete("saved");
    address.searchParams.delete("in");
    history.replaceState(history.state, "", address.pathname + address.search);
  }
  show();
})();
