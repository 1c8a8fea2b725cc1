import Core
import FoundationEssentials
import Traffic
import Web

/// `/api/exchanges`: recorded requests and their responses.
struct ExchangesAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    private static let filters = [
        "app", "device", "call", "cause", "status", "fault", "token", "since", "until", "q",
    ]

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let others = Paging.parameterNames + ["format"]
        let paging = try Paging(context, otherParameters: Self.filters + ["format"])
        var query = try Self.query(
            context, workspace: try scopeResolver.workspace(of: context), otherParameters: others)
        query.limit = paging.limit
        query.before = try paging.sequence()
        switch try context.query(allowing: Self.filters + others)["format"] {
        case nil, "json": break
        case "har": return .json(try await services.harArchive(query))
        case .some: throw Problem.badParameter("format", "must be json or har")
        }
        let page = try await services.exchanges.list(query)
        return .json(
            Paging.list(
                total: page.total, isExact: page.totalIsExact, page.items.map(\.json),
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    /// Returns one exchange as JSON, a cURL command, raw HTTP or an HTTP Archive.
    @Sendable func read(_ context: RequestContext) async throws -> Response {
        let format = try context.query(allowing: ["format"])["format"]
        let detail = try await services.exchange(of: context, scopeResolver)
        switch format {
        case nil, "json": return .json(detail.json(try await services.rejection(of: detail)))
        case "curl":
            return Response(
                status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: .bytes(Array((Curl.command(detail) + "\n").utf8)))
        case "http": return .plainText(RawHTTP.text(detail))
        case "har": return .json(HAR.archive([detail], version: services.version))
        case .some: throw Problem.badParameter("format", "must be json, curl, har or http")
        }
    }

    @Sendable func clear(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        _ = try await services.exchanges.clear(workspace: workspace)
        services.hub.publish(
            EventDraft(
                workspace: workspace, kind: .exchangesCleared, title: "Traffic cleared"
            ))
        return .noContent
    }

    /// Parses a list's filters, for the API and the page.
    static func query(
        _ context: RequestContext, workspace: String,
        otherParameters: [String] = Paging.parameterNames
    )
        throws(Problem) -> ExchangeQuery
    {
        let queryParameters = try context.query(allowing: filters + otherParameters)
        var query = ExchangeQuery(workspace: workspace)
        query.app = queryParameters["app"]
        query.device = queryParameters["device"]
        query.call = queryParameters["call"]
        query.text = queryParameters["q"]?.nonEmpty
        if let word = queryParameters["fault"] {
            guard word == "applied" else { throw Problem.badParameter("fault", "must be applied") }
            query.onlyFaulted = true
        }
        query.status = try queryParameters["status"].map(parseStatusFilter)
        query.hasToken = try queryParameters["token"].map(parseYesNo)
        query.from = try parseTime("since", queryParameters["since"])
        query.until = try parseTime("until", queryParameters["until"])
        query.cause = try ExchangeContext.Cause.queryValue("cause", in: queryParameters)
        return query
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
