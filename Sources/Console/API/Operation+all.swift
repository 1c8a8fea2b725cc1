import Simulator
import Traffic
import Web

/// OpenAPI operations, in the order of `API.routes`.
extension Operation {
    static let health = Operation(
        "health", "Whether Foyer is alive; needs no key.",
        responses: [
            ResponseSpec(
                200, "Alive.",
                schema: Schema.object([("status", Schema.string), ("version", Schema.string)]))
        ])

    // MARK: Apps and devices

    static let listApps = Operation(
        "listApps", "The apps, broken ones with what is wrong.",
        responses: [ResponseSpec(200, "All.", schema: Schema.list(of: "App"))])

    static let readTransitionMap = Operation(
        "readFlow",
        """
        Which screens and ways of an app were really seen, and how often: by \
        everybody, by hand, or in a test run; count 0 was not visited.
        """,
        query: [
            Parameter("seen", Schema.string, "hand, last (the last test run) or a run's number")
        ],
        responses: [
            ResponseSpec(200, "The map.", schema: Schema.transitionMap),
            ResponseSpec(404, "No such app or run.", mediaType: "application/problem+json"),
        ])

    static let listDevices = Operation(
        "listDevices", "The workspace's devices, newest first.", query: pagingParameters,
        responses: [ResponseSpec(200, "A page.", schema: Schema.list(of: "Device"))])

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
        "createDevice", "A new simulated phone, with its cookies.",
        body: Schema.object(deviceFields, optional: Set(deviceFields.map(\.0))),
        isBodyRequired: false, responses: [ResponseSpec(201, "Made.", schema: Schema.createdDevice)]
    )

    static let currentDevice = Operation(
        "currentDevice", "The device of this cookie.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("Device"))])

    static let readDevice = Operation(
        "readDevice", "One device.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("Device"))])

    static let updateDevice = Operation(
        "updateDevice", "Changes what is given.",
        body: Schema.object(deviceFields, optional: Set(deviceFields.map(\.0))),
        responses: [ResponseSpec(200, "As it is now.", schema: Schema.reference("Device"))])

    // MARK: An app on a device

    private static let appStateResponses = [
        ResponseSpec(200, "Where it stands.", schema: Schema.reference("Situation"))
    ]

    static let readAppState = Operation(
        "readSituation", "Where an app stands on a device.", responses: appStateResponses)

    static let chooseBackend = Operation(
        "chooseBackend", "Points the app at another backend.",
        body: Schema.object(
            [
                ("backend", Schema.string), ("base", Schema.string),
                ("settings", ["type": "object", "additionalProperties": Schema.string]),
            ], optional: ["backend", "base", "settings"]), responses: appStateResponses)

    static let relaunch = Operation(
        "relaunch", "A cold start: runs the launch table.", responses: appStateResponses)

    static let readStorageItem = Operation(
        "readStorageItem", "A whole stored value; noted as an event.",
        responses: [
            ResponseSpec(
                200, "It.",
                schema: Schema.object([
                    ("key", Schema.string), ("area", Schema.nullableString),
                    ("value", Schema.string),
                ]))
        ])

    static let writeStorageItem = Operation(
        "writeStorageItem", "Writes a key the app declares.",
        body: Schema.object([("value", Schema.string)]), responses: appStateResponses)

    static let deleteStorageItem = Operation(
        "deleteStorageItem", "Forgets one key.", responses: appStateResponses)

    static let deleteStorage = Operation(
        "deleteStorage", "Forgets everything the app stored.", responses: appStateResponses)

    // MARK: Sessions

    static let listSessions = Operation(
        "listSessions", "Stored sessions, newest first.",
        query: [
            Parameter("app", Schema.string, "An app's id."),
            Parameter("device", Schema.string, "A device's id."),
            Parameter("backend", Schema.string, "A backend's id."),
            Parameter(
                "state",
                Schema.choice(Session.State.allCases.map(\.rawValue)),
                "The state now."),
            Parameter(
                "disagrees", Schema.choice(["true"]),
                "Only those last found in disagreement: \(Discrepancy.countingRule)"),
            Parameter(
                "q", Schema.string, "Words in user, device or claims, each the beginning of one."),
        ] + pagingParameters,
        responses: [ResponseSpec(200, "A page.", schema: Schema.list(of: "Session"))])

    static let readSession = Operation(
        "readSession", "One session, with what device, token and server disagree about.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("SessionDetail"))])

    static let refreshSession = Operation(
        "refreshSession", "Refreshes now.",
        responses: [
            ResponseSpec(200, "As it is now.", schema: Schema.reference("Session")),
            ResponseSpec(
                409, "It has ended, or its backend refused.", mediaType: "application/problem+json"),
        ])

    static let endSession = Operation(
        "endSession", "Signs the device out of the app.",
        responses: [
            ResponseSpec(204, "Done.", mediaType: nil),
            ResponseSpec(409, "It has ended already.", mediaType: "application/problem+json"),
        ])

    // MARK: Traffic

    static let listExchanges = Operation(
        "listExchanges", "Recorded exchanges, newest first.",
        query: [
            Parameter("app", Schema.string, "An app's id."),
            Parameter("device", Schema.string, "A device's id."),
            Parameter("call", Schema.string, "A call's name."),
            Parameter(
                "cause", Schema.choice(ExchangeContext.Cause.allCases.map(\.rawValue)),
                "Why it was sent."),
            Parameter(
                "status", Schema.string, "401, 4xx, refused (400 and above) or none (no answer)."),
            Parameter("condition", Schema.choice(["struck"]), "Only those a condition struck."),
            Parameter(
                "token", Schema.choice(["yes", "no"]), "Whether a token went or came with it."),
            Parameter("since", Schema.time, "Sent at this time or later."),
            Parameter("until", Schema.time, "Sent at this time or earlier."),
            Parameter(
                "q", Schema.string,
                "Words in URL and bodies, each the beginning of one (auth "
                    + "finds /auth/me and not /oauth); signs alone find nothing."),
            Parameter(
                "format", Schema.choice(["json", "har"]),
                "As JSON, or the same page as an HTTP Archive, bodies "
                    + "included and tokens masked."),
        ] + pagingParameters,
        responses: [
            ResponseSpec(
                200,
                "A page. Under a filter total counts at most 10,000, of very "
                    + "many kept at most 1,000. With format=har a HAR of it, oldest first.",
                schema: [
                    "anyOf": [
                        Schema.list(of: "Exchange"), ["type": "object", "required": ["log"]],
                    ]
                ])
        ])

    static let clearExchanges = Operation(
        "forgetExchanges", "Forgets the recorded traffic.",
        responses: [ResponseSpec(204, "Done.", mediaType: nil)])

    static let readExchange = Operation(
        "readExchange", "One exchange in full.",
        query: [
            Parameter(
                "format", Schema.choice(["json", "curl", "har", "http"]),
                "As JSON, a cURL command, an HTTP Archive, or HTTP's text.")
        ],
        responses: [
            ResponseSpec(
                200, "It. With format=curl text/plain, with format=har a HAR.",
                schema: [
                    "anyOf": [
                        Schema.reference("ExchangeDetail"),
                        ["type": "object", "required": ["log"]],
                    ]
                ], plainTextMediaTypes: ["text/plain"])
        ])

    // MARK: Mail

    private static let mailFilters = [
        Parameter("to", Schema.string, "The whole address, in any case."),
        Parameter("app", Schema.string, "An app's id, or the contract it speaks."),
        Parameter("purpose", Schema.string, "verify, reset, login …"),
    ]

    static let listMail = Operation(
        "listMail", "Caught mail, newest first.", query: mailFilters + pagingParameters,
        responses: [ResponseSpec(200, "A page.", schema: Schema.list(of: "Mail"))])

    static let clearMail = Operation(
        "forgetMail", "Empties the mailbox.",
        responses: [ResponseSpec(204, "Done.", mediaType: nil)])

    static let waitForMail = Operation(
        "waitForMail", "Blocks until such a mail is there.",
        query: mailFilters + [
            Parameter(
                "since", Schema.time, "Sent at or after this time, by the workspace's clock."),
            Parameter("timeout", ["type": "number", "minimum": 0, "maximum": 60], "Seconds."),
        ],
        responses: [
            ResponseSpec(200, "It.", schema: Schema.reference("MailDetail")),
            ResponseSpec(408, "None came; detail says why.", mediaType: "application/problem+json"),
        ])

    static let readMail = Operation(
        "readMail", "One mail with text and HTML.",
        responses: [ResponseSpec(200, "It.", schema: Schema.reference("MailDetail"))])

    // MARK: The workspace

    static let streamEvents = Operation(
        "events", "The timeline as server-sent events.",
        query: [
            Parameter(
                "after", ["type": "integer", "minimum": 0],
                "Resume after this id; 0 replays what is kept.")
        ],
        responses: [
            ResponseSpec(
                200,
                "Events as they happen. A mail is told of before the call it "
                    + "was sent or used for has ended, so it names no cause: "
                    + "that exchange.ended bears the same facts.request.",
                mediaType: "text/event-stream"
            )
        ])

    static let reset = Operation(
        "reset", "Empties this workspace.", responses: [ResponseSpec(204, "Done.", mediaType: nil)])

    static let pagingParameters = [
        Parameter("after", Schema.string, "\"next\" of the page before."),
        Parameter(
            "limit", ["type": "integer", "minimum": 1, "maximum": 500],
            "Items of a page; 50 without it."),
    ]
}
