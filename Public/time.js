// Clocks, countdowns and relative times, once a second, on the server's clock.
//
// The page says what the time was when it was rendered: the workspace's own
// (`html[data-now]`, later what the clock's part says) and the real one
// (`html[data-real]`), which exchanges go by. The offsets to this machine's
// clock are taken once, and anew when the workspace's was set. All times are
// UTC.
(() => {
  "use strict";
  const root = document.documentElement;
  const started = Date.now();
  let offset = Date.parse(root.dataset.now) - started;
  const realOffset = Date.parse(root.dataset.real) - started;
  if (Number.isNaN(offset)) return;
  let said = root.dataset.now;
  let frozen = false;
  const realNow = () => Date.now() + (realOffset || 0);
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
    return [d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds()]
      .map(two).join(":");
  };

  const write = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };

  const announce = (text) => {
    let voice = document.getElementById("voice");
    if (!voice) {
      voice = document.createElement("p");
      voice.id = "voice";
      voice.className = "spoken";
      voice.setAttribute("aria-live", "polite");
      document.body.append(voice);
    }
    voice.textContent = text;
  };

  const phases = ["run", "warn", "over"];
  const step = (timer, at) => {
    const ms = Date.parse(timer.dataset.expires) - at;
    if (Number.isNaN(ms)) return;
    const life = Number(timer.dataset.life) * 1000;
    const phase = ms <= 0 ? "over" : life && ms <= life / 5 ? "warn" : "run";
    const was = phases.find((p) => timer.classList.contains(`countdown-${p}`));
    if (!was) return;
    write(timer.querySelector("[data-left]"), left(ms));
    const share = life ? Math.min(100, Math.max(0, (ms / life) * 100)) : 0;
    timer.querySelector(".ring-value")?.setAttribute(
      "stroke-dasharray", `${share.toFixed(1)} 100`);
    if (phase === was) return;
    timer.classList.replace(`countdown-${was}`, `countdown-${phase}`);
    const name = timer.getAttribute("aria-label");
    if (phase === "warn") announce(`${name}: ${left(ms)} left`);
    if (phase === "over") {
      write(timer.querySelector("[data-of]"), "expired");
      announce(`${name}: expired`);
    }
  };

  const bar = (cell, at) => {
    const ms = Date.parse(cell.dataset.until) - at;
    if (Number.isNaN(ms)) return;
    write(cell, left(ms));
    const life = Number(cell.dataset.life) * 1000;
    cell.classList.toggle("tone-warn", ms <= 0 || (life && ms <= life / 5));
  };

  const tick = () => {
    look();
    const at = now();
    for (const e of document.querySelectorAll("[data-clock]")) {
      write(e, face(at));
    }
    for (const e of document.querySelectorAll("[data-real-clock]")) {
      write(e, face(realNow()));
    }
    for (const e of document.querySelectorAll("[data-countdown]")) step(e, at);
    for (const e of document.querySelectorAll("[data-until]")) {
      bar(e, "real" in e.dataset ? realNow() : at);
    }
    for (const e of document.querySelectorAll("[data-ago]")) {
      const ms = ("real" in e.dataset ? realNow() : at) - Date.parse(e.dateTime);
      if (Number.isNaN(ms)) continue;
      if (!e.title) e.title = e.dateTime.replace("T", " ").replace("Z", " UTC");
      // What a clock that was put back has yet to reach is ahead.
      const ahead = ms <= -2000;
      const text = span(Math.abs(ahead ? ms : Math.max(0, ms)));
      write(e, ahead ? `in ${text}`
        : e.dataset.ago === "short" ? text : `${text} ago`);
    }
    // To the next full second, by whichever clock goes.
    clearTimeout(next);
    next = setTimeout(tick, 1000 - ((frozen ? realNow() : at) % 1000) + 5);
  };
  let next;
  document.addEventListener("foyer:swapped", (event) => {
    if (event.target.querySelector?.("[data-clock-now]")) tick();
  });
  tick();
})();
