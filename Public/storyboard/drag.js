/** A ground that scrolls is dragged with a mouse; fingers scroll it anyway. */
export function drag(ground) {
  let held;
  ground.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    if (event.target.closest("[data-tile]")) return;
    // A scroll bar is not the ground.
    const box = ground.getBoundingClientRect();
    if (event.clientX - box.left > ground.clientWidth) return;
    if (event.clientY - box.top > ground.clientHeight) return;
    held = {
      x: event.clientX + ground.scrollLeft, y: event.clientY + ground.scrollTop,
    };
    ground.setPointerCapture(event.pointerId);
    ground.classList.add("is-held");
  });
  ground.addEventListener("pointermove", (event) => {
    if (held) ground.scrollTo(held.x - event.clientX, held.y - event.clientY);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    ground.addEventListener(end, () => {
      held = undefined;
      ground.classList.remove("is-held");
    });
  }
}
