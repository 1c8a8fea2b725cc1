// The documentation of the API: filters operations and schemas as one types,
// and moves between the field and the list by the arrow keys.
(() => {
  "use strict";
  const form = document.querySelector("[data-api-filter]");
  const field = form.querySelector("input");
  const count = document.querySelector("[data-testid='api.count']");
  const none = document.querySelector("[data-api-none]");
  const items = [...document.querySelectorAll("[data-words]")];
  const groups = [...document.querySelectorAll("[data-api-group]")];
  const links = [...document.querySelectorAll(".api-nav a")];

  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) {
      item.hidden = !words.every((word) => item.dataset.words.includes(word));
    }
    for (const group of groups) {
      const parts = group.querySelectorAll("[data-words]");
      group.hidden = words.length > 0 && ![...parts].some((part) => !part.hidden);
    }
    const all = document.querySelectorAll("[data-testid='api.operation']");
    const shown = [...all].filter((operation) => !operation.hidden).length;
    count.textContent = words.length
      ? `${shown} of ${all.length} operations` : `${all.length} operations`;
    none.hidden = items.some((item) => !item.hidden);
    const url = new URL(location.href);
    if (words.length) url.searchParams.set("q", field.value);
    else url.searchParams.delete("q");
    history.replaceState(history.state, "", url);
  };

  // A link to an operation that the filter hides ends the filter.
  const showTarget = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest("[hidden]")) return;
    field.value = "";
    filter();
    target.scrollIntoView();
  };

  const visibleLinks = () => links.filter((link) => link.offsetParent);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = visibleLinks().find((link) => link.matches(".api-nav-operation"));
    first?.click();
  });
  field.addEventListener("input", filter);
  form.parentElement.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value) {
      field.value = "";
      filter();
      return field.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [field, ...visibleLinks()];
    const index = stops.indexOf(document.activeElement);
    if (index < 0) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(index + step, stops.length - 1))].focus();
  });
  addEventListener("hashchange", showTarget);

  field.value = new URLSearchParams(location.search).get("q") ?? "";
  if (field.value) filter();
  showTarget();
})();
