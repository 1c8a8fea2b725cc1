import Backend
import Core
import FoundationEssentials
import Web

/// `/api/mailbox`: the mail the embedded backend sent, caught.
struct MailboxAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let names = ["to", "app", "purpose"]
        let paging = try Paging(context, otherParameters: names)
        let asked = try context.query(allowing: names + Paging.parameterNames)
        try Self.checkAddress(asked["to"])
        let page = try await services.backend.mailbox.list(
            workspace: try scopeResolver.workspace(of: context), to: asked["to"],
            app: contract(asked),
            purpose: asked["purpose"], before: try paging.sequence(), limit: paging.limit)
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

    /// Blocks until such a mail is there; at the time-out 408 says why not.
    @Sendable func wait(_ context: RequestContext) async throws -> Response {
        let asked = try context.query(allowing: ["to", "app", "purpose", "since", "timeout"])
        let workspace = try scopeResolver.workspace(of: context)
        try Self.checkAddress(asked["to"])
        var timeout = 10.0
        if let text = asked["timeout"] {
            guard let seconds = Double(text), (0...60).contains(seconds) else {
                throw Problem.badParameter("timeout", "is in seconds, 0 to 60")
            }
            timeout = seconds
        }
        let since = try asked["since"].map { text throws(Problem) in
            guard let date = Date(iso8601: text) else {
                throw Problem.badParameter("since", "is a time as 2026-11-21T14:35:00.000Z")
            }
            return date
        }
        let mail = try await services.backend.mailbox.waitForMail(
            workspace: workspace, to: asked["to"], app: contract(asked), purpose: asked["purpose"],
            since: since, timeout: .milliseconds(Int(timeout * 1_000)))
        if let mail { return .json(mail.fullJSON) }
        throw Problem(
            status: 408, code: "no-such-mail", title: "No such mail came",
            detail: try await services.backend.mailbox.explainMissingMail(
                workspace: workspace, to: asked["to"], app: contract(asked),
                purpose: asked["purpose"], since: since))
    }

    /// A mail is of the contract that sent it: an app is asked for by its own
    /// name, be that another one.
    private func contract(_ asked: [String: String]) -> String? {
        asked["app"].map { services.contract(ofApp: $0) ?? $0 }
    }

    /// Says at once what would only be waited for in vain.
    private static func checkAddress(_ to: String?) throws(Problem) {
        guard let to else { return }
        if to.isEmpty { throw Problem.badParameter("to", "is empty") }
        if to.contains(" ") {
            throw Problem.badParameter("to", "holds a space: in a query a + is one, write %2B")
        }
    }
}

extension Problem {
    static func unknownMail(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-mail", title: "There is no such mail",
            detail: "No caught mail has the id \(id.prefix(40)).",
            apiHint: "GET /api/mailbox lists them.")
    }
}
