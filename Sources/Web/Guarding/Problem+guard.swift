/// What the guard says to those it does not let in.
extension Problem {
    static let keyNeeded = Problem(
        status: 401, code: "key-needed", title: "The console's key is needed",
        detail: """
            Open the address with ?key=… that was printed at start, or send \
            Authorization: Bearer <key>.
            """,
        headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let wrongKey = Problem(
        status: 401, code: "wrong-key", title: "This is not the console's key",
        detail: """
            The key is in the address that was printed at start, and in the \
            file console.key of the data folder.
            """,
        headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let staleForm = Problem(
        status: 403, code: "stale-form",
        title: "This form is not from here, or is too old",
        detail: """
            Its csrf field does not fit this browser. Reload the page and \
            send it again; nothing was done.
            """)
}
