import Web

/// OpenAPI operations for the workspace's clock.
extension Operation {
    static let readClock = Operation(
        "readClock", "What time it is in this workspace.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("Clock"))])

    static let setClock = Operation(
        "setClock",
        """
        Moves or freezes the workspace's clock: tokens, codes, rate limits and \
        countdowns go by it. One of offset, advance and at.
        """,
        body: Schema.object(
            [
                ("offset", Schema.number), ("advance", Schema.number), ("at", Schema.time),
                ("freeze", Schema.bool),
            ], optional: ["offset", "advance", "at", "freeze"]),
        responses: [ResponseSpec(200, "As it is now.", schema: Schema.reference("Clock"))])
}

extension Schema {
    /// `offset` is in seconds; `note` names the backends whose clocks do not follow.
    static let clock = object([
        ("now", time), ("real", time), ("offset", number), ("frozen", bool),
        ("note", nullableString),
    ])
}
