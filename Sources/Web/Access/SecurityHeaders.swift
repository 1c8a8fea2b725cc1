/// Default security headers, added to every response that does not set them itself.
package enum SecurityHeaders {
    private static let fields: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Adds the missing headers; `pagePolicy` is the policy of a page that has none.
    package static func add(to response: inout Response, pagePolicy: @autoclosure () -> String) {
        let policy = "Content-Security-Policy"
        if response.headers[policy] == nil {
            let isPage = response.headers["Content-Type"]?.hasPrefix("text/html") ?? false
            response.headers.add(policy, isPage ? pagePolicy() : ContentSecurityPolicy.nonPage)
        }
        for (name, value) in fields where response.headers[name] == nil {
            response.headers.add(name, value)
        }
    }
}

/// Policies for what a page may load, run and send (Content Security Policy Level 3).
///
/// Scripts are allowed by exact URL: the console's own scripts, app files and backend responses
/// share one origin, so `'self'` would allow all three. A source without a scheme matches the
/// scheme of the page. The grammar has no IPv6 addresses; for those `'self'` is the only possible
/// source.
package enum ContentSecurityPolicy {
    /// Policy of a console page served at `host`, which may run `scripts` (paths) and frame pages of
    /// `frames` (origins). For a nil `host` (not an allowed name) no script runs.
    package static func consolePage(at host: String?, scripts: [String], frames: [String] = [])
        -> String
    {
        let allowed = Set(host.map { host in scripts.map { source($0, at: host) } } ?? [])
        let sources = allowed.isEmpty ? ["'none'"] : allowed.sorted()
        return """
            default-src 'none'; script-src \(sources.joined(separator: " ")); style-src 'self'; \
            img-src 'self' data:; font-src 'self'; connect-src 'self'; \
            frame-src \((["'self'"] + frames).joined(separator: " ")); form-action 'self'; base-uri 'none'; frame-ancestors 'self'
            """
    }

    /// Policy of an app screen, whose template comes from the app: it runs only `script`, loads
    /// only from `files`, sends only to addresses below `start`, and embeds no page.
    ///
    /// In a frame the sandbox keeps it from replacing the embedding page. It keeps the console's
    /// origin, because its forms would otherwise not carry the session cookie.
    package static func appScreen(
        at host: String, script: String, files: String, formRoot start: String, isFramed: Bool
    ) -> String {
        let files = source(files, at: host)
        let start = source(start, at: host)
        let policy = """
            default-src 'none'; script-src \(source(script, at: host)); style-src \(files); \
            img-src \(files) data:; font-src \(files); connect-src \(files) \(start); form-action \
            \(start); base-uri 'none'; frame-ancestors 'self'
            """
        return isFramed
            ? policy + """
                ; sandbox allow-scripts allow-same-origin allow-forms \
                allow-popups allow-popups-to-escape-sandbox
                """ : policy
    }

    /// Policy of a response that is not a page.
    package static let nonPage =
        "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

    /// Policy of an app file: an SVG opened as a page runs nothing and gets an opaque origin.
    package static let appFile = """
        default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'self'; sandbox
        """

    private static func source(_ path: String, at host: String) -> String {
        host.hasPrefix("[") ? "'self'" : host + path
    }
}
