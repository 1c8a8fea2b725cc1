// The accessibility sheet: states are measured as they come into view, a few
// at a time, or all of them when asked; findings are counted and narrowed.
import { measure, stage } from "./measure.js";
import { chip, count, details, finding, kindWords, make } from "./show.js";

const page = document.querySelector("[data-audit]");
const rows = [...page.querySelectorAll("[data-state]")];
const size = { width: Number(page.dataset.width), height: Number(page.dataset.height) };
const atOnce = 3;
const find = (name) => page.querySelector(`[data-${name}]`);

// --- measuring -----------------------------------------------------------

/** By row: what came of it; `error` where nothing did. */
const results = new Map();
let waiting = [];
let running = 0;
let wantsAll = false;

const put = (row, ...verdict) => row.querySelector("[data-verdict]").replaceChildren(...verdict);

function show(row, result) {
  const within = row.querySelector("[data-measured]");
  if (result.error) {
    put(row, chip("not measured", "bad", "cross"));
    row.querySelector("[data-reason]")?.remove();
    within.replaceChildren(make("p", { class: "small tone-bad" }, result.error));
    return;
  }
  if (result.unreachable !== undefined) {
    put(row, chip("not reachable", "warn", "warn"));
    if (!row.querySelector("[data-reason]")) {
      within.replaceChildren(make("p", { class: "small tone-warn" }, result.unreachable));
    }
    return;
  }
  const { findings } = result;
  put(row, findings.length ? chip(count(findings.length, "finding"), "warn", "warn")
    : chip("nothing found", "ok", "check"));
  row.querySelector("[data-reason]")?.remove();
  within.replaceChildren(
    ...findings.length
      ? [make("ul", { class: "audit-findings" }, findings.map((one) => finding(one)))] : [],
    details(row, result, size, row.dataset.open !== undefined));
}

async function work() {
  if (running >= atOnce || waiting.length === 0) return;
  running += 1;
  const frame = stage(size);
  while (waiting.length) {
    const row = waiting.shift();
    put(row, chip("measuring", "neutral"));
    let result;
    try {
      result = await measure(frame, row.dataset.frame, row.dataset.expects);
    } catch (error) {
      result = { error: error.message || "It could not be measured." };
    }
    results.set(row, result);
    show(row, result);
    tell();
  }
  frame.remove();
  running -= 1;
  tell();
}

function want(row, first = false) {
  if (results.has(row) || row.dataset.wanted) return;
  row.dataset.wanted = "true";
  if (first) waiting.unshift(row);
  else waiting.push(row);
  for (let i = running; i < atOnce; i += 1) work();
}

function wantEverything() {
  wantsAll = true;
  rows.forEach((row) => want(row));
  tell();
}

// --- what was found ------------------------------------------------------

const all = () => rows.flatMap((row) => (results.get(row)?.findings ?? [])
  .map((one) => ({ ...one, row })));

let told = 0;
let later;

/** `4 looked at, 18 could not be measured, nothing found`: what could not be
    measured has not been looked at. */
function words(found, total = "", where = "") {
  const lost = [...results.values()].filter((one) => one.error).length;
  const seen = results.size - lost;
  const hasMeasured = [...results.values()].some((one) => one.findings);
  const said = [
    `${total ? `${seen} of ${total}` : count(seen, "state")} looked at${where}`,
  ];
  if (lost) said.push(`${lost} could not be measured`);
  if (found.length) said.push(count(found.length, "finding"));
  else if (hasMeasured) said.push(lost ? "nothing found in the others" : "nothing found");
  return said.join(", ");
}

/** The counts above, at once; the list of what differs, not at every state. */
function tell() {
  const done = results.size;
  const found = all();
  const isIdle = running === 0 && waiting.length === 0;
  find("progress").textContent = done === 0 && isIdle ? "Nothing looked at yet"
    : words(found, count(rows.length, "state"), ` on ${page.dataset.phone}`);
  find("bar").querySelector(".audit-done").setAttribute(
    "width", `${rows.length ? done / rows.length * 100 : 0}%`);
  find("all").hidden = wantsAll || done === rows.length;
  for (const link of page.querySelectorAll("a[data-kind]")) {
    const { kind } = link.dataset;
    link.querySelector("[data-count]").textContent = kind === "all" ? found.length
      : found.filter((one) => one.kind === kind).length;
  }
  narrow();
  clearTimeout(later);
  later = setTimeout(sum, isIdle ? 0 : 600);
  // One sentence when it has come to rest, not one for each state.
  if (isIdle && done > told) {
    told = done;
    find("said").textContent = words(found);
    page.dataset.rested = String(done);
  }
}

