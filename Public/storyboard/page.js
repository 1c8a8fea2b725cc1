// The storyboard's sheet: zooming, walking from tile to tile, and the panel of
// the selected one without leaving the page.
import { drag } from "./drag.js";
import { drawTiles } from "./tiles.js";

const ground = document.querySelector("[data-ground]");
const board = document.querySelector("[data-board]");
const panel = document.querySelector("[data-panel]");

// --- zoom --------------------------------------------------------------

const steps = [.12, .24, .5, 1];
const usual = 24;
const place = `foyer.sheet:${location.pathname}`;
const word = document.querySelector("[data-zoom-text]");
let zoom = Number(board.dataset.percent) / 100;

// The names of the columns go along when the sheet is scrolled down.
const drawn = board.querySelector(".sheet-drawn");
const follow = () => {
  const down = ground.scrollTop / zoom - drawn.offsetTop;
  board.classList.toggle("is-down", down > 0);
  board.style.setProperty("--down", `${Math.max(0, down)}px`);
};

const show = (to) => {
  zoom = Math.min(1, Math.max(.03, to));
  board.style.setProperty("--zoom", zoom);
  board.classList.toggle("is-far", zoom < .2);
  word.textContent = `${Math.round(zoom * 100)}%`;
  follow();
};

// What lies under (x, y) of the ground stays there.
const zoomTo = (to, x = ground.clientWidth / 2, y = ground.clientHeight / 2) => {
  const left = (ground.scrollLeft + x) / zoom;
  const top = (ground.scrollTop + y) / zoom;
  show(to);
  ground.scrollTo(left * zoom - x, top * zoom - y);
  keep();
};

// All of it; of a sheet too long to be read then, all columns, as wide as the
// window. In whole percent, as the address says it, and twice, since the names
// keep their size.
const fit = () => {
  for (let pass = 0; pass < 2; pass += 1) {
    const wide = ground.clientWidth / board.offsetWidth;
    const high = ground.clientHeight / board.offsetHeight;
    const to = high < steps[0] ? wide : Math.min(wide, high);
    show(Math.floor(to * 100) / 100);
  }
  ground.scrollTo(0, 0);
  keep();
};

const larger = () =>
  zoomTo(steps.find((step) => step > zoom + .005) ?? 1);
const smaller = () =>
  zoomTo(steps.findLast((step) => step < zoom - .005) ?? steps[0]);
const acts = { in: larger, out: smaller, fit };

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-zoom]");
  if (!control) return;
  event.preventDefault();
  acts[control.dataset.zoom]();
});

ground.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const box = ground.getBoundingClientRect();
  const turn = Math.max(-60, Math.min(60, event.deltaY));
  zoomTo(
    zoom * Math.exp(-turn / 200), event.clientX - box.left,
    event.clientY - box.top);
}, { passive: false });

// --- where one was -----------------------------------------------------

// The scale stands in the address, so that whoever is sent it sees the same;
// the place is kept for this tab.
const withZoom = (href) => {
  const url = new URL(href, location.href);
  const percent = Math.round(zoom * 100);
  if (percent === usual) url.searchParams.delete("zoom");
  else url.searchParams.set("zoom", percent);
  return url.pathname + url.search;
};
const note = () => {
  const address = withZoom(location.href);
  if (address !== location.pathname + location.search) {
    history.replaceState(history.state, "", address + location.hash);
    carry(location.href);
  }
  remember();
};
const remember = () => {
  const { scrollLeft: x, scrollTop: y } = ground;
  try {
    sessionStorage.setItem(place, JSON.stringify({ zoom, x, y }));
  } catch {
    // A browser that keeps nothing begins anew each time.
  }
};
// A wheel turns faster than an address should change.
let waiting;
const keep = () => {
  clearTimeout(waiting);
  waiting = setTimeout(note, 150);
};

const comeBack = () => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place));
    if (!kept) return false;
    // An address that says a scale has its way; one that says none is
    // drawn as it was last.
    const asked = new URLSearchParams(location.search).get("zoom");
    if (asked && Number(asked) !== Math.round(kept.zoom * 100)) return false;
    show(kept.zoom);
    ground.scrollTo(kept.x, kept.y);
    return true;
  } catch {
    return false;
  }
};

ground.addEventListener("scroll", () => {
  follow();
  keep();
}, { passive: true });
addEventListener("pagehide", remember);

// --- from tile to tile -------------------------------------------------

const columns = [...document.querySelectorAll("[data-column]")].map(
  (column) => [...column.querySelectorAll("[data-tile]")]);
const tiles = columns.flat();
const placeOf = (tile) => {
  const column = columns.findIndex((all) => all.includes(tile));
  return [column, columns[column].indexOf(tile)];
};

// One tile at a time is a stop of the tab key.
const stop = (tile) => {
  for (const other of tiles) other.tabIndex = other === tile ? 0 : -1;
};

const beside = (tile, key) => {
  const [column, row] = placeOf(tile);
  switch (key) {
    case "ArrowUp": return columns[column][row - 1];
    case "ArrowDown": return columns[column][row + 1];
    case "Home": return columns[column][0];
    case "End": return columns[column].at(-1);
  }
  const next = columns[column + (key === "ArrowLeft" ? -1 : 1)];
  return next?.[Math.min(row, next.length - 1)];
};

