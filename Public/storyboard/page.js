// The storyboard's board: zoom, keyboard navigation between tiles, and the panel
// of the selected tile without a page load.
import { enableDragging, enablePinching } from "./drag.js";
import { renderTiles } from "./tiles.js";

const viewport = document.querySelector("[data-viewport]");
const canvas = document.querySelector("[data-canvas]");
const panel = document.querySelector("[data-panel]");

// --- zoom --------------------------------------------------------------

const steps = [.12, .24, .5, 1];
const defaultPercent = 24;
const storageKey = `foyer.board:${location.pathname}`;
const zoomLevel = document.querySelector("[data-zoom-text]");
let zoom = Number(canvas.dataset.percent) / 100;

// Keeps the names of columns and apps in view when the board is scrolled.
const appNames = [...canvas.querySelectorAll(".board-name")];
const updateColumnHeads = () => {
  const scrollTop = viewport.scrollTop / zoom;
  canvas.classList.toggle("is-scrolled", scrollTop > 0);
  canvas.style.setProperty("--scroll-top", `${scrollTop}px`);
  for (const name of appNames) {
    const left = (viewport.scrollLeft + 24) / zoom - name.parentElement.offsetLeft;
    name.style.setProperty("--name-left", `${left}px`);
  }
};

const setZoom = (to) => {
  zoom = Math.min(1, Math.max(.01, to));
  canvas.style.setProperty("--zoom", zoom);
  canvas.classList.toggle("is-zoomed-out", zoom < .2);
  canvas.classList.toggle("is-tiny", zoom < .08);
  zoomLevel.textContent = `${Math.round(zoom * 100)}%`;
  updateColumnHeads();
};

// The point at (x, y) of the viewport stays there.
const zoomTo = (to, x = viewport.clientWidth / 2, y = viewport.clientHeight / 2) => {
  const left = (viewport.scrollLeft + x) / zoom;
  const top = (viewport.scrollTop + y) / zoom;
  setZoom(to);
  viewport.scrollTo(left * zoom - x, top * zoom - y);
  saveSoon();
};

// Fits the board's width, or all of it, into the window, in two passes, because
// names keep their size.
const fit = (isWidthOnly) => {
  const top = isWidthOnly ? viewport.scrollTop / zoom : 0;
  for (let pass = 0; pass < 2; pass += 1) {
    const wide = viewport.clientWidth / canvas.offsetWidth;
    const high = viewport.clientHeight / canvas.offsetHeight;
    setZoom(Math.floor((isWidthOnly ? wide : Math.min(wide, high)) * 1000) / 1000);
  }
  viewport.scrollTo(0, top * zoom);
  saveSoon();
};
const fitAll = () => fit(false);
const fitWidth = () => fit(true);

const zoomIn = () =>
  zoomTo(steps.find((step) => step > zoom + .005) ?? 1);
const zoomOut = () =>
  zoomTo(steps.findLast((step) => step < zoom - .005) ?? steps[0]);
const zoomActions = { in: zoomIn, out: zoomOut, fit: fitAll, width: fitWidth };

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-zoom]");
  if (!control) return;
  event.preventDefault();
  zoomActions[control.dataset.zoom]();
});

viewport.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const box = viewport.getBoundingClientRect();
  const delta = Math.max(-60, Math.min(60, event.deltaY));
  zoomTo(
    zoom * Math.exp(-delta / 200), event.clientX - box.left,
    event.clientY - box.top);
}, { passive: false });

// --- saved view --------------------------------------------------------

// The zoom is part of the URL, so that it can be shared; the scroll position is
// saved for this tab.
const withZoom = (href) => {
  const url = new URL(href, location.href);
  const percent = Math.round(zoom * 100);
  if (percent === defaultPercent) url.searchParams.delete("zoom");
  else url.searchParams.set("zoom", percent);
  return url.pathname + url.search;
};
const save = () => {
  const address = withZoom(location.href);
  if (address !== location.pathname + location.search) {
    history.replaceState(history.state, "", address + location.hash);
    updateLinks(location.href);
  }
  saveView();
};
const saveView = () => {
  const { scrollLeft: x, scrollTop: y } = viewport;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ zoom, x, y }));
  } catch {
    // Without storage the board opens at its default view.
  }
};
// Debounced: a wheel fires faster than the URL should change.
let saveTimer;
const saveSoon = () => {
  clearTimeout(saveTimer);
  saveTimer = setTimeout(save, 150);
};

const restoreView = () => {
  try {
    const saved = JSON.parse(sessionStorage.getItem(storageKey));
    if (!saved) return false;
    // A zoom in the URL wins; without one the last zoom is restored.
    const requested = new URLSearchParams(location.search).get("zoom");
    if (requested && Number(requested) !== Math.round(saved.zoom * 100)) return false;
    setZoom(saved.zoom);
    viewport.scrollTo(saved.x, saved.y);
    return true;
  } catch {
    return false;
  }
};

viewport.addEventListener("scroll", () => {
  updateColumnHeads();
  saveSoon();
}, { passive: true });
addEventListener("pagehide", saveView);

// --- keyboard navigation -----------------------------------------------

const columns = [...document.querySelectorAll("[data-column]")].map(
  (column) => [...column.querySelectorAll("[data-tile]")]);
