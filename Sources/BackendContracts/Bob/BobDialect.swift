import Backend
import Core
import Web

/// The two dialects of Bob's server, over the same accounts.
enum BobDialect: String, Sendable {
    /// As the specification describes it: nested, snake case.
    case specification = "document"
    /// As the NestJS server implements it: flat, camel case, strict validation.
    case nest

    /// The dialect of the requested path.
    init(_ request: Request) {
        let target = try? RequestTarget(parsing: request.target)
        self = target?.segments.dropFirst(2).first == "nest" ? .nest : .specification
    }

    /// The dialect the session began in. Nil if its data names none.
    init?(_ session: BackendSession) {
        guard let json = try? JSON(parsing: session.contractData),
            let name = json["dialect"]?.string
        else { return nil }
        self.init(rawValue: name)
    }

    /// The dialect as stored in a session.
    var contractData: String {
        let json: JSON = ["dialect": .string(rawValue)]
        return json.description
    }

    /// The prefix of the dialect's paths, after the contract's own.
    var pathPrefix: String {
        switch self {
        case .specification: "/api"
        case .nest: "/nest/api"
        }
    }

    /// As in the specification (Login, Success Response) and in the real server's `expiresIn`.
    var accessTokenLifetime: Duration {
        switch self {
        case .specification: .seconds(3_600)
        case .nest: .seconds(900)
        }
    }

    /// The role of a new account: the specification's example, the real server's default.
    var defaultRole: String {
        switch self {
        case .specification: "contractor"
        case .nest: "user"
        }
    }

    /// The path with its query, as the real server would see it.
    func serverPath(of request: Request) -> String {
        let prefixCount = self == .nest ? 3 : 2
        let parts = request.target.prefix(400).split(separator: "/", maxSplits: prefixCount)
        return "/" + (parts.count > prefixCount ? parts[prefixCount] : "")
    }
}
