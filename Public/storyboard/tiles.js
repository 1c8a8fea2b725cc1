// The tiles' frames. They are loaded as they come into view, because frames in
// the page itself would delay its load event.

/** The number of frames loaded at once. */
const maxConcurrent = 4;
/** In milliseconds: a frame that takes longer blocks no other. */
const slotTimeout = 4000;

// Replaces the phone of an unreachable or broken state by the reason.
function showFailure(tile, frame) {
  let error;
  try {
    error = frame.contentDocument?.querySelector("main.tile-error");
  } catch {
    return;
  }
  if (!error) return;
  const failure = document.createElement("div");
  failure.className = "tile-failure";
  failure.append(...[...error.children].map((part) => document.importNode(part, true)));
  failure.querySelector("h1")?.replaceWith(
    Object.assign(document.createElement("strong"),
      { textContent: error.querySelector("h1").textContent }));
  frame.closest(".phone").replaceChildren(failure);
  const isBroken = error.classList.contains("is-broken");
  tile.parentElement.classList.add(
    "is-failed", isBroken ? "is-broken" : "is-unreachable");
}

/** Loads each of `tiles` when it comes into view; calls `onRender` for each. */
export function renderTiles(tiles, viewport, onRender) {
  const pending = new Set();
  let loadingCount = 0;
  const loadNext = () => {
    for (const tile of pending) {
      if (loadingCount >= maxConcurrent) return;
      pending.delete(tile);
      load(tile);
    }
  };
  const load = (tile) => {
    observer.unobserve(tile);
    tile.parentElement.querySelectorAll("noscript").forEach(
      (placeholder) => loadFrame(tile, placeholder));
  };
  const loadFrame = (tile, placeholder) => {
    const template = document.createElement("template");
    template.innerHTML = placeholder.textContent;
    const frame = template.content.firstElementChild;
    frame.loading = "eager";
    loadingCount += 1;
    const slotController = new AbortController();
    const releaseSlot = () => {
      clearTimeout(timer);
      slotController.abort();
      loadingCount -= 1;
      loadNext();
    };
    const timer = setTimeout(releaseSlot, slotTimeout);
    frame.addEventListener("load", releaseSlot, { signal: slotController.signal });
    // Until then the skeleton is shown.
    frame.classList.add("is-loading");
    frame.addEventListener("load", () => {
      frame.classList.remove("is-loading");
      showFailure(tile, frame);
      onRender(tile);
    });
    placeholder.replaceWith(frame);
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) pending.add(target);
      else pending.delete(target);
    }
    loadNext();
  }, { root: viewport, rootMargin: "320px" });
  const observeTiles = () => tiles.forEach((tile) => observer.observe(tile));
  if (document.readyState === "complete") observeTiles();
  else addEventListener("load", observeTiles, { once: true });
}
