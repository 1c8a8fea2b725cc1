/// The guard's rejections.
extension Problem {
    package static let keyRequired = Problem(
        status: 401, code: "key-needed", title: "Unauthorized",
        detail: """
            Open the URL with ?key=… printed at start, or send Authorization: Bearer <key>.
            """, headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let invalidKey = Problem(
        status: 401, code: "wrong-key", title: "Invalid key",
        detail: """
            The key is in the URL printed at start and in the file console.key of the data folder.
            """, headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let tooManyFailedAttempts = Problem(
        status: 429, code: "too-many-guesses", title: "Too many invalid keys",
        detail: """
            Keys are not checked while too many attempts fail. Try again in a \
            moment; signed-in browsers still work.
            """, headers: ["Retry-After": "1"])

    static let proxyKeyRequired = Problem(
        status: 401, code: "key-needed", title: "Unauthorized",
        detail: """
            From another machine, send X-Foyer-Key: <key>, or use the URL \
            that the app's studio shows there.
            """)

    static let keyWouldLeak = Problem(
        status: 400, code: "key-in-proxied-request", title: "This would leak the console's key",
        detail: """
            Headers and query are forwarded to the app's backend. Send the \
            key as X-Foyer-Key, or not at all.
            """)

    static let proxyFromWebPage = Problem(
        status: 403, code: "cross-site", title: "Web pages cannot use the proxy",
        detail: """
            This URL is for apps and scripts. The request comes from a page of another origin, or \
            requests a script, an image or a frame.
            """)

    static let invalidCSRFToken = Problem(
        status: 403, code: "stale-form", title: "Invalid or expired form",
        detail: """
            Its csrf field does not match this browser. Reload the page and \
            submit it again. No changes were made.
            """)
}
