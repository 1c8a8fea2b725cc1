import Backend
import Web

/// OpenAPI operations for the embedded backend's accounts.
extension Operation {
    static let listAccounts = Operation(
        "listAccounts",
        "Lists the embedded backend's accounts, newest first.",
        query: [
            Parameter("app", Schema.string, "An app's id, or its contract's."),
            Parameter("q", Schema.string, "Part of an email address, or the start of an id."),
            Parameter("state", Schema.accountState, "The account's status."),
            Parameter("after", Schema.string, "\"next\" of the previous page."),
            Parameter(
                "limit", ["type": "integer", "minimum": 1, "maximum": 500],
                "Page size; 50 by default."),
        ],
        responses: [ResponseSpec(200, "The list of accounts.", schema: Schema.list(of: "Account"))])

    static let createAccount = Operation(
        "createAccount",
        "Creates an account or, with count, several with one shared password. "
            + "Missing values are generated; a generated password is returned "
            + "only in this response.",
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
                201, "The new account, or a summary of several.",
                schema: [
                    "anyOf": [
                        Schema.object(
                            Schema.accountMembers + [("password", Schema.nullableString)]),
                        Schema.object([
                            ("created", Schema.integer), ("app", Schema.string),
                            ("firstEmail", Schema.string), ("lastEmail", Schema.string),
                            ("password", Schema.nullableString),
                        ]),
                    ]
                ])
        ])

    static let readAccount = Operation(
        "readAccount", "Returns one account, with the admin actions and their effects.",
        responses: [ResponseSpec(200, "The account.", schema: Schema.reference("AccountDetail"))])

    static let updateAccount = Operation(
        "updateAccount",
        "Applies all changes or none: verifies, disables, locks (for "
            + "lockSeconds, 900 by default), sets a password, signs out "
            + "everywhere. A 422 lists the fields that the app's contract does "
            + "not support. accessTokenTTL null restores the contract's default.",
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
        responses: [
            ResponseSpec(200, "The updated account.", schema: Schema.reference("AccountDetail"))
        ])

    static let deleteAccount = Operation(
        "deleteAccount", "Deletes an account with its sessions, codes and links.",
        responses: [ResponseSpec(204, "The account was deleted.", mediaType: nil)])
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
                "actions",
                object(
                    AdminAction.allCases.map {
                        ($0.rawValue, object([("available", bool), ("text", string)]))
                    })
            )
        ])
}
