/// What a page may load, run and send, in the words of Content Security Policy
/// Level 3.
///
/// Scripts are allowed by their exact addresses: below one origin stand the
/// console's own scripts, the files of apps and what backends answer, so
/// `'self'` would allow all three. A source without a scheme matches the
/// scheme of the page. The grammar has no IPv6 addresses; there `'self'` is
/// all that can be said.
package enum ContentSecurityPolicy {
    /// A page of the console at `host`, which may run `scripts` (paths); nil
    /// for a host that is not ours, where nothing runs.
    package static func consolePage(at host: String?, scripts: [String]) -> String {
        let allowed = Set(host.map { host in scripts.map { source($0, at: host) } } ?? [])
        let sources = allowed.isEmpty ? ["'none'"] : allowed.sorted()
        return """
            default-src 'none'; \
            script-src \(sources.joined(separator: " ")); \
            style-src 'self'; img-src 'self' data:; font-src 'self'; \
            connect-src 'self'; frame-src 'self'; form-action 'self'; \
            base-uri 'none'; frame-ancestors 'self'
            """
    }

    /// A screen of an app, whose template is the app's: it runs `script`
    /// alone, loads from `files` alone, sends to addresses below `start`
    /// alone, and shows no page within it.
    ///
    /// In a frame it is kept from replacing the page around it. The origin
    /// stays ours, or no form of it would carry the session's cookie.
    package static func appScreen(
        at host: String, script: String, files: String, formRoot start: String, isFramed: Bool
    ) -> String {
        let files = source(files, at: host)
        let start = source(start, at: host)
        let policy = """
            default-src 'none'; script-src \(source(script, at: host)); \
            style-src \(files); img-src \(files) data:; font-src \(files); \
            connect-src \(files) \(start); form-action \(start); base-uri 'none'; \
            frame-ancestors 'self'
            """
        return isFramed
            ? policy + """
                ; sandbox allow-scripts allow-same-origin allow-forms \
                allow-popups allow-popups-to-escape-sandbox
                """ : policy
    }

    /// What is no page.
    package static let nonPage = """
        default-src 'none'; form-action 'none'; base-uri 'none'; \
        frame-ancestors 'self'
        """

    /// A file of an app: a drawing opened as a page runs nothing and has an
    /// origin of its own.
    package static let appFile = """
        default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'self'; sandbox
        """

    private static func source(_ path: String, at host: String) -> String {
        host.hasPrefix("[") ? "'self'" : host + path
    }
}
