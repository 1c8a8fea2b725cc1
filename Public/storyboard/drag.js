/** A ground that scrolls is dragged with a mouse, on what lies on it too;
 *  fingers scroll it anyway. A press that hardly moves is a click. */
export function drag(ground) {
  const least = 4;
  let held;
  ground.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    // A scroll bar is not the ground.
    const box = ground.getBoundingClientRect();
    if (event.clientX - box.left > ground.clientWidth) return;
    if (event.clientY - box.top > ground.clientHeight) return;
    held = {
      fromX: event.clientX, fromY: event.clientY,
      x: event.clientX + ground.scrollLeft, y: event.clientY + ground.scrollTop,
    };
  });
  ground.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) held = undefined;
    if (!held) return;
    const far = Math.hypot(
      event.clientX - held.fromX, event.clientY - held.fromY);
    if (!held.moves && far < least) return;
    if (!held.moves) {
      held.moves = true;
      ground.setPointerCapture(event.pointerId);
      ground.classList.add("is-held");
    }
    ground.scrollTo(held.x - event.clientX, held.y - event.clientY);
  });
  // The click that ends a drag chooses nothing.
  const swallow = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  for (const end of ["pointerup", "pointercancel"]) {
    ground.addEventListener(end, () => {
      if (held?.moves) {
        addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => removeEventListener("click", swallow, true));
      }
      held = undefined;
      ground.classList.remove("is-held");
    });
  }
}
