import Inspection
import Simulator
import Traffic
import Web

/// OpenAPI operations, in the order of `API.routes`.
extension Operation {
    static let health = Operation(
        "health", "Reports whether Foyer is running. Requires no key.",
        responses: [
            ResponseSpec(
                200, "Foyer is running.",
                schema: Schema.object([("status", Schema.string), ("version", Schema.string)]))
        ])

    // MARK: Apps and devices

    static let listApps = Operation(
        "listApps", "Lists the apps. An app with an invalid manifest has its errors.",
        responses: [ResponseSpec(200, "The list of apps.", schema: Schema.list(of: "App"))])

    static let readTransitionMap = Operation(
        "readMap",
        """
        Counts visits to an app's screens and transitions: in total, manual \
        ones, or those of a test run. A count of 0 means not covered.
        """,
        query: [
            Parameter("run", Schema.string, "manual, last (the last test run) or a run's number.")
        ],
        responses: [
            ResponseSpec(200, "The map.", schema: Schema.transitionMap),
            ResponseSpec(404, "Unknown app or run.", mediaType: "application/problem+json"),
        ])

    static let listDevices = Operation(
        "listDevices", "Lists the workspace's devices, newest first.", query: pagingParameters,
        responses: [ResponseSpec(200, "The list of devices.", schema: Schema.list(of: "Device"))])

    private static let deviceFields: [(String, JSON)] =
        [
            ("label", Schema.string),
            ("build", Schema.choice(Device.Build.allCases.map(\.rawValue))),
            (
                "biometrics",
                [
                    "anyOf": [
                        Schema.choice(Device.Biometrics.Kind.allCases.map(\.rawValue)),
                        [
                            "type": "object", "properties": Schema.biometrics["properties"] ?? [:],
                            "additionalProperties": false,
                        ],
                    ]
                ]
            ),
        ] + Schema.displayMembers

    static let createDevice = Operation(
        "createDevice", "Creates a simulated phone and returns its cookies.",
        body: Schema.object(deviceFields, optional: Set(deviceFields.map(\.0))),
        isBodyRequired: false,
        responses: [ResponseSpec(201, "The new device.", schema: Schema.createdDevice)]
    )

    static let currentDevice = Operation(
        "currentDevice", "Returns the device of the request's cookie or header.",
        responses: [ResponseSpec(200, "The device.", schema: Schema.reference("Device"))])

    static let readDevice = Operation(
        "readDevice", "Returns one device.",
        responses: [ResponseSpec(200, "The device.", schema: Schema.reference("Device"))])

    static let updateDevice = Operation(
        "updateDevice", "Changes a device.",
        body: Schema.object(deviceFields, optional: Set(deviceFields.map(\.0))),
        responses: [ResponseSpec(200, "The updated device.", schema: Schema.reference("Device"))])

    // MARK: An app on a device

    private static let appStateResponses = [
        ResponseSpec(200, "The app's state.", schema: Schema.reference("AppState"))
    ]

    static let readAppState = Operation(
        "readAppState", "Returns an app's state on a device.", responses: appStateResponses)

    static let chooseBackend = Operation(
        "chooseBackend", "Selects the app's backend, its base URL and settings.",
        body: Schema.object(
            [
                ("backend", Schema.string), ("base", Schema.string),
                ("settings", ["type": "object", "additionalProperties": Schema.string]),
            ], optional: ["backend", "base", "settings"]), responses: appStateResponses)

    static let relaunch = Operation(
        "relaunch", "Restarts the app and runs its launch table.", responses: appStateResponses)

    static let readStorageItem = Operation(
        "readStorageItem", "Returns an unmasked stored value and logs an event.",
        responses: [
            ResponseSpec(
                200, "The stored value.",
                schema: Schema.object([
                    ("key", Schema.string), ("area", Schema.nullableString),
                    ("value", Schema.string),
                ]))
        ])

    static let writeStorageItem = Operation(
        "writeStorageItem", "Sets the value of a key that the app declares.",
        body: Schema.object([("value", Schema.string)]), responses: appStateResponses)

    static let deleteStorageItem = Operation(
        "deleteStorageItem", "Deletes one key.", responses: appStateResponses)

    static let deleteStorage = Operation(
        "deleteStorage", "Clears the app's data.", responses: appStateResponses)

    // MARK: Sessions

    static let listSessions = Operation(
        "listSessions", "Lists sessions, newest first.",
        query: [
            Parameter("app", Schema.string, "An app's id."),
            Parameter("device", Schema.string, "A device's id."),
            Parameter("backend", Schema.string, "A backend's id."),
            Parameter(
                "state",
                Schema.choice(Session.State.allCases.map(\.rawValue)),
                "The current state."),
            Parameter(
                "outOfSync", Schema.choice(["true"]),
                "Only sessions with mismatches at their last check: \(Discrepancy.countingRule)"),
            Parameter(
                "q", Schema.string, "Words in user, device or claims, each a prefix."),
        ] + pagingParameters,
        responses: [ResponseSpec(200, "The list of sessions.", schema: Schema.list(of: "Session"))])

    static let readSession = Operation(
        "readSession", "Returns one session, with the mismatches between device, token and server.",
        responses: [ResponseSpec(200, "The session.", schema: Schema.reference("SessionDetail"))])

