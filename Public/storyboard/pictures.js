// Pictures of two sets: a slider from before to after, moved by keyboard, mouse or
// touch. Without this script they are side by side.

const views = [...document.querySelectorAll("input[name=view]")];
document.documentElement.classList.add("has-slider");
const side = views.find((view) => view.value === "both");
// The browser may have restored another choice.
if (side?.checked) views.find((view) => view.value === "slider").checked = true;

for (const range of document.querySelectorAll("[data-split]")) {
  const frame = range.closest("[data-frame]");
  const update = () => {
    frame.style.setProperty("--split", `${range.value}%`);
    range.setAttribute("aria-valuetext", `${range.value} % before`);
  };
  range.addEventListener("input", update);
  update();
}
