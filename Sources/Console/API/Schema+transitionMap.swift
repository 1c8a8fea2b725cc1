import Web

/// Schema of an app's transition counts.
extension Schema {
    private static let testRun = object([
        ("number", integer), ("name", string), ("startedAt", time), ("lastAt", time),
        ("workspaces", integer),
    ])

    static let transitionMap = object([
        ("app", string), ("run", nullable(testRun)),
        ("screens", array(object([("id", string), ("count", integer)]))),
        (
            "ways",
            array(
                object([
                    ("from", string), ("to", string), ("labels", array(string)), ("told", bool),
                    ("count", integer),
                ]))
        ),
    ])
}
