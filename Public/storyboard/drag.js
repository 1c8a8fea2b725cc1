const isControl = (element) => element.closest?.(
  "button, input, textarea, select, summary, dialog");

/** Lets the mouse scroll `viewport` by dragging, on its contents too: with the
 *  left button, where a press that barely moves is a click; with the middle one;
 *  and with Space held, where no press is a click. Touch scrolls it anyway. */
export function enableDragging(viewport) {
  const minimumDistance = 4;
  let drag;
  let isSpaceHeld = false;
  const setSpaceHeld = (isHeld) => {
    isSpaceHeld = isHeld;
    viewport.classList.toggle("is-panning", isHeld);
  };
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || isControl(event.target)) return;
    if (!isSpaceHeld && !viewport.matches(":hover")) return;
    // Space would scroll.
    event.preventDefault();
    setSpaceHeld(true);
  });
  document.addEventListener("keyup", (event) => {
    if (event.key === " ") setSpaceHeld(false);
  });
  addEventListener("blur", () => setSpaceHeld(false));

  // The middle button would start the browser's own scrolling.
  viewport.addEventListener("mousedown", (event) => {
    if (event.button === 1) event.preventDefault();
  });
  viewport.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button > 1) return;
    // A scroll bar is not part of it.
    const box = viewport.getBoundingClientRect();
    if (event.clientX - box.left > viewport.clientWidth) return;
    if (event.clientY - box.top > viewport.clientHeight) return;
    drag = {
      fromX: event.clientX, fromY: event.clientY,
      x: event.clientX + viewport.scrollLeft, y: event.clientY + viewport.scrollTop,
    };
    if (isSpaceHeld) start(event);
  });
  const start = (event) => {
    drag.isMoving = true;
    viewport.setPointerCapture(event.pointerId);
    viewport.classList.add("is-dragging");
  };
  viewport.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) drag = undefined;
    if (!drag) return;
    const distance = Math.hypot(
      event.clientX - drag.fromX, event.clientY - drag.fromY);
    if (!drag.isMoving && distance < minimumDistance) return;
    if (!drag.isMoving) start(event);
    viewport.scrollTo(drag.x - event.clientX, drag.y - event.clientY);
  });
  // The click that ends a drag selects and opens nothing.
  const suppressClick = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  for (const end of ["pointerup", "pointercancel"]) {
    viewport.addEventListener(end, () => {
      if (drag?.isMoving) {
        for (const type of ["click", "auxclick"]) {
          addEventListener(type, suppressClick, { capture: true, once: true });
          setTimeout(() => removeEventListener(type, suppressClick, true));
        }
      }
      drag = undefined;
      viewport.classList.remove("is-dragging");
    });
  }
}

/** Calls `zoomBy(factor, x, y)` while two fingers move apart or together around
 *  the point (x, y) of `viewport`, and scrolls it with them. */
export function enablePinching(viewport, zoomBy) {
  let last;
  const pinch = ({ touches: [one, two] }) => {
    const box = viewport.getBoundingClientRect();
    return {
      distance: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY),
      x: (one.clientX + two.clientX) / 2 - box.left,
      y: (one.clientY + two.clientY) / 2 - box.top,
    };
  };
  const update = (event) => {
    if (event.touches.length !== 2) {
      last = undefined;
      return;
    }
    // The page would scroll.
    if (event.cancelable) event.preventDefault();
    const now = pinch(event);
    if (last && last.distance > 0) {
      viewport.scrollBy(last.x - now.x, last.y - now.y);
      zoomBy(now.distance / last.distance, now.x, now.y);
    }
    last = now;
  };
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    viewport.addEventListener(type, update, { passive: false });
  }
}
