import Core
import FoundationEssentials
import Traffic
import Web

/// The filters of a list of requests, as URL parameters.
extension ExchangeQuery {
    static let parameterNames = [
        "app", "device", "call", "cause", "status", "fault", "token", "since", "until", "q",
    ]

    /// Reads a list's filters from the URL of the API or the page.
    init(_ context: RequestContext, workspace: String, otherParameters: [String]) throws(Problem) {
        let queryParameters = try context.query(allowing: Self.parameterNames + otherParameters)
        self.init(workspace: workspace)
        app = queryParameters["app"]
        device = queryParameters["device"]
        call = queryParameters["call"]
        text = queryParameters["q"]?.nonEmpty
        if let word = queryParameters["fault"] {
            guard word == "applied" else { throw Problem.badParameter("fault", "must be applied") }
            onlyFaulted = true
        }
        status = try queryParameters["status"].map(Self.parseStatusFilter)
        hasToken = try queryParameters["token"].map(Self.parseYesNo)
        from = try Self.parseTime("since", queryParameters["since"])
        until = try Self.parseTime("until", queryParameters["until"])
        cause = try ExchangeContext.Cause.queryValue("cause", in: queryParameters)
    }

    private static func parseYesNo(_ word: String) throws(Problem) -> Bool {
        switch word {
        case "yes": return true
        case "no": return false
        default: throw Problem.badParameter("token", "must be yes or no")
        }
    }

    private static func parseTime(_ name: String, _ text: String?) throws(Problem) -> Date? {
        guard let text else { return nil }
        guard let date = Date(iso8601: text) else {
            throw Problem.badParameter(name, "must be a time such as 2026-11-21T14:35:15Z")
        }
        return date
    }

    /// `401`, `4xx`, `failed` (no response) or `error` (400 and above).
    private static func parseStatusFilter(_ word: String) throws(Problem)
        -> ExchangeQuery.StatusFilter
    {
        switch word {
        case "failed": return .noResponse
        case "error": return .httpError
        case "2xx": return .statusClass(2)
        case "3xx": return .statusClass(3)
        case "4xx": return .statusClass(4)
        case "5xx": return .statusClass(5)
        default:
            guard let status = Int(word), (100...599).contains(status) else {
                throw Problem.badParameter(
                    "status", "must be 401, 4xx, error (400 and above) or failed (no response)")
            }
            return .exact(status)
        }
    }
}