/** The same finding in many states is one line. */
function sum() {
  const into = find("distinct");
  if (into.contains(document.activeElement)) return;
  const kind = filter();
  const same = new Map();
  for (const one of all()) {
    if (kind && one.kind !== kind) continue;
    const key = [one.kind, one.what, one.place].join("\n");
    if (!same.has(key)) same.set(key, { ...one, rows: [] });
    same.get(key).rows.push(one.row);
  }
  if (same.size === 0) {
    into.replaceChildren();
    return;
  }
  const was = into.querySelector("details");
  const lines = [...same.values()].sort((a, b) => b.rows.length - a.rows.length)
    .map((one) => finding(one, make("a", {
      class: "small", href: `#${one.rows[0].id}`,
    }, one.rows.length === 1 ? one.rows[0].dataset.state
      : `${one.rows[0].dataset.state} and ${one.rows.length - 1} more`)));
  into.replaceChildren(make("details", { class: "audit-same", open: was ? was.open : true },
    make("summary", {}, `${same.size} different ${same.size === 1 ? "finding" : "findings"}`),
    make("ul", { class: "audit-findings" }, lines)));
}

// --- narrowing -----------------------------------------------------------

const filter = () => new URLSearchParams(location.search).get("finding");

function narrow() {
  const kind = filter();
  for (const row of rows) {
    const has = results.get(row)?.findings?.some((one) => one.kind === kind);
    row.hidden = Boolean(kind) && !has;
    for (const one of row.querySelectorAll("li[data-kind]")) {
      one.hidden = Boolean(kind) && one.dataset.kind !== kind;
    }
  }
  for (const section of page.querySelectorAll("[data-screen]")) {
    section.hidden = !section.querySelector("[data-state]:not([hidden])");
  }
  find("none").hidden = !kind || running > 0 || waiting.length > 0
    || rows.some((row) => !row.hidden);
}

function choose() {
  const kind = filter();
  for (const link of page.querySelectorAll("a[data-kind]")) {
    if ((kind ?? "all") === link.dataset.kind) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  // The other choices keep it.
  for (const link of page.querySelectorAll(".audit-filters a[href]")) {
    const url = new URL(link.href);
    if (kind) url.searchParams.set("finding", kind);
    else url.searchParams.delete("finding");
    link.href = url.pathname + url.search;
  }
  if (kind) wantEverything();
  tell();
  sum();
}

page.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-kind]");
  const plain = !(event.metaKey || event.ctrlKey || event.shiftKey);
  if (!link || !plain || event.button !== 0) return;
  event.preventDefault();
  // Its address as the choices above are now.
  const url = new URL(location.href);
  const { kind } = link.dataset;
  if (kind === "all") url.searchParams.delete("finding");
  else url.searchParams.set("finding", kind);
  url.hash = "";
  if (url.href !== location.href) history.pushState(null, "", url);
  choose();
});
addEventListener("popstate", choose);
find("all").addEventListener("click", () => {
  wantEverything();
  find("progress").scrollIntoView({ block: "nearest" });
});

// --- to take along -------------------------------------------------------

const cell = (value) => {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const exports = {
  csv: () => [["state", "kind", "what", "where", "mend", "rule", "phone"]]
    .concat(all().map((one) => [one.row.dataset.state, kindWords[one.kind], one.what,
      one.place, one.mend, one.rule, page.dataset.phone]))
    .map((line) => line.map(cell).join(",") + "\r\n").join(""),
  json: () => JSON.stringify({
    app: page.dataset.audit, phone: page.dataset.phone, address: location.pathname + location.search,
    states: rows.filter((row) => results.has(row)).map((row) =>
      ({ state: row.dataset.state, ...results.get(row) })),
  }, null, 2),
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-export]");
  if (!button) return;
  const kind = button.dataset.export;
  const type = { csv: "text/csv", json: "application/json" }[kind];
  const link = make("a", {
    href: URL.createObjectURL(new Blob([exports[kind]()], { type })),
    download: `${page.dataset.audit}-accessibility.${kind}`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  button.closest("details").open = false;
});

// --- to begin with -------------------------------------------------------

const sight = new IntersectionObserver((seen) => {
  // What has come into view goes before what was left, from the top.
  const isLate = results.size > 0;
  for (const { isIntersecting, target } of isLate ? seen.toReversed() : seen) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    want(target, isLate);
  }
}, { rootMargin: "200px" });
rows.forEach((row) => sight.observe(row));
choose();
