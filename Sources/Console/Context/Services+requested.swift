import Backend
import Simulator
import Traffic
import Web

/// The objects a path refers to, for pages and API alike; a 404 for those outside the request's
/// workspace.
extension Services {
    func exchange(of context: RequestContext) async throws -> ExchangeDetail {
        try await exchange(context.parameters["exchange"] ?? "", in: try workspace(of: context))
    }

    func account(of context: RequestContext) async throws -> EmbeddedBackend.AccountDetails {
        try await requested("account", of: context, or: Problem.unknownAccount) {
            try await backend.account($0, workspace: $1)
        }
    }

    func session(of context: RequestContext) async throws -> Session {
        try await requested("session", of: context, or: Problem.unknownSession) {
            await simulator.sessionChecks.waitUntilIdle(in: $1)
            return try await simulator.session($0, in: $1)
        }
    }

    func snapshot(of context: RequestContext) async throws -> Snapshot {
        try await requested("snapshot", of: context, or: Problem.unknownSnapshot) {
            try await simulator.snapshot($0, in: $1)
        }
    }

    func mail(of context: RequestContext) async throws -> Mail {
        try await requested("mail", of: context, or: Problem.unknownMail) {
            try await backend.mailbox.mail($0, workspace: $1)
        }
    }

    private func requested<Thing>(
        _ name: String, of context: RequestContext, or makeProblem: (_ id: String) -> Problem,
        find: (_ id: String, _ workspace: String) async throws -> Thing?
    ) async throws -> Thing {
        let id = context.parameters[name] ?? ""
        let workspace = try workspace(of: context)
        guard let value = try await find(id, workspace) else { throw makeProblem(id) }
        return value
    }
}

extension Form {
    /// The choice made for `name`; nil for none. Throws a `Problem` that lists the choices for any
    /// other value.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of: Choice.Type = Choice.self
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        try choice(name, of: Choice.allCases.map(\.rawValue)).flatMap(Choice.init)
    }

    func choice(_ name: String, of choices: [String]) throws(Problem) -> String? {
        try Self.choice(self[name], named: name, of: choices)
    }

    /// The same for any value, of a form or a query.
    static func choice(_ value: String?, named name: String, of choices: [String]) throws(Problem)
        -> String?
    {
        guard let text = value, !text.isEmpty else { return nil }
        if choices.contains(text) { return text }
        throw .unknownChoice(name, choices.joined(separator: ", "))
    }
}

extension Problem {
    /// `choices` lists them, for a sentence.
    static func unknownChoice(_ name: String, _ choices: String) -> Problem {
        Problem(
            status: 400, code: "unknown-choice", title: "Invalid value",
            detail: "Valid values of \(name): \(choices).",
            errors: [.init(pointer: "/\(name)", detail: "valid values: \(choices)")])
    }
}
