import Simulator
import Traffic
import Web

/// What OpenAPI says of each call, in the order of `API.routes`.
extension Operation {
    static let health = Operation(
        "health", "Whether Foyer is alive; needs no key.",
        answers: [
            Answer(
                200, "Alive.",
                schema: Schema.object([("status", Schema.string), ("version", Schema.string)]))
        ])

    // MARK: Apps and devices

    static let listApps = Operation(
        "listApps", "The apps, broken ones with what is wrong.",
        answers: [Answer(200, "All.", schema: Schema.list(of: "App"))])

    static let readFlow = Operation(
        "readFlow",
        """
        Which screens and ways of an app were really seen, and how often: by \
        everybody, by hand, or in a test run; count 0 was not visited.
        """,
        query: [
            Parameter("seen", Schema.string, "hand, last (the last test run) or a run's number")
        ],
        answers: [
            Answer(200, "The map.", schema: Schema.flow),
            Answer(404, "No such app or run.", type: "application/problem+json"),
        ])

    static let listDevices = Operation(
        "listDevices", "The workspace's devices, newest first.", query: paging,
        answers: [Answer(200, "A page.", schema: Schema.list(of: "Device"))])

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
        ] + Schema.display

    static let createDevice = Operation(
        "createDevice", "A new simulated phone, with its cookies.",
        body: Schema.object(deviceFields, optional: Set(deviceFields.map(\.0))),
        bodyIsRequired: false, answers: [Answer(201, "Made.", schema: Schema.createdDevice)])

    static let currentDevice = Operation(
        "currentDevice", "The device of this cookie.",
        answers: [Answer(200, "It.", schema: Schema.named("Device"))])

    static let readDevice = Operation(
        "readDevice", "One device.", answers: [Answer(200, "It.", schema: Schema.named("Device"))])

    static let updateDevice = Operation(
        "updateDevice", "Changes what is given.",
        body: Schema.object(deviceFields, optional: Set(deviceFields.map(\.0))),
        answers: [Answer(200, "As it is now.", schema: Schema.named("Device"))])

    // MARK: An app on a device

    private static let situated = [
        Answer(200, "Where it stands.", schema: Schema.named("Situation"))
    ]

    static let readSituation = Operation(
        "readSituation", "Where an app stands on a device.", answers: situated)

    static let chooseBackend = Operation(
        "chooseBackend", "Points the app at another backend.",
        body: Schema.object(
            [
                ("backend", Schema.string), ("base", Schema.string),
                ("settings", ["type": "object", "additionalProperties": Schema.string]),
            ], optional: ["backend", "base", "settings"]), answers: situated)

    static let relaunch = Operation(
        "relaunch", "A cold start: runs the launch table.", answers: situated)

    static let readItem = Operation(
        "readStorageItem", "A whole stored value; noted as an event.",
        answers: [
            Answer(
                200, "It.",
                schema: Schema.object([
                    ("key", Schema.string), ("area", Schema.nullableString),
                    ("value", Schema.string),
                ]))
        ])

    static let writeItem = Operation(
        "writeStorageItem", "Writes a key the app declares.",
        body: Schema.object([("value", Schema.string)]), answers: situated)

    static let deleteItem = Operation("deleteStorageItem", "Forgets one key.", answers: situated)

    static let deleteItems = Operation(
        "deleteStorage", "Forgets everything the app stored.", answers: situated)

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
                "Only those last found in disagreement: \(Disagreement.counted)"),
            Parameter(
                "q", Schema.string, "Words in user, device or claims, each the beginning of one."),
        ] + paging, answers: [Answer(200, "A page.", schema: Schema.list(of: "Session"))])

    static let readSession = Operation(
        "readSession", "One session, with what device, token and server disagree about.",
        answers: [Answer(200, "It.", schema: Schema.named("SessionDetail"))])

    static let refreshSession = Operation(
        "refreshSession", "Refreshes now.",
        answers: [
            Answer(200, "As it is now.", schema: Schema.named("Session")),
            Answer(409, "It has ended, or its backend refused.", type: "application/problem+json"),
        ])

    static let endSession = Operation(
        "endSession", "Signs the device out of the app.",
        answers: [
            Answer(204, "Done.", type: nil),
            Answer(409, "It has ended already.", type: "application/problem+json"),
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
        ] + paging,
        answers: [
            Answer(
                200,
                "A page. Under a filter total counts at most 10,000, of very "
                    + "many kept at most 1,000. With format=har a HAR of it, oldest first.",
                schema: [
                    "anyOf": [
                        Schema.list(of: "Exchange"), ["type": "object", "required": ["log"]],
                    ]
                ])
        ])

    static let forgetExchanges = Operation(
        "forgetExchanges", "Forgets the recorded traffic.",
        answers: [Answer(204, "Done.", type: nil)])

    static let readExchange = Operation(
        "readExchange", "One exchange in full.",
        query: [
            Parameter(
                "format", Schema.choice(["json", "curl", "har", "http"]),
                "As JSON, a cURL command, an HTTP Archive, or HTTP's text.")
        ],
        answers: [
            Answer(
                200, "It. With format=curl text/plain, with format=har a HAR.",
                schema: [
                    "anyOf": [
                        Schema.named("ExchangeDetail"), ["type": "object", "required": ["log"]],
                    ]
                ], orText: ["text/plain"])
        ])

    // MARK: Mail

    private static let mailFilters = [
        Parameter("to", Schema.string, "The whole address, in any case."),
        Parameter("app", Schema.string, "An app's id, or the contract it speaks."),
        Parameter("purpose", Schema.string, "verify, reset, login …"),
    ]

    static let listMail = Operation(
        "listMail", "Caught mail, newest first.", query: mailFilters + paging,
        answers: [Answer(200, "A page.", schema: Schema.list(of: "Mail"))])

    static let forgetMail = Operation(
        "forgetMail", "Empties the mailbox.", answers: [Answer(204, "Done.", type: nil)])

    static let waitForMail = Operation(
        "waitForMail", "Blocks until such a mail is there.",
        query: mailFilters + [
            Parameter(
                "since", Schema.time, "Sent at or after this time, by the workspace's clock."),
            Parameter("timeout", ["type": "number", "minimum": 0, "maximum": 60], "Seconds."),
        ],
        answers: [
            Answer(200, "It.", schema: Schema.named("MailDetail")),
            Answer(408, "None came; detail says why.", type: "application/problem+json"),
        ])

    static let readMail = Operation(
        "readMail", "One mail with text and HTML.",
        answers: [Answer(200, "It.", schema: Schema.named("MailDetail"))])

    // MARK: The workspace

    static let events = Operation(
        "events", "The timeline as server-sent events.",
        query: [
            Parameter(
                "after", ["type": "integer", "minimum": 0],
                "Resume after this id; 0 replays what is kept.")
        ],
        answers: [
            Answer(
                200,
                "Events as they happen. A mail is told of before the call it "
                    + "was sent or used for has ended, so it names no cause: "
                    + "that exchange.ended bears the same facts.request.", type: "text/event-stream"
            )
        ])

    static let reset = Operation(
        "reset", "Empties this workspace.", answers: [Answer(204, "Done.", type: nil)])

    static let paging = [
        Parameter("after", Schema.string, "\"next\" of the page before."),
        Parameter(
            "limit", ["type": "integer", "minimum": 1, "maximum": 500],
            "Items of a page; 50 without it."),
    ]
}