const into = (tile, where = "nearest") => {
  tile.closest(".sheet-tile").scrollIntoView({ block: where, inline: where });
};

const walks = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
ground.addEventListener("keydown", (event) => {
  const tile = event.target.closest("[data-tile]");
  if (!tile || !walks.includes(event.key)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const next = beside(tile, event.key);
  if (!next) return;
  stop(next);
  next.focus({ preventScroll: true });
  into(next);
});
ground.addEventListener("focusin", (event) => {
  const tile = event.target.closest("[data-tile]");
  if (tile) stop(tile);
});

// --- the selected one --------------------------------------------------

const selection = (href) => {
  const query = new URL(href, location.href).searchParams;
  const at = query.get("at");
  return at && `${query.get("of") ?? ""} ${at}`;
};
const tileAt = (href) => {
  const wanted = selection(href);
  return wanted && tiles.find((tile) => selection(tile.href) === wanted);
};

const part = async (href, name) => {
  const url = new URL(href, location.href);
  url.searchParams.set("part", name);
  const answer = await fetch(url, { credentials: "same-origin" });
  if (!answer.ok) throw new Error("refused");
  return answer.text();
};

// Links that change how the sheet is drawn keep what is selected.
const carry = (href) => {
  const now = new URL(href, location.href).searchParams;
  for (const link of document.querySelectorAll("a[data-keep]")) {
    const url = new URL(link.href);
    for (const name of ["at", "of"]) {
      if (now.has(name)) url.searchParams.set(name, now.get(name));
      else url.searchParams.delete(name);
    }
    link.href = withZoom(url);
  }
  for (const field of document.querySelectorAll("input[name=back]")) {
    const url = new URL(location.href);
    field.value = url.pathname + url.search;
  }
};

let current = location.href;
const select = async (href) => {
  const chosen = tileAt(href);
  for (const tile of tiles) {
    tile.closest(".sheet-tile").classList.toggle("is-selected", tile === chosen);
    if (tile === chosen) tile.setAttribute("aria-current", "true");
    else tile.removeAttribute("aria-current");
  }
  current = href;
  carry(href);
  if (!selection(href)) {
    panel.hidden = true;
    panel.replaceChildren();
    return;
  }
  if (chosen) stop(chosen);
  try {
    await fill(href);
    panel.scrollTop = 0;
    if (chosen) into(chosen);
  } catch {
    location.assign(href);
  }
};

const fill = async (href) => {
  const html = await part(href, "panel");
  if (current !== href) return;
  panel.innerHTML = html;
  panel.hidden = false;
};

// What has the focus there, or is pressed, is not taken away.
let refilling;
const fillAnew = async (href) => {
  clearTimeout(refilling);
  const isHeld = () => panel.contains(document.activeElement)
    || panel.matches(":active");
  const html = isHeld() ? null : await part(href, "panel").catch(() => "");
  if (current !== href || html === "") return;
  if (html === null || isHeld()) {
    refilling = setTimeout(fillAnew, 400, href);
    return;
  }
  panel.innerHTML = html;
};

const go = (href) => {
  const address = withZoom(href);
  if (address === location.pathname + location.search) return;
  history.pushState(null, "", address);
  select(location.href);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const plain = !(event.metaKey || event.ctrlKey || event.shiftKey);
  if (!link || !plain || event.button !== 0 || event.defaultPrevented) return;
  if ("lost" in link.dataset) {
    const lost = tiles.filter(
      (tile) => tile.closest(`.is-${link.dataset.lost}`));
    const now = lost.indexOf(tileAt(location.href));
    const next = lost[(now + 1) % lost.length];
    if (!next) return;
    event.preventDefault();
    go(next.href);
    return;
  }
  const closes = "closePanel" in link.dataset;
  const chooses = "tile" in link.dataset
    || (panel.contains(link) && tileAt(link.href));
  if (!closes && !chooses) return;
  event.preventDefault();
  const back = closes && tileAt(location.href);
  go(link.href);
  if (back) back.focus({ preventScroll: true });
});
addEventListener("popstate", () => {
  note();
  select(location.href);
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "+" || event.key === "=") larger();
  else if (event.key === "-") smaller();
  else if (event.key === "0") fit();
  else if (event.key === "Escape" && !document.querySelector("details[open]")) {
    panel.querySelector("[data-close-panel]")?.click();
  } else return;
  event.preventDefault();
});

// --- what was played since ---------------------------------------------

// A tile plays its state when its frame is asked for; then the facts above
// and the panel have more to say.
const facts = document.querySelector("[data-sheet-status]");
let asking;
const tell = () => {
  clearTimeout(asking);
  asking = setTimeout(async () => {
    try {
      const html = await part(facts.dataset.src, "status");
      // A link that is gone between press and release was never clicked.
      if (facts.matches(":active")) return tell();
      facts.innerHTML = html;
    } catch {
      // The facts stay as they were.
    }
  }, 400);
};
drawTiles(tiles, ground, (tile) => {
  tell();
  if (tile === tileAt(current)) fillAnew(current);
});

// --- to begin with -----------------------------------------------------

drag(ground);
stop(tileAt(location.href) ?? tiles[0]);
const chosen = tileAt(location.href);
if (!comeBack()) {
  show(zoom);
  if (chosen) into(chosen, "center");
}
note();
