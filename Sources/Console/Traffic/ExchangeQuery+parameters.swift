import Core
import FoundationEssentials
import Traffic
import Web

/// The filters of a list of requests, as URL parameters of the API and the page.
extension ExchangeQuery {
    /// A query whose workspace is not set.
    init(_ query: inout QueryReader) {
        self.init(workspace: "")
        app = query.string("app", "An app's id.")
        device = query.string("device", "A device's id.")
        call = query.string("call", "A call's name.")
        cause = query.choice("cause", "What initiated it.", of: ExchangeContext.Cause.self)
        status = query.value(
            "status", "401, 4xx, error (400 and above) or failed (no response).",
            schema: Schema.string,
            rule: "must be 401, 4xx, error (400 and above) or failed (no response)",
            convert: Self.statusFilter)
        let fault = query.choice("fault", "Only those affected by a fault.", among: ["applied"])
        onlyFaulted = fault != nil
        hasToken = query.choice(
            "token", "Whether the request or the response has a token.", among: ["yes", "no"]
        ).map { $0 == "yes" }
        from = query.time("since", "Sent at this time or later.")
        until = query.time("until", "Sent at this time or earlier.")
        text =
            query.string(
                "q",
                "Words in URL and bodies, each a prefix (auth matches /auth/me, "
                    + "not /oauth). Punctuation alone matches nothing.")?.nonEmpty
    }

    /// Reads the filters of a page, whose names were already checked.
    init(_ parameters: [String: String], workspace: String) throws(Problem) {
        var reader = QueryReader(parameters)
        self.init(&reader)
        try reader.finish()
        self.workspace = workspace
    }

    /// `401`, `4xx`, `failed` (no response) or `error` (400 and above).
    private static func statusFilter(_ word: String) -> StatusFilter? {
        switch word {
        case "failed": return .noResponse
        case "error": return .httpError
        case "2xx": return .statusClass(2)
        case "3xx": return .statusClass(3)
        case "4xx": return .statusClass(4)
        case "5xx": return .statusClass(5)
        default: return Int(word).flatMap { (100...599).contains($0) ? .exact($0) : nil }
        }
    }
}
