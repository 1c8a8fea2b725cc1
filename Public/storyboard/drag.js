/** Lets the mouse scroll `viewport` by dragging, on its contents too; touch
 *  scrolls it anyway. A press that barely moves is a click. */
export function enableDragging(viewport) {
  const minimumDistance = 4;
  let drag;
  viewport.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    // A scroll bar is not part of it.
    const box = viewport.getBoundingClientRect();
    if (event.clientX - box.left > viewport.clientWidth) return;
    if (event.clientY - box.top > viewport.clientHeight) return;
    drag = {
      fromX: event.clientX, fromY: event.clientY,
      x: event.clientX + viewport.scrollLeft, y: event.clientY + viewport.scrollTop,
    };
  });
  viewport.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) drag = undefined;
    if (!drag) return;
    const distance = Math.hypot(
      event.clientX - drag.fromX, event.clientY - drag.fromY);
    if (!drag.isMoving && distance < minimumDistance) return;
    if (!drag.isMoving) {
      drag.isMoving = true;
      viewport.setPointerCapture(event.pointerId);
      viewport.classList.add("is-dragging");
    }
    viewport.scrollTo(drag.x - event.clientX, drag.y - event.clientY);
  });
  // The click that ends a drag selects nothing.
  const suppressClick = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  for (const end of ["pointerup", "pointercancel"]) {
    viewport.addEventListener(end, () => {
      if (drag?.isMoving) {
        addEventListener("click", suppressClick, { capture: true, once: true });
        setTimeout(() => removeEventListener("click", suppressClick, true));
      }
      drag = undefined;
      viewport.classList.remove("is-dragging");
    });
  }
}
