import Backend

extension EmailActionPage {
    /// One quiet column, light or dark as the system. Text has a contrast of at least 4.5 with its
    /// background, edges of controls 3.
    static let css = """
        :root {
          color-scheme: light dark;
          --bg: #f6f5f2; --surface: #ffffff; --line: #e5e3dd;
          --field: #8e8a81; --ink: #1d1c1a; --ink2: #55524c;
          --accent: #2553cc; --on-accent: #ffffff;
          --ok: #136b40; --ok-tint: #e3f3ea;
          --bad: #b32b1c; --bad-tint: #fceae6; --tint: #eaeffc;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --bg: #111110; --surface: #191918; --line: #2c2c29;
            --field: #76736b; --ink: #eeece7; --ink2: #b8b4ab;
            --accent: #93b2ff; --on-accent: #0d1733;
            --ok: #6fcf9c; --ok-tint: #14271d;
            --bad: #ff9583; --bad-tint: #361d18; --tint: #1d2742;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; min-height: 100vh; display: grid; padding: 24px 16px;
          background: var(--bg); color: var(--ink);
          font: 15px/22px -apple-system, BlinkMacSystemFont, "Segoe UI",
            Roboto, "Noto Sans", "DejaVu Sans Condensed", system-ui,
            sans-serif;
        }
        main {
          width: 100%; max-width: 400px; margin: auto; padding: 32px;
          background: var(--surface); border: 1px solid var(--line);
          border-radius: 14px; overflow-wrap: anywhere;
        }
        svg {
          display: block; width: 48px; height: 48px; padding: 12px;
          border-radius: 24px; fill: none; stroke: currentColor;
          stroke-width: 2; stroke-linecap: round; stroke-linejoin: round;
        }
        .good svg { color: var(--ok); background: var(--ok-tint); }
        .bad svg { color: var(--bad); background: var(--bad-tint); }
        .prompt svg { color: var(--accent); background: var(--tint); }
        h1 {
          margin: 0 0 16px; font-size: 24px; line-height: 32px;
          font-weight: 600; letter-spacing: -0.01em;
        }
        p { margin: 0 0 12px; color: var(--ink2); }
        .app { margin: 24px 0 0; font-size: 13px; line-height: 20px; }
        .error { color: var(--bad); }
        form { margin: 24px 0 0; }
        form p { margin: 0 0 16px; }
        label { display: block; margin: 0 0 4px; font-weight: 500; }
        input {
          width: 100%; height: 44px; margin: 0 0 8px; padding: 0 12px;
          border: 1px solid var(--field); border-radius: 6px;
          background: var(--surface); color: var(--ink); font: inherit;
        }
        input[aria-invalid] { border-color: var(--bad); }
        button {
          width: 100%; height: 44px; border: 0; border-radius: 6px;
          background: var(--accent); color: var(--on-accent);
          font: inherit; font-weight: 600; cursor: pointer;
        }
        :focus-visible { outline: 2px solid var(--accent);
          outline-offset: 2px; }
        """
}
