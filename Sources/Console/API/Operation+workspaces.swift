import Web
import Workspaces

/// OpenAPI operations for workspaces and their leases.
extension Operation {
    static let listWorkspaces = Operation(
        "listWorkspaces", "Lists the workspaces, newest first.", query: pagingParameters,
        responses: [
            ResponseSpec(200, "The list of workspaces.", schema: Schema.list(of: "Workspace"))
        ])

    private static let leaseFields: [(String, JSON)] = [
        ("label", Schema.string), ("ttl", Schema.number),
    ]

    static let leaseWorkspace = Operation(
        "leaseWorkspace",
        """
        Creates an isolated workspace with a device, and returns the cookies to \
        use it. It expires after ttl seconds, 3600 by default. Its screens count \
        for the test run named by run, which ends when all its workspaces are \
        closed and it was idle for a minute; newRun starts another. The response \
        has the run's number.
        """,
        body: Schema.object(
            leaseFields + [("run", Schema.string), ("newRun", Schema.bool), ("seed", Schema.seed)],
            optional: Set(leaseFields.map(\.0) + ["run", "newRun", "seed"])), isBodyRequired: false,
        responses: [
            ResponseSpec(201, "The new workspace.", schema: Schema.reference("LeasedWorkspace")),
            ResponseSpec(
                409, "The app did not sign in the seed's user.",
                mediaType: "application/problem+json"),
        ])

    static let readWorkspace = Operation(
        "readWorkspace", "Returns one workspace.",
        responses: [ResponseSpec(200, "The workspace.", schema: Schema.reference("Workspace"))])

    static let extendWorkspace = Operation(
        "extendWorkspace", "Extends a lease to ttl seconds from now, or renames the workspace.",
        body: Schema.object(leaseFields, optional: Set(leaseFields.map(\.0))),
        responses: [
            ResponseSpec(200, "The updated workspace.", schema: Schema.reference("Workspace")),
            ResponseSpec(
                409, "The workspace main is permanent.", mediaType: "application/problem+json"),
        ])

    static let deleteWorkspace = Operation(
        "deleteWorkspace", "Deletes a workspace and its contents.",
        responses: [
            ResponseSpec(204, "The workspace was deleted.", mediaType: nil),
            ResponseSpec(
                409, "The workspace main is permanent.", mediaType: "application/problem+json"),
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
