import Core
import FoundationEssentials
import Inspection
import Traffic
import Web

/// `/api/exchanges`: recorded requests and their responses.
struct ExchangesAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let others = Paging.parameterNames + ["format"]
        let paging = try Paging(context, otherParameters: ExchangeQuery.parameterNames + ["format"])
        var query = try ExchangeQuery(
            context, workspace: try scopeResolver.workspace(of: context), otherParameters: others)
        query.limit = paging.limit
        query.before = try paging.sequence()
        switch try context.query(allowing: ExchangeQuery.parameterNames + others)["format"] {
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
        case nil, "json":
            return .json(detail.json(try await services.rejectionReader.rejection(of: detail)))
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
}
