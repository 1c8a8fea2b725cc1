// The accessibility page: states are measured as they come into view, a few at a
// time, or all on request; findings are counted and filtered.
import { measure, makeMeasuringFrame } from "./measure.js";
import { chip, count, details, finding, kindLabels, make } from "./show.js";

const page = document.querySelector("[data-audit]");
const rows = [...page.querySelectorAll("[data-state]")];
const size = { width: Number(page.dataset.width), height: Number(page.dataset.height) };
const maxConcurrent = 3;
const find = (name) => page.querySelector(`[data-${name}]`);

// --- measuring -----------------------------------------------------------

/** The result by row; has an `error` if the measurement failed. */
const results = new Map();
let waiting = [];
let running = 0;
let isCheckingAll = false;

const put = (row, ...verdict) => row.querySelector("[data-verdict]").replaceChildren(...verdict);

function show(row, result) {
  const within = row.querySelector("[data-measured]");
  if (result.error) {
    put(row, chip("Check failed", "bad", "cross"));
    row.querySelector("[data-reason]")?.remove();
    within.replaceChildren(make("p", { class: "small tone-bad" }, result.error));
    return;
  }
  if (result.unreachable !== undefined) {
    put(row, chip("Unreachable", "warn", "warn"));
    if (!row.querySelector("[data-reason]")) {
      within.replaceChildren(make("p", { class: "small tone-warn" }, result.unreachable));
    }
    return;
  }
  const { findings } = result;
  put(row, findings.length ? chip(count(findings.length, "finding"), "warn", "warn")
    : chip("No findings", "ok", "check"));
  row.querySelector("[data-reason]")?.remove();
  within.replaceChildren(
    ...findings.length
      ? [make("ul", { class: "audit-findings" }, findings.map((one) => finding(one)))] : [],
    details(row, result, size, row.dataset.open !== undefined));
}

async function measurePending() {
  if (running >= maxConcurrent || waiting.length === 0) return;
  running += 1;
  const frame = makeMeasuringFrame(size);
  while (waiting.length) {
    const row = waiting.shift();
    put(row, chip("Checking", "neutral"));
    let result;
    try {
      result = await measure(frame, row.dataset.frame, row.dataset.expects);
    } catch (error) {
      result = { error: error.message || "Check failed." };
    }
    results.set(row, result);
    show(row, result);
    updateProgress();
  }
  frame.remove();
  running -= 1;
  updateProgress();
}

function enqueue(row, first = false) {
  if (results.has(row) || row.dataset.queued) return;
  row.dataset.queued = "true";
  if (first) waiting.unshift(row);
  else waiting.push(row);
  for (let i = running; i < maxConcurrent; i += 1) measurePending();
}

function enqueueAll() {
  isCheckingAll = true;
  rows.forEach((row) => enqueue(row));
  updateProgress();
}

// --- findings ------------------------------------------------------------

const all = () => rows.flatMap((row) => (results.get(row)?.findings ?? [])
  .map((one) => ({ ...one, row })));

let announcedCount = 0;
let summaryTimer;

/** `4 states checked, 18 failed, no findings`: failed states do not count as
    checked. */
function progressText(found, total = "", where = "") {
  const failed = [...results.values()].filter((one) => one.error).length;
  const checked = results.size - failed;
  const hasMeasured = [...results.values()].some((one) => one.findings);
  const parts = [
    `${total ? `${checked} of ${total}` : count(checked, "state")} checked${where}`,
  ];
  if (failed) parts.push(`${failed} failed`);
  if (found.length) parts.push(count(found.length, "finding"));
  else if (hasMeasured) parts.push(failed ? "no findings in the others" : "no findings");
  return parts.join(", ");
}

/** Updates the counts at once, and the list of distinct findings debounced. */
function updateProgress() {
  const done = results.size;
  const found = all();
  const isIdle = running === 0 && waiting.length === 0;
  find("progress").textContent = done === 0 && isIdle ? "Not checked"
    : progressText(found, count(rows.length, "state"), ` on ${page.dataset.phone}`);
  find("bar").querySelector(".audit-done").setAttribute(
    "width", `${rows.length ? done / rows.length * 100 : 0}%`);
  find("all").hidden = isCheckingAll || done === rows.length;
  for (const link of page.querySelectorAll("a[data-kind]")) {
    const { kind } = link.dataset;
    link.querySelector("[data-count]").textContent = kind === "all" ? found.length
      : found.filter((one) => one.kind === kind).length;
  }
  applyFilter();
  clearTimeout(summaryTimer);
  summaryTimer = setTimeout(listDistinctFindings, isIdle ? 0 : 600);
  // Announced once when idle, not for each state.
  if (isIdle && done > announcedCount) {
    announcedCount = done;
    find("announcer").textContent = progressText(found);
    page.dataset.checked = String(done);
  }
}

