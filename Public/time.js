// Updates clocks, countdowns and relative times once a second, by the server's
// clock.
//
// The page contains its time of rendering: the workspace's clock
// (`html[data-now]`, later the value in the clock part) and the system time
// (`html[data-system]`), which logs keep. The offsets to this machine's clock
// are computed once, and again when the workspace's clock is set.
//
// The server writes times in UTC. This script shows them in the browser's zone,
// which the page names once, with UTC as the tooltip: in a `<time>`, in another
// element with `data-at`, and in sentences: `2026-11-21 14:35:27 UTC`, without
// its date if that is today.
(() => {
  "use strict";
  const root = document.documentElement;
  const loadedAt = Date.now();
  let offset = Date.parse(root.dataset.now) - loadedAt;
  const systemOffset = Date.parse(root.dataset.system) - loadedAt;
  if (Number.isNaN(offset)) return;
  let serverNow = root.dataset.now;
  let frozen = false;
  const systemNow = () => Date.now() + (systemOffset || 0);
  const now = () => frozen ? Date.parse(serverNow) : Date.now() + offset;
  const readClock = () => {
    const clock = document.querySelector("[data-clock-now]");
    if (!clock) return;
    frozen = "frozen" in clock.dataset;
    if (clock.dataset.clockNow === serverNow) return;
    serverNow = clock.dataset.clockNow;
    offset = Date.parse(serverNow) - Date.now();
  };
  const twoDigits = (n) => String(n).padStart(2, "0");

  // "37 s", "2 min", "5 h", "3 d": seconds only within the last minute.
  const span = (ms) => {
    const s = Math.max(0, Math.floor(ms / 1000));
    if (s < 60) return `${s} s`;
    if (s < 3600) return `${Math.floor(s / 60)} min`;
    if (s < 86400) return `${Math.floor(s / 3600)} h`;
    return `${Math.floor(s / 86400)} d`;
  };

  // "4:23", "1:02:03", "6 d", "−0:12"; in whole units after an hour past.
  const remaining = (ms) => {
    const past = ms < 0;
    const s = past ? Math.ceil(-ms / 1000) : Math.ceil(ms / 1000);
    if (s >= 86400 || (past && s >= 3600)) {
      return (past ? "−" : "") + span(s * 1000);
    }
    const h = Math.floor(s / 3600);
    const m = Math.floor((s % 3600) / 60);
    const text = h ? `${h}:${twoDigits(m)}:${twoDigits(s % 60)}` : `${m}:${twoDigits(s % 60)}`;
    return past && s > 0 ? `−${text}` : text;
  };

  const timeOfDay = (ms) => {
    const d = new Date(ms);
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map(twoDigits).join(":");
  };

  // --- the browser's zone --------------------------------------------------

  const dateOf = (ms) => {
    const d = new Date(ms);
    return [d.getFullYear(), twoDigits(d.getMonth() + 1), twoDigits(d.getDate())].join("-");
  };
  const utc = (ms) => new Date(ms).toISOString().replace("T", " ")
    .replace(/(\.000)?Z$/, " UTC");
  // Keeps the format of the server, with or without date and fraction.
  const timePattern =
    /(?:(\d{4}-\d\d-\d\d)(?: (?=\d\d:))?)?(\d\d:\d\d:\d\d)?(\.\d{3})?( UTC)?/g;
  const inLocalZone = (text, ms) => text.replace(
    timePattern, (match, date, clock, fraction) => {
      if (!date && !clock) return match;
      const time = clock && timeOfDay(ms)
        + (fraction ? `.${String(new Date(ms).getMilliseconds()).padStart(3, "0")}` : "");
      return [date && dateOf(ms), time].filter(Boolean).join(" ");
    });
  const momentPattern = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})? UTC/g;
  const momentOf = (text) =>
    Date.parse(text.replace(" ", "T").replace(" UTC", "Z"));
  const short = (text) => {
    const ms = momentOf(text);
    return inLocalZone(dateOf(ms) === dateOf(now()) ? text.slice(11) : text, ms);
  };

  const setTime = (element) => {
    const iso = element.dataset.at ?? element.getAttribute("datetime");
    const ms = Date.parse(iso);
    if (Number.isNaN(ms)) return;
    const isTime = element.localName === "time";
    if (isTime && !element.title) element.title = utc(ms);
    if ("ago" in element.dataset || element.childElementCount) return;
    write(element, inLocalZone(element.textContent, ms));
  };

  // Recorded and typed text is not changed.
  const unchanged = "pre, code, textarea, script, style, time, [data-at], "
    + ".mono:not([data-moments])";
  const setSentence = (node) => {
    const parent = node.parentElement;
    if (parent.closest(unchanged)) return;
    const isPlain = parent.matches("option, title, svg *");
    const parts = [];
    let end = 0;
    for (const { 0: found, index } of node.data.matchAll(momentPattern)) {
      const time = document.createElement("time");
      time.textContent = short(found);
      time.dateTime = new Date(momentOf(found)).toISOString();
      time.title = found;
      parts.push(node.data.slice(end, index), isPlain ? short(found) : time);
      end = index + found.length;
    }
    if (parts.length) node.replaceWith(...parts, node.data.slice(end));
  };

  const textAttributes = ["aria-label", "title", "data-timing"];
  const withMoment = "time[datetime], [data-at]";
  const localize = (root) => {
    for (const e of [root, ...root.querySelectorAll("*")]) {
      if (e.matches(withMoment)) setTime(e);
      if (e.localName === "time") continue;
      for (const name of textAttributes) {
        const text = e.getAttribute(name) ?? "";
        const localText = text.replace(momentPattern, short);
        if (localText !== text && !e.closest(unchanged)) e.setAttribute(name, localText);
      }
    }
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const sentences = [];
    while (walk.nextNode()) {
      if (walk.currentNode.data.search(momentPattern) >= 0) {
        sentences.push(walk.currentNode);
      }
    }
    sentences.forEach(setSentence);
  };

  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const name = /^(Etc\/)?(UTC|UCT|Universal|Zulu|GMT)$/.test(timeZone)
    ? "UTC" : timeZone;
  const nameZone = () => {
    for (const e of document.querySelectorAll("[data-zone]")) {
      write(e, name);
      e.title = name;
    }
  };
  // A field whose value is sent in UTC, as its label says without scripts.
  const utcFields = document.querySelectorAll("[data-utc-field]");
  for (const label of utcFields) {
    const field = document.getElementById(label.dataset.utcField);
    const ms = Date.parse(`${field.value}Z`);
    if (Number.isNaN(ms) && field.value) continue;
    if (field.value) field.value = `${dateOf(ms)}T${timeOfDay(ms)}`;
    label.textContent = name;
    field.form.addEventListener("formdata", ({ formData }) => {
      const at = new Date(field.value);
      if (Number.isNaN(at.getTime())) return;
      formData.set(field.name, at.toISOString().slice(0, 19));
    });
  }
  // Content that is added later, too.
  new MutationObserver((changes) => {
    const fresh = changes.flatMap((change) => [...change.addedNodes])
      .filter((node) => node.nodeType === Node.ELEMENT_NODE && node.isConnected);
    for (const node of fresh) localize(node);
    if (fresh.length) nameZone();
  }).observe(document.body, { childList: true, subtree: true });

  const write = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };

  const announce = (text) => {
    let region = document.getElementById("announcements");
    if (!region) {
      region = document.createElement("p");
      region.id = "announcements";
      region.className = "visually-hidden";
      region.setAttribute("aria-live", "polite");
      document.body.append(region);
    }
    region.textContent = text;
  };

  const phases = ["running", "warn", "expired"];
  const updateCountdown = (countdown, at) => {
    const ms = Date.parse(countdown.dataset.expires) - at;
    if (Number.isNaN(ms)) return;
    const lifetime = Number(countdown.dataset.life) * 1000;
    const phase = ms <= 0 ? "expired" : lifetime && ms <= lifetime / 5 ? "warn" : "running";
    const was = phases.find((p) => countdown.classList.contains(`countdown-${p}`));
    if (!was) return;
    write(countdown.querySelector("[data-remaining]"), remaining(ms));
    const share = lifetime ? Math.min(100, Math.max(0, (ms / lifetime) * 100)) : 0;
    countdown.querySelector(".ring-value")?.setAttribute(
      "stroke-dasharray", `${share.toFixed(1)} 100`);
    if (phase === was) return;
    countdown.classList.replace(`countdown-${was}`, `countdown-${phase}`);
    const name = countdown.getAttribute("aria-label");
    if (phase === "warn") announce(`${name}: ${remaining(ms)} left`);
    if (phase === "expired") {
      write(countdown.querySelector("[data-caption]"), "expired");
      announce(`${name}: expired`);
    }
  };

  const updateRemaining = (cell, at) => {
    const ms = Date.parse(cell.dataset.until) - at;
    if (Number.isNaN(ms)) return;
    // A list shows for how long a token has been expired; an expired lease is removed.
    write(cell, ms < 0 && cell.dataset.life ? `Expired ${span(-ms)} ago` : remaining(ms));
    const lifetime = Number(cell.dataset.life) * 1000;
    cell.classList.toggle("tone-warn", ms <= 0 || (lifetime && ms <= lifetime / 5));
  };

  const tick = () => {
    readClock();
    const at = now();
    for (const e of document.querySelectorAll("[data-clock]")) {
      write(e, timeOfDay(at));
    }
    for (const e of document.querySelectorAll("[data-system-clock]")) {
      write(e, timeOfDay(systemNow()));
    }
    for (const e of document.querySelectorAll("[data-countdown]")) updateCountdown(e, at);
    for (const e of document.querySelectorAll("[data-until]")) {
      updateRemaining(e, "system" in e.dataset ? systemNow() : at);
    }
    for (const e of document.querySelectorAll("[data-ago]")) {
      const ms = ("system" in e.dataset ? systemNow() : at) - Date.parse(e.dateTime);
      if (Number.isNaN(ms)) continue;
      // After a clock was set back, times may be in the future.
      const ahead = ms <= -2000;
      const text = span(Math.abs(ahead ? ms : Math.max(0, ms)));
      write(e, ahead ? `in ${text}`
        : e.dataset.ago === "short" ? text : `${text} ago`);
    }
    // Until the next full second of the running clock.
    clearTimeout(next);
    next = setTimeout(tick, 1000 - ((frozen ? systemNow() : at) % 1000) + 5);
  };
  let next;
  localize(document.body);
  nameZone();
  document.addEventListener("foyer:swapped", (event) => {
    if (event.target.querySelector?.("[data-clock-now]")) tick();
  });
  tick();
})();