const tiles = columns.flat();
const positionOf = (tile) => {
  const column = columns.findIndex((all) => all.includes(tile));
  return [column, columns[column].indexOf(tile)];
};

// Only one tile is a tab stop.
const setTabStop = (tile) => {
  for (const other of tiles) other.tabIndex = other === tile ? 0 : -1;
};

const neighbor = (tile, key) => {
  const [column, row] = positionOf(tile);
  switch (key) {
    case "ArrowUp": return columns[column][row - 1];
    case "ArrowDown": return columns[column][row + 1];
    case "Home": return columns[column][0];
    case "End": return columns[column].at(-1);
  }
  const next = columns[column + (key === "ArrowLeft" ? -1 : 1)];
  return next?.[Math.min(row, next.length - 1)];
};

const scrollToTile = (tile, where = "nearest") => {
  tile.closest(".board-tile").scrollIntoView({ block: where, inline: where });
};

const navigationKeys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
viewport.addEventListener("keydown", (event) => {
  const tile = event.target.closest("[data-tile]");
  if (!tile || !navigationKeys.includes(event.key)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const next = neighbor(tile, event.key);
  if (!next) return;
  setTabStop(next);
  next.focus({ preventScroll: true });
  scrollToTile(next);
});
viewport.addEventListener("focusin", (event) => {
  const tile = event.target.closest("[data-tile]");
  if (tile) setTabStop(tile);
});

// --- selection ---------------------------------------------------------

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
  const response = await fetch(url, { credentials: "same-origin" });
  if (!response.ok) throw new Error("request failed");
  return response.text();
};

// Links that change the display options keep the selection.
const updateLinks = (href) => {
  const now = new URL(href, location.href).searchParams;
  for (const link of document.querySelectorAll("a[data-keep-selection]")) {
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
    tile.closest(".board-tile").classList.toggle("is-selected", tile === chosen);
    if (tile === chosen) tile.setAttribute("aria-current", "true");
    else tile.removeAttribute("aria-current");
  }
  current = href;
  updateLinks(href);
  if (!selection(href)) {
    panel.hidden = true;
    panel.replaceChildren();
    return;
  }
  if (chosen) setTabStop(chosen);
  try {
    await loadPanel(href);
    panel.scrollTop = 0;
    if (chosen) scrollToTile(chosen);
  } catch {
    location.assign(href);
  }
};

const loadPanel = async (href) => {
  const html = await part(href, "panel");
  if (current !== href) return;
  panel.innerHTML = html;
  panel.hidden = false;
};

// A focused or pressed control is not replaced.
let panelTimer;
const reloadPanel = async (href) => {
  clearTimeout(panelTimer);
  const isInUse = () => panel.contains(document.activeElement)
    || panel.matches(":active");
  const html = isInUse() ? null : await part(href, "panel").catch(() => "");
  if (current !== href || html === "") return;
  if (html === null || isInUse()) {
    panelTimer = setTimeout(reloadPanel, 400, href);
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
  if ("failures" in link.dataset) {
    const failed = tiles.filter(
      (tile) => tile.closest(`.is-${link.dataset.failures}`));
    const index = failed.indexOf(tileAt(location.href));
    const next = failed[(index + 1) % failed.length];
    if (!next) return;
    event.preventDefault();
    go(next.href);
    return;
  }
  const closes = "closePanel" in link.dataset;
  const selects = "tile" in link.dataset
    || (panel.contains(link) && tileAt(link.href));
  if (!closes && !selects) return;
  event.preventDefault();
  const back = closes && tileAt(location.href);
  go(link.href);
  if (back) back.focus({ preventScroll: true });
});
addEventListener("popstate", () => {
  save();
  select(location.href);
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "+" || event.key === "=") zoomIn();
  else if (event.key === "-") zoomOut();
  else if (event.key === "0") fitAll();
  else if (event.key.toLowerCase() === "w") fitWidth();
  else if (event.key === "Escape" && !document.querySelector("details[open]")) {
    panel.querySelector("[data-close-panel]")?.click();
  } else return;
  event.preventDefault();
});

// --- status ------------------------------------------------------------

// A tile renders its state when its frame loads; then the status and the panel
// are reloaded.
const status = document.querySelector("[data-board-status]");
let statusTimer;
const reloadStatus = () => {
  clearTimeout(statusTimer);
  statusTimer = setTimeout(async () => {
    try {
      const html = await part(status.dataset.src, "status");
      // Replacing a link between press and release would lose the click.
      if (status.matches(":active")) return reloadStatus();
      status.innerHTML = html;
    } catch {
      // The status stays as it is.
    }
  }, 400);
};
renderTiles(tiles, viewport, (tile) => {
  reloadStatus();
  if (tile === tileAt(current)) reloadPanel(current);
});

// --- start -------------------------------------------------------------

enableDragging(viewport);
enablePinching(viewport, (factor, x, y) => zoomTo(zoom * factor, x, y));
setTabStop(tileAt(location.href) ?? tiles[0]);
const chosen = tileAt(location.href);
if (!restoreView()) {
  setZoom(zoom);
  if (chosen) scrollToTile(chosen, "center");
}
save();
