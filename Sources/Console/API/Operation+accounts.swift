import Backend
import Web

/// OpenAPI operations for the embedded backend's accounts.
extension Operation {
    static let listAccounts = Operation(
        "listAccounts",
        "The embedded backend's accounts, newest first, however they were made.",
        query: [
            Parameter("app", Schema.string, "An app, or its contract."),
            Parameter("q", Schema.string, "Part of an address, or the beginning of an id."),
            Parameter("state", Schema.accountState, "How it stands."),
            Parameter("after", Schema.string, "\"next\" of the page before."),
            Parameter(
                "limit", ["type": "integer", "minimum": 1, "maximum": 500],
                "Items of a page; 50 without it."),
        ], responses: [ResponseSpec(200, "A page.", schema: Schema.list(of: "Account"))])

    static let createAccount = Operation(
        "createAccount",
        "Adds somebody, or with count many who share one password (hashing "
            + "it is what somebody costs). What is left out is made up; a "
            + "password that was is told once, here.",
        body: Schema.object(
            [
                ("app", Schema.string), ("email", Schema.string), ("password", Schema.string),
                ("state", Schema.choice(AccountDraft.State.allCases.map(\.rawValue))),
                ("displayName", Schema.string), ("accessTokenTTL", Schema.accessTokenTTL),
                (
                    "count",
                    [
                        "type": "integer", "minimum": 1,
                        "maximum": .int(Int64(EmbeddedBackend.maxAccountsPerBatch)),
                    ]
                ), ("domain", Schema.string),
            ],
            optional: [
                "email", "password", "state", "displayName", "accessTokenTTL", "count", "domain",
            ]),
        responses: [
            ResponseSpec(
                201, "Added.",
                schema: [
                    "anyOf": [
                        Schema.object(
                            Schema.accountMembers + [("password", Schema.nullableString)]),
                        Schema.object([
                            ("made", Schema.integer), ("app", Schema.string),
                            ("firstEmail", Schema.string), ("lastEmail", Schema.string),
                            ("password", Schema.nullableString),
                        ]),
                    ]
                ])
        ])

    static let readAccount = Operation(
        "readAccount", "One account, with what can be done to it and what ends with that.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("AccountDetail"))])

    static let updateAccount = Operation(
        "updateAccount",
        "Changes what is given, all or nothing: verifies, disables, locks "
            + "(for lockSeconds, 900 without it), sets a password, signs out "
            + "everywhere. 422 names what the app's contract does not know. "
            + "accessTokenTTL null is the contract's own again.",
        body: Schema.object(
            [
                ("verified", Schema.bool), ("disabled", Schema.bool),
                ("locked", Schema.bool),
                (
                    "lockSeconds",
                    ["type": "integer", "minimum": 1, "maximum": 31_536_000]
                ),
                ("password", Schema.string), ("signOut", Schema.bool),
                ("accessTokenTTL", Schema.nullable(Schema.accessTokenTTL)),
            ],
            optional: [
                "verified", "disabled", "locked", "lockSeconds", "password", "signOut",
                "accessTokenTTL",
            ]),
        responses: [ResponseSpec(200, "As it is now.", schema: Schema.reference("AccountDetail"))])

    static let deleteAccount = Operation(
        "deleteAccount", "Deletes it with its sessions, codes and links.",
        responses: [ResponseSpec(204, "Gone.", mediaType: nil)])
}

extension Schema {
    static let accountState = choice(EmbeddedBackend.AccountDetails.State.allCases.map(\.rawValue))

    static let accessTokenTTL: JSON = ["type": "integer", "minimum": 1, "maximum": 86_400]

    static let accountMembers: [(String, JSON)] = [
        ("id", string), ("app", string), ("email", nullableString),
        ("deviceId", nullableString), ("displayName", nullableString),
        ("state", accountState), ("verifiedAt", nullableTime),
        ("disabledAt", nullableTime), ("lockedUntil", nullableTime),
        ("hasPassword", bool), ("createdAt", time),
        ("lastLoginAt", nullableTime), ("sessions", integer),
        ("accessTokenTTL", nullableInteger),
    ]

    static let account = object(accountMembers)

    static let accountDetail = object(
        accountMembers + [
            (
                "acts",
                object(
                    AdminAction.allCases.map {
                        ($0.rawValue, object([("possible", bool), ("text", string)]))
                    })
            )
        ])
}
