// The tiles' frames. A page is there before its tiles are: frames that come
// with it would hold up its end. They follow as they come into view.

/** So many are drawn at once. */
const most = 4;
/** In milliseconds: what takes longer, or was stopped, holds up no other. */
const patience = 4000;

// What cannot be reached or drawn is no phone: its outline with the reason.
function mark(tile, frame) {
  let none;
  try {
    none = frame.contentDocument?.querySelector("main.tile-none");
  } catch {
    return;
  }
  if (!none) return;
  const lost = document.createElement("div");
  lost.className = "tile-lost";
  lost.append(...[...none.children].map((part) => document.importNode(part, true)));
  lost.querySelector("h1")?.replaceWith(
    Object.assign(document.createElement("strong"),
      { textContent: none.querySelector("h1").textContent }));
  frame.closest(".phone").replaceChildren(lost);
  const isBroken = none.classList.contains("is-broken");
  tile.parentElement.classList.add(
    "is-lost", isBroken ? "is-broken" : "is-unreachable");
}

/** Draws each of `tiles` as `ground` shows it; `drawn` is told which. */
export function drawTiles(tiles, ground, drawn) {
  const wanted = new Set();
  let under = 0;
  const next = () => {
    for (const tile of wanted) {
      if (under >= most) return;
      wanted.delete(tile);
      begin(tile);
    }
  };
  const begin = (tile) => {
    views.unobserve(tile);
    const none = tile.parentElement.querySelector("noscript");
    if (!none) return;
    const made = document.createElement("template");
    made.innerHTML = none.textContent;
    const frame = made.content.firstElementChild;
    frame.loading = "eager";
    under += 1;
    const freed = new AbortController();
    const free = () => {
      clearTimeout(late);
      freed.abort();
      under -= 1;
      next();
    };
    const late = setTimeout(free, patience);
    frame.addEventListener("load", free, { signal: freed.signal });
    frame.addEventListener("load", () => {
      mark(tile, frame);
      drawn(tile);
    });
    none.replaceWith(frame);
  };
  const views = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) wanted.add(target);
      else wanted.delete(target);
    }
    next();
  }, { root: ground, rootMargin: "320px" });
  const watch = () => tiles.forEach((tile) => views.observe(tile));
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch, { once: true });
}
