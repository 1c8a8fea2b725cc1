import Web

/// OpenAPI operations for workspaces and their leases.
extension Operation {
    static let listWorkspaces = Operation(
        "listWorkspaces", "The workspaces there are, newest first.", query: pagingParameters,
        responses: [ResponseSpec(200, "A page.", schema: Schema.list(of: "Workspace"))])

    private static let leaseFields: [(String, JSON)] = [
        ("label", Schema.string), ("ttl", Schema.number),
    ]

    static let leaseWorkspace = Operation(
        "leaseWorkspace",
        """
        A world of one's own with a device in it, and the cookies to enter it \
        by; gone after ttl seconds, an hour without it. What it shows counts \
        for the test run of the name in run, which is over once none of its \
        workspaces is open and nothing was done in it for a minute; newRun \
        begins another. The run's number is answered.
        """,
        body: Schema.object(
            leaseFields + [("run", Schema.string), ("newRun", Schema.bool), ("seed", Schema.seed)],
            optional: Set(leaseFields.map(\.0) + ["run", "newRun", "seed"])), isBodyRequired: false,
        responses: [
            ResponseSpec(201, "Made.", schema: Schema.reference("LeasedWorkspace")),
            ResponseSpec(
                409, "The app did not sign the seed's person in.",
                mediaType: "application/problem+json"),
        ])

    static let readWorkspace = Operation(
        "readWorkspace", "One workspace.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("Workspace"))])

    static let extendWorkspace = Operation(
        "extendWorkspace", "Leases it for ttl seconds from now, or calls it another name.",
        body: Schema.object(leaseFields, optional: Set(leaseFields.map(\.0))),
        responses: [
            ResponseSpec(200, "As it is now.", schema: Schema.reference("Workspace")),
            ResponseSpec(409, "The workspace main stays.", mediaType: "application/problem+json"),
        ])

    static let deleteWorkspace = Operation(
        "dropWorkspace", "Ends its lease: everything in it is forgotten.",
        responses: [
            ResponseSpec(204, "Gone.", mediaType: nil),
            ResponseSpec(409, "The workspace main stays.", mediaType: "application/problem+json"),
        ])
}

extension Schema {
    private static let workspaceMembers: [(String, JSON)] = [
        ("id", string), ("label", string), ("createdAt", nullableTime),
        ("expiresAt", nullableTime),
        (
            "clock",
            object([("now", time), ("offset", number), ("frozen", bool)])
        ),
    ]

    static let workspace = object(workspaceMembers)

    static let leasedWorkspace = object(
        workspaceMembers + [
            ("device", string),
            (
                "storageState",
                object([
                    ("cookies", array(storageStateCookie)), ("origins", array(["type": "object"])),
                ])
            ), ("backendBase", ["type": "object", "additionalProperties": string]),
            ("mailbox", string),
            (
                "user",
                [
                    "anyOf": [
                        object([
                            ("id", nullableString), ("email", nullableString),
                            ("password", nullableString),
                        ]), ["type": "null"],
                    ]
                ]
            ), ("session", nullableString), ("run", integer),
        ])

    /// The account that a leased workspace starts with.
    static let seed = object(
        [
            ("app", string),
            (
                "user",
                object(
                    [("email", string), ("password", string), ("displayName", string)],
                    optional: ["email", "password", "displayName"])
            ), ("state", choice(Seed.State.allCases.map(\.rawValue))), ("accessTokenTTL", integer),
        ], optional: ["user", "state", "accessTokenTTL"])

    /// A cookie in the format of Playwright's `storageState`.
    static let storageStateCookie = object([
        ("name", string), ("value", string), ("domain", string),
        ("path", string), ("expires", integer), ("httpOnly", bool),
        ("secure", bool), ("sameSite", string),
    ])
}
