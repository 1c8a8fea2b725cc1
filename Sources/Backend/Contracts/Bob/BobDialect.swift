import Core
import Web

/// The two ways Bob's server is spoken to, over the same accounts.
enum BobDialect: String, Sendable {
    /// As the document has it: nested, snake case.
    case specification = "document"
    /// As the NestJS server that was built: flat, camel case, strict.
    case nest

    /// The dialect of the address that was asked for.
    init(_ request: Request) {
        let target = try? RequestTarget(parsing: request.target)
        self = target?.segments.dropFirst(2).first == "nest" ? .nest : .specification
    }

    /// The dialect a session was begun in; nil if it does not say.
    init?(_ session: BackendSession) {
        guard let json = try? JSON(parsing: session.contractData),
            let name = json["dialect"]?.string
        else { return nil }
        self.init(rawValue: name)
    }

    /// What a session keeps of it.
    var contractData: String {
        let json: JSON = ["dialect": .string(rawValue)]
        return json.description
    }

    /// What its addresses begin with, below the contract's own.
    var pathPrefix: String {
        switch self {
        case .specification: "/api"
        case .nest: "/nest/api"
        }
    }

    /// What an access token is good for (Login, Success Response; the real
    /// server's `expiresIn`).
    var accessTokenLifetime: Duration {
        switch self {
        case .specification: .seconds(3_600)
        case .nest: .seconds(900)
        }
    }

    /// What a fresh account is: the document's example, the server's default.
    var defaultRole: String {
        switch self {
        case .specification: "contractor"
        case .nest: "user"
        }
    }

    /// The path as the real server would see it, with its query.
    func serverPath(of request: Request) -> String {
        let own = self == .nest ? 3 : 2
        let parts = request.target.prefix(400).split(separator: "/", maxSplits: own)
        return "/" + (parts.count > own ? parts[own] : "")
    }
}