/** Lists each distinct finding once, with its states. */
function listDistinctFindings() {
  const into = find("distinct");
  if (into.contains(document.activeElement)) return;
  const kind = filter();
  const distinct = new Map();
  for (const one of all()) {
    if (kind && one.kind !== kind) continue;
    const key = [one.kind, one.what, one.selector].join("\n");
    if (!distinct.has(key)) distinct.set(key, { ...one, rows: [] });
    distinct.get(key).rows.push(one.row);
  }
  if (distinct.size === 0) {
    into.replaceChildren();
    return;
  }
  const previous = into.querySelector("details");
  const lines = [...distinct.values()].sort((a, b) => b.rows.length - a.rows.length)
    .map((one) => finding(one, make("a", {
      class: "small", href: `#${one.rows[0].id}`,
    }, one.rows.length === 1 ? one.rows[0].dataset.state
      : `${one.rows[0].dataset.state} and ${one.rows.length - 1} more`)));
  into.replaceChildren(make("details", { class: "audit-distinct", open: previous ? previous.open : true },
    make("summary", {}, `${distinct.size} distinct ${distinct.size === 1 ? "finding" : "findings"}`),
    make("ul", { class: "audit-findings" }, lines)));
}

// --- filter --------------------------------------------------------------

const filter = () => new URLSearchParams(location.search).get("finding");

function applyFilter() {
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

function updateFilter() {
  const kind = filter();
  for (const link of page.querySelectorAll("a[data-kind]")) {
    if ((kind ?? "all") === link.dataset.kind) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  // The other links keep the filter.
  for (const link of page.querySelectorAll(".audit-filters a[href]")) {
    const url = new URL(link.href);
    if (kind) url.searchParams.set("finding", kind);
    else url.searchParams.delete("finding");
    link.href = url.pathname + url.search;
  }
  if (kind) enqueueAll();
  updateProgress();
  listDistinctFindings();
}

page.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-kind]");
  const plain = !(event.metaKey || event.ctrlKey || event.shiftKey);
  if (!link || !plain || event.button !== 0) return;
  event.preventDefault();
  // The URL with the other current choices.
  const url = new URL(location.href);
  const { kind } = link.dataset;
  if (kind === "all") url.searchParams.delete("finding");
  else url.searchParams.set("finding", kind);
  url.hash = "";
  if (url.href !== location.href) history.pushState(null, "", url);
  updateFilter();
});
addEventListener("popstate", updateFilter);
find("all").addEventListener("click", () => {
  enqueueAll();
  find("progress").scrollIntoView({ block: "nearest" });
});

// --- export --------------------------------------------------------------

const cell = (value) => {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const exports = {
  csv: () => [["state", "kind", "what", "where", "fix", "rule", "phone"]]
    .concat(all().map((one) => [one.row.dataset.state, kindLabels[one.kind], one.what,
      one.selector, one.fix, one.rule, page.dataset.phone]))
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

/** All measurements of one state, or of all; the console calls it for its API. */
export async function report(state) {
  for (const row of rows) if (!state || row.dataset.state === state) enqueue(row, true);
  const isDone = () => running === 0 && waiting.length === 0;
  while (!isDone()) await new Promise((done) => setTimeout(done, 20));
  const all = JSON.parse(exports.json());
  return { ...all, states: all.states.filter((one) => !state || one.state === state) };
}

// --- start ---------------------------------------------------------------

const observer = new IntersectionObserver((entries) => {
  // Rows that come into view later are measured first, from the top.
  const isLater = results.size > 0;
  for (const { isIntersecting, target } of isLater ? entries.toReversed() : entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    enqueue(target, isLater);
  }
}, { rootMargin: "200px" });
rows.forEach((row) => observer.observe(row));
updateFilter();
