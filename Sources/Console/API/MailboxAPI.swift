import Apps
import Backend
import Core
import FoundationEssentials
import Web

/// `/api/mailbox`: mail captured from the embedded backend.
struct MailboxAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let names = ["to", "app", "purpose"]
        let paging = try Paging(context, otherParameters: names)
        let queryParameters = try context.query(allowing: names + Paging.parameterNames)
        try Self.checkAddress(queryParameters["to"])
        let page = try await services.backend.mailbox.list(
            workspace: try scopeResolver.workspace(of: context), to: queryParameters["to"],
            app: contract(queryParameters),
            purpose: queryParameters["purpose"], before: try paging.sequence(), limit: paging.limit)
        return .json(
            Paging.list(
                total: page.total, page.items.map(\.json),
                next: page.hasOlder ? page.items.last.map { String($0.sequence) } : nil))
    }

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let id = context.parameters["mail"] ?? ""
        let workspace = try scopeResolver.workspace(of: context)
        guard let mail = try await services.backend.mailbox.mail(id, workspace: workspace) else {
            throw Problem.unknownMail(id)
        }
        return .json(mail.fullJSON)
    }

    @Sendable func clear(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        _ = try await services.backend.mailbox.clear(workspace: workspace)
        return .noContent
    }

    /// Waits for a matching mail. On timeout, throws a 408 problem with the reason.
    @Sendable func wait(_ context: RequestContext) async throws -> Response {
        let queryParameters = try context.query(allowing: [
            "to", "app", "purpose", "since", "timeout",
        ])
        let workspace = try scopeResolver.workspace(of: context)
        try Self.checkAddress(queryParameters["to"])
        var timeout = 10.0
        if let text = queryParameters["timeout"] {
            guard let seconds = Double(text), (0...60).contains(seconds) else {
                throw Problem.badParameter("timeout", "must be 0 to 60 seconds")
            }
            timeout = seconds
        }
        let since = try queryParameters["since"].map { text throws(Problem) in
            guard let date = Date(iso8601: text) else {
                throw Problem.badParameter(
                    "since", "must be a time such as 2026-11-21T14:35:00.000Z")
            }
            return date
        }
        let mail = try await services.backend.mailbox.waitForMail(
            workspace: workspace, to: queryParameters["to"], app: contract(queryParameters),
            purpose: queryParameters["purpose"],
            since: since, timeout: .milliseconds(Int(timeout * 1_000)))
        if let mail { return .json(mail.fullJSON) }
        throw Problem(
            status: 408, code: "no-such-mail", title: "No matching message",
            detail: try await services.backend.mailbox.explainMissingMail(
                workspace: workspace, to: queryParameters["to"], app: contract(queryParameters),
                purpose: queryParameters["purpose"], since: since))
    }

    /// Mail is stored by the contract that sent it, so an app's id is translated to its contract.
    private func contract(_ queryParameters: [String: String]) -> String? {
        queryParameters["app"].map { services.appCatalog.contract(ofApp: $0) ?? $0 }
    }

    /// Rejects an address that no mail can match, instead of waiting until the timeout.
    private static func checkAddress(_ to: String?) throws(Problem) {
        guard let to else { return }
        if to.isEmpty { throw Problem.badParameter("to", "is empty") }
        if to.contains(" ") {
            throw Problem.badParameter("to", "contains a space: write + as %2B in a query")
        }
    }
}

extension Problem {
    static func unknownMail(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-mail", title: "Unknown message",
            detail: "No message has the id \(id.prefix(40)).",
            apiHint: "GET /api/mailbox lists them.")
    }
}
