// Clocks, countdowns and relative times, once a second, on the server's clock.
//
// The page says what the time was when it was rendered: the workspace's own
// (`html[data-now]`, later what the clock's part says) and the system
// (`html[data-system]`), which exchanges go by. The offsets to this machine's
// clock are taken once, and anew when the workspace's was set.
//
// The server writes times in UTC. Here they are written in the browser's zone,
// which the page names once, with UTC on hover: what a `<time>` or another
// element with a moment says (`[data-at]`), and whole moments in sentences,
// `2026-11-21 14:35:27 UTC`, of which the date stays where it is not today.
(() => {
  "use strict";
  const root = document.documentElement;
  const started = Date.now();
  let offset = Date.parse(root.dataset.now) - started;
  const systemOffset = Date.parse(root.dataset.system) - started;
  if (Number.isNaN(offset)) return;
  let said = root.dataset.now;
  let frozen = false;
  const systemNow = () => Date.now() + (systemOffset || 0);
  const now = () => frozen ? Date.parse(said) : Date.now() + offset;
  const look = () => {
    const gauge = document.querySelector("[data-clock-now]");
    if (!gauge) return;
    frozen = "frozen" in gauge.dataset;
    if (gauge.dataset.clockNow === said) return;
    said = gauge.dataset.clockNow;
    offset = Date.parse(said) - Date.now();
  };
  const two = (n) => String(n).padStart(2, "0");

  // "37 s", "2 min", "5 h", "3 d": seconds only within the last minute.
  const span = (ms) => {
    const s = Math.max(0, Math.floor(ms / 1000));
    if (s < 60) return `${s} s`;
    if (s < 3600) return `${Math.floor(s / 60)} min`;
    if (s < 86400) return `${Math.floor(s / 3600)} h`;
    return `${Math.floor(s / 86400)} d`;
  };

  // "4:23", "1:02:03", "6 d", "−0:12"; over an hour past in whole units.
  const left = (ms) => {
    const past = ms < 0;
    const s = past ? Math.ceil(-ms / 1000) : Math.ceil(ms / 1000);
    if (s >= 86400 || (past && s >= 3600)) {
      return (past ? "−" : "") + span(s * 1000);
    }
    const h = Math.floor(s / 3600);
    const m = Math.floor((s % 3600) / 60);
    const text = h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
    return past && s > 0 ? `−${text}` : text;
  };

  const face = (ms) => {
    const d = new Date(ms);
    return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(":");
  };

  // --- the browser's zone --------------------------------------------------

  const day = (ms) => {
    const d = new Date(ms);
    return [d.getFullYear(), two(d.getMonth() + 1), two(d.getDate())].join("-");
  };
  const utc = (ms) => new Date(ms).toISOString().replace("T", " ")
    .replace(/(\.000)?Z$/, " UTC");
  // As the server wrote it, elsewhere: with or without date and fraction.
  const shapes =
    /(?:(\d{4}-\d\d-\d\d)(?: (?=\d\d:))?)?(\d\d:\d\d:\d\d)?(\.\d{3})?( UTC)?/g;
  const written = (text, ms) => text.replace(
    shapes, (whole, date, clock, fraction) => {
      if (!date && !clock) return whole;
      const time = clock && face(ms)
        + (fraction ? `.${String(new Date(ms).getMilliseconds()).padStart(3, "0")}` : "");
      return [date && day(ms), time].filter(Boolean).join(" ");
    });
  const moments = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})? UTC/g;
  const momentOf = (text) =>
    Date.parse(text.replace(" ", "T").replace(" UTC", "Z"));
  const short = (text) => {
    const ms = momentOf(text);
    return written(day(ms) === day(now()) ? text.slice(11) : text, ms);
  };

  const setTime = (element) => {
    const iso = element.dataset.at ?? element.getAttribute("datetime");
    const ms = Date.parse(iso);
    if (Number.isNaN(ms)) return;
    const isTime = element.localName === "time";
    if (isTime && !element.title) element.title = utc(ms);
    if ("ago" in element.dataset || element.childElementCount) return;
    write(element, written(element.textContent, ms));
  };

  // What was recorded or typed stays as it is.
  const recorded = "pre, code, textarea, script, style, time, [data-at], "
    + ".mono:not([data-moments])";
  const setSentence = (node) => {
    const parent = node.parentElement;
    if (parent.closest(recorded)) return;
    const isPlain = parent.matches("option, title, svg *");
    const parts = [];
    let end = 0;
    for (const { 0: found, index } of node.data.matchAll(moments)) {
      const time = document.createElement("time");
      time.textContent = short(found);
      time.dateTime = new Date(momentOf(found)).toISOString();
      time.title = found;
      parts.push(node.data.slice(end, index), isPlain ? short(found) : time);
      end = index + found.length;
    }
    if (parts.length) node.replaceWith(...parts, node.data.slice(end));
  };

  const named = ["aria-label", "title", "data-timing"];
  const withMoment = "time[datetime], [data-at]";
  const localize = (root) => {
    for (const e of [root, ...root.querySelectorAll("*")]) {
      if (e.matches(withMoment)) setTime(e);
      if (e.localName === "time") continue;
      for (const name of named) {
        const text = e.getAttribute(name) ?? "";
        const said = text.replace(moments, short);
        if (said !== text && !e.closest(recorded)) e.setAttribute(name, said);
      }
    }
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const sentences = [];
    while (walk.nextNode()) {
      if (walk.currentNode.data.search(moments) >= 0) {
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
  // Whatever comes into the page later, too.
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
    let voice = document.getElementById("voice");
    if (!voice) {
      voice = document.createElement("p");
      voice.id = "voice";
      voice.className = "visually-hidden";
      voice.setAttribute("aria-live", "polite");
      document.body.append(voice);
    }
    voice.textContent = text;
  };

  const phases = ["running", "warn", "expired"];
  const step = (timer, at) => {
    const ms = Date.parse(timer.dataset.expires) - at;
    if (Number.isNaN(ms)) return;
    const life = Number(timer.dataset.life) * 1000;
    const phase = ms <= 0 ? "expired" : life && ms <= life / 5 ? "warn" : "running";
    const was = phases.find((p) => timer.classList.contains(`countdown-${p}`));
    if (!was) return;
    write(timer.querySelector("[data-remaining]"), left(ms));
    const share = life ? Math.min(100, Math.max(0, (ms / life) * 100)) : 0;
    timer.querySelector(".ring-value")?.setAttribute(
      "stroke-dasharray", `${share.toFixed(1)} 100`);
    if (phase === was) return;
    timer.classList.replace(`countdown-${was}`, `countdown-${phase}`);
    const name = timer.getAttribute("aria-label");
    if (phase === "warn") announce(`${name}: ${left(ms)} left`);
    if (phase === "expired") {
      write(timer.querySelector("[data-caption]"), "expired");
      announce(`${name}: expired`);
    }
  };

  const bar = (cell, at) => {
    const ms = Date.parse(cell.dataset.until) - at;
    if (Number.isNaN(ms)) return;
    // A list says for how long a token has been expired; a lease is gone by then.
    write(cell, ms < 0 && cell.dataset.life ? `Expired ${span(-ms)} ago` : left(ms));
    const life = Number(cell.dataset.life) * 1000;
    cell.classList.toggle("tone-warn", ms <= 0 || (life && ms <= life / 5));
  };

  const tick = () => {
    look();
    const at = now();
    for (const e of document.querySelectorAll("[data-clock]")) {
      write(e, face(at));
    }
    for (const e of document.querySelectorAll("[data-system-clock]")) {
      write(e, face(systemNow()));
    }
    for (const e of document.querySelectorAll("[data-countdown]")) step(e, at);
    for (const e of document.querySelectorAll("[data-until]")) {
      bar(e, "system" in e.dataset ? systemNow() : at);
    }
    for (const e of document.querySelectorAll("[data-ago]")) {
      const ms = ("system" in e.dataset ? systemNow() : at) - Date.parse(e.dateTime);
      if (Number.isNaN(ms)) continue;
      // What a clock that was put back has yet to reach is ahead.
      const ahead = ms <= -2000;
      const text = span(Math.abs(ahead ? ms : Math.max(0, ms)));
      write(e, ahead ? `in ${text}`
        : e.dataset.ago === "short" ? text : `${text} ago`);
    }
    // To the next full second, by whichever clock goes.
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