    static let refreshSession = Operation(
        "refreshSession", "Refreshes a session's tokens.",
        responses: [
            ResponseSpec(200, "The refreshed session.", schema: Schema.reference("Session")),
            ResponseSpec(
                409, "The session has ended, or the backend rejected the refresh.",
                mediaType: "application/problem+json"),
        ])

    static let endSession = Operation(
        "endSession", "Signs the device out of the app.",
        responses: [
            ResponseSpec(204, "The device was signed out.", mediaType: nil),
            ResponseSpec(
                409, "The session has already ended.", mediaType: "application/problem+json"),
        ])

    // MARK: Traffic

    static let listExchanges = Operation(
        "listExchanges", "Lists recorded requests and their responses, newest first.",
        query: [
            Parameter("app", Schema.string, "An app's id."),
            Parameter("device", Schema.string, "A device's id."),
            Parameter("call", Schema.string, "A call's name."),
            Parameter(
                "cause", Schema.choice(ExchangeContext.Cause.allCases.map(\.rawValue)),
                "What initiated it."),
            Parameter(
                "status", Schema.string, "401, 4xx, error (400 and above) or failed (no response)."),
            Parameter("fault", Schema.choice(["applied"]), "Only those affected by a fault."),
            Parameter(
                "token", Schema.choice(["yes", "no"]),
                "Whether the request or the response has a token."),
            Parameter("since", Schema.time, "Sent at this time or later."),
            Parameter("until", Schema.time, "Sent at this time or earlier."),
            Parameter(
                "q", Schema.string,
                "Words in URL and bodies, each a prefix (auth matches /auth/me, "
                    + "not /oauth). Punctuation alone matches nothing."),
            Parameter(
                "format", Schema.choice(["json", "har"]),
                "JSON, or a HAR of the same page with bodies and masked tokens."),
        ] + pagingParameters,
        responses: [
            ResponseSpec(
                200,
                "The list of exchanges. With a filter, total is at most 10,000, or "
                    + "1,000 if very many are stored. With format=har, a HAR, oldest first.",
                schema: [
                    "anyOf": [
                        Schema.list(of: "Exchange"), ["type": "object", "required": ["log"]],
                    ]
                ])
        ])

    static let clearExchanges = Operation(
        "clearExchanges", "Deletes the recorded traffic.",
        responses: [ResponseSpec(204, "The recorded traffic was deleted.", mediaType: nil)])

    static let readExchange = Operation(
        "readExchange", "Returns one request and its response in full.",
        query: [
            Parameter(
                "format", Schema.choice(["json", "curl", "har", "http"]),
                "JSON, a cURL command, a HAR or raw HTTP.")
        ],
        responses: [
            ResponseSpec(
                200, "The exchange in the requested format.",
                schema: [
                    "anyOf": [
                        Schema.reference("ExchangeDetail"),
                        ["type": "object", "required": ["log"]],
                    ]
                ], plainTextMediaTypes: ["text/plain"])
        ])

    // MARK: Mail

    private static let mailFilters = [
        Parameter("to", Schema.string, "The recipient's full address, case-insensitive."),
        Parameter("app", Schema.string, "An app's id, or its contract's."),
        Parameter("purpose", Schema.string, "The purpose: verify, reset, login …"),
    ]

    static let listMail = Operation(
        "listMail", "Lists messages, newest first.", query: mailFilters + pagingParameters,
        responses: [ResponseSpec(200, "The list of messages.", schema: Schema.list(of: "Mail"))])

    static let clearMail = Operation(
        "clearMail", "Deletes all messages.",
        responses: [ResponseSpec(204, "All messages were deleted.", mediaType: nil)])

    static let waitForMail = Operation(
        "waitForMail", "Waits for a matching message.",
        query: mailFilters + [
            Parameter(
                "since", Schema.time, "Sent at or after this time, by the workspace's clock."),
            Parameter(
                "timeout", ["type": "number", "minimum": 0, "maximum": 60],
                "The longest wait in seconds; 10 by default."),
        ],
        responses: [
            ResponseSpec(200, "The message.", schema: Schema.reference("MailDetail")),
            ResponseSpec(
                408, "No matching message; detail has the reason.",
                mediaType: "application/problem+json"),
        ])

    static let readMail = Operation(
        "readMail", "Returns one message with text and HTML.",
        responses: [ResponseSpec(200, "The message.", schema: Schema.reference("MailDetail"))])

    // MARK: The workspace

    static let streamEvents = Operation(
        "streamEvents", "Streams the timeline as server-sent events.",
        query: [
            Parameter(
                "after", ["type": "integer", "minimum": 0],
                "Resume after this event id; 0 replays all stored events.")
        ],
        responses: [
            ResponseSpec(
                200,
                "Events as they happen. A mail event comes before the end of the "
                    + "request that sent or used the mail, so it has no cause: that "
                    + "exchange.ended has the same facts.request.",
                mediaType: "text/event-stream"
            )
        ])

    static let reset = Operation(
        "reset", "Resets the workspace.",
        responses: [ResponseSpec(204, "The workspace was reset.", mediaType: nil)])

    static let pagingParameters = [
        Parameter("after", Schema.string, "\"next\" of the previous page."),
        Parameter(
            "limit", ["type": "integer", "minimum": 1, "maximum": 500],
            "Page size; 50 by default."),
    ]
}
