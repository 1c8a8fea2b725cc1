/// The guard's rejections.
extension Problem {
    package static let keyRequired = Problem(
        status: 401, code: "key-needed", title: "The console's key is needed",
        detail: """
            Open the address with ?key=… that was printed at start, or send \
            Authorization: Bearer <key>.
            """, headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let invalidKey = Problem(
        status: 401, code: "wrong-key", title: "This is not the console's key",
        detail: """
            The key is in the address that was printed at start, and in the \
            file console.key of the data folder.
            """, headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let tooManyFailedAttempts = Problem(
        status: 429, code: "too-many-guesses", title: "Too many wrong keys are being shown",
        detail: """
            No key is looked at while so many are guessed. Show it again in a \
            moment; a browser that has shown it already may go on.
            """, headers: ["Retry-After": "1"])

    static let proxyKeyRequired = Problem(
        status: 401, code: "key-needed", title: "The console's key is needed",
        detail: """
            Another machine sends X-Foyer-Key: <key>, or uses the address \
            that the app's studio shows there.
            """)

    static let keyWouldLeak = Problem(
        status: 400, code: "key-on-its-way", title: "This would give the console's key away",
        detail: """
            What is sent here goes on to the app's backend, its headers and \
            its query included. Send the key as X-Foyer-Key, or not at all.
            """)

    static let proxyFromWebPage = Problem(
        status: 403, code: "cross-site", title: "No web page may have calls passed through",
        detail: """
            This address is for apps and scripts. The request comes from a \
            page of another origin, or asks for a script, a picture or a \
            frame.
            """)

    static let invalidCSRFToken = Problem(
        status: 403, code: "stale-form", title: "This form is not from here, or is too old",
        detail: """
            Its csrf field does not fit this browser. Reload the page and \
            send it again; nothing was done.
            """)
}
