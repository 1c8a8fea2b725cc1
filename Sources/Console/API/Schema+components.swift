import Apps
import Inspection
import Simulator
import Traffic
import Web

extension Schema {
    /// The named schemas.
    static let components: [(String, JSON)] = [
        ("Problem", problem), ("App", app), ("Device", device),
        ("AppState", appState), ("StoredItem", storedItem),
        ("Session", session), ("SessionDetail", sessionDetail),
        ("Token", token), ("Exchange", exchange),
        ("ExchangeDetail", exchangeDetail), ("Mail", mail),
        ("MailDetail", mailDetail), ("Service", service), ("Clock", clock),
        ("Account", account), ("AccountDetail", accountDetail),
        ("Workspace", workspace), ("LeasedWorkspace", leasedWorkspace),
        ("Fault", fault), ("FaultPreset", faultPreset),
        ("Snapshot", snapshot),
    ]

    private static let problem = object(
        [
            ("type", string), ("title", string), ("status", integer),
            ("detail", string),
            (
                "errors",
                array(object([("pointer", string), ("detail", string)]))
            ),
        ], optional: ["errors"])

    private static let app = object([
        ("id", string), ("name", string), ("spec", nullableString),
        (
            "screens",
            array(
                object([
                    ("id", string), ("kind", string), ("path", string), ("states", array(string)),
                ]))
        ), ("backends", array(object([("id", string), ("base", string), ("current", bool)]))),
        ("problem", nullableString),
    ])

    static let biometrics = object([
        ("kind", choice(Device.Biometrics.Kind.allCases.map(\.rawValue))), ("enrolled", bool),
        ("next", choice(Device.Biometrics.Result.allCases.map(\.rawValue))),
    ])

    private static let deviceMembers: [(String, JSON)] =
        [
            ("id", string), ("label", string),
            ("build", choice(Device.Build.allCases.map(\.rawValue))), ("biometrics", biometrics),
        ] + displayMembers + [("createdAt", time)]

    private static let device = object(deviceMembers)

    /// Includes the cookies that select the device in a browser.
    static let createdDevice = object(deviceMembers + [("cookies", array(storageStateCookie))])

    private static let storedItem = object([
        ("area", choice(StorageKey.Area.allCases.map(\.rawValue))),
        ("key", string), ("holds", nullableString), ("masked", string),
        ("bytes", integer), ("writtenAt", time),
        ("accessible", nullableString),
    ])

    private static let appState = object([
        ("app", string), ("device", string), ("screen", string),
        ("launching", bool), ("backend", string), ("base", string),
        ("session", nullable(reference("Session"))),
        ("storage", array(reference("StoredItem"))), ("notice", nullableString),
    ])

    private static let token = object([
        ("masked", string), ("kind", choice(["jwt", "opaque"])),
        ("algorithm", nullableString), ("keyId", nullableString),
        (
            "signature",
            choice(["verified", "unverified", "invalid", "unsigned", "opaque"])
        ),
        ("issuedAt", nullableTime), ("expiresAt", nullableTime),
        ("bytes", integer), ("receivedAt", time),
        ("claims", ["type": ["object", "null"]]),
    ])

    static let session = object(sessionMembers)

    static let sessionMembers: [(String, JSON)] = [
        ("id", string), ("app", string), ("device", string),
        ("backend", string),
        (
            "user",
            object([("id", nullableString), ("email", nullableString)])
        ),
        ("state", choice(Session.State.allCases.map(\.rawValue))),
        ("createdAt", time), ("refreshedAt", nullableTime),
        ("refreshCount", integer), ("endedAt", nullableTime),
        ("accessToken", nullable(reference("Token"))),
        ("refreshToken", nullable(reference("Token"))),
        (
            "discrepancyCount",
            withDescription(integer, "Number of mismatches: \(Discrepancy.countingRule)")
        ),
    ]

    private static let exchangeMembers: [(String, JSON)] = [
        ("id", string), ("app", string), ("device", string), ("backend", string), ("call", string),
        ("cause", choice(ExchangeContext.Cause.allCases.map(\.rawValue))),
        ("causeEvent", nullableInteger), ("causeExchange", nullableString),
        ("attempt", integer), ("method", string), ("url", string),
        ("status", nullableInteger),
        (
            "failure",
            nullable(object([("kind", string), ("detail", string)]))
        ),
        ("startedAt", time),
        (
            "timings",
            object([
                ("nameLookup", nullableNumber), ("connect", nullableNumber),
                ("tls", nullableNumber), ("firstByte", nullableNumber),
                ("total", ["type": "number"]),
            ])
        ), ("requestBytes", integer), ("responseBytes", integer), ("fault", nullableString),
    ]

    private static let exchange = object(exchangeMembers)

    private static let headers = array(object([("name", string), ("value", string)]))

    private static let message = object([
        ("headers", headers), ("body", string),
        ("encoding", choice(["utf-8", "base64"])), ("bytes", integer),
        ("truncated", bool),
    ])

    private static let exchangeDetail = object(
        exchangeMembers + [
            (
                "checks",
                array(
                    object([
                        ("name", string), ("title", string),
                        ("state", choice(ExchangeCheck.State.allCases.map(\.rawValue))),
                        ("evidence", string),
                    ]))
            ),
            (
                "checksDerived",
                [
                    "type": "boolean",
                    "description":
                        "Whether Foyer inferred the checks; false if the server reported them.",
                ]
            ), ("remoteAddress", nullableString), ("request", message),
            ("response", nullable(message)),
        ])

    private static let mailMembers: [(String, JSON)] = [
        ("id", string), ("app", string), ("to", string), ("subject", string),
        ("purpose", string), ("code", nullableString),
        ("link", nullableString), ("expiresAt", nullableTime),
        ("usedAt", nullableTime), ("sentAt", time),
    ]

    private static let mail = object(mailMembers)

    private static let mailDetail = object(
        mailMembers + [("text", string), ("html", string), ("headers", headers)])
}
