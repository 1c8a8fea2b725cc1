import FoundationEssentials
import Surroundings
import Traffic
import Web

/// `/api/exchanges`: what left and what came of it.
struct ExchangesAPI: Sendable {
    let services: Services
    let visitors: Visitors

    private static let filters = [
        "app", "device", "call", "cause", "status", "condition", "token", "since", "until", "q",
    ]

    @Sendable func list(_ visit: Visit) async throws -> Response {
        let others = Paging.names + ["format"]
        let paging = try Paging(visit, others: Self.filters + ["format"])
        var query = try Self.query(
            visit, workspace: try visitors.workspace(of: visit), others: others)
        query.limit = paging.limit
        query.before = try paging.sequence()
        switch try visit.query(allowing: Self.filters + others)["format"] {
        case nil, "json": break
        case "har": return .json(try await services.archive(query))
        case .some: throw Problem.badParameter("format", "can be json or har")
        }
        let page = try await services.exchanges.list(query)
        return .json(
            Paging.list(
                total: page.total, isWhole: page.totalIsWhole, page.items.map(\.json),
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    /// One in full, as a cURL command or as an HTTP Archive.
    @Sendable func read(_ visit: Visit) async throws -> Response {
        let format = try visit.query(allowing: ["format"])["format"]
        let detail = try await services.exchange(of: visit, visitors)
        switch format {
        case nil, "json": return .json(detail.json(try await services.refusal(of: detail)))
        case "curl":
            return Response(
                status: 200, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: .bytes(Array((Curl.command(detail) + "\n").utf8)))
        case "http": return .plain(RawHTTP.text(detail))
        case "har": return .json(HAR.archive([detail], version: services.version))
        case .some: throw Problem.badParameter("format", "can be json, curl, har or http")
        }
    }

    @Sendable func forget(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        _ = try await services.exchanges.forget(workspace: workspace)
        services.hub.publish(
            EventDraft(
                workspace: workspace, kind: .exchangesForgotten, title: "Recorded traffic forgotten"
            ))
        return .noContent
    }

    /// The filters of a list's address, for the API and the page alike.
    static func query(_ visit: Visit, workspace: String, others: [String] = Paging.names)
        throws(Problem) -> ExchangeQuery
    {
        let asked = try visit.query(allowing: filters + others)
        var query = ExchangeQuery(workspace: workspace)
        query.app = asked["app"]
        query.device = asked["device"]
        query.call = asked["call"]
        query.text = asked["q"]?.given
        if let word = asked["condition"] {
            guard word == "struck" else { throw Problem.badParameter("condition", "can be struck") }
            query.struck = true
        }
        query.status = try asked["status"].map(status)
        query.carriesToken = try asked["token"].map(flag)
        query.from = try time("since", asked["since"])
        query.until = try time("until", asked["until"])
        query.cause = try ExchangeContext.Cause.asked("cause", in: asked)
        return query
    }

    /// `yes` or `no`.
    private static func flag(_ word: String) throws(Problem) -> Bool {
        switch word {
        case "yes": return true
        case "no": return false
        default: throw Problem.badParameter("token", "can be yes or no")
        }
    }

    private static func time(_ name: String, _ text: String?) throws(Problem) -> Date? {
        guard let text else { return nil }
        guard let date = Date(iso8601: text) else {
            throw Problem.badParameter(name, "must be a time such as 2026-11-21T14:35:15Z")
        }
        return date
    }

    /// `401`, `4xx`, `none` (no answer) or `refused` (400 and above).
    private static func status(_ word: String) throws(Problem) -> ExchangeQuery.StatusFilter {
        switch word {
        case "none": return .noAnswer
        case "refused": return .refused
        case "2xx": return .family(2)
        case "3xx": return .family(3)
        case "4xx": return .family(4)
        case "5xx": return .family(5)
        default:
            guard let status = Int(word), (100...599).contains(status) else {
                throw Problem.badParameter("status", "can be 401, 4xx, refused or none (no answer)")
            }
            return .exact(status)
        }
    }
}
