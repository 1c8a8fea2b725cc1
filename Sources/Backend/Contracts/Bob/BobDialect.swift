import Surroundings
import Web

/// The two ways Bob's server is spoken to, over the same accounts.
enum BobDialect: String, Sendable {
    /// As the document has it: nested, snake case.
    case document
    /// As the NestJS server that was built: flat, camel case, strict.
    case nest

    /// The dialect of the address that was asked for.
    init(_ request: Request) {
        let target = try? Target(parsing: request.target)
        self = target?.segments.dropFirst(2).first == "nest" ? .nest : .document
    }

    /// The dialect a session was begun in; nil if it does not say.
    init?(_ session: Session) {
        guard let json = try? JSON(parsing: session.facts), let name = json["dialect"]?.string
        else { return nil }
        self.init(rawValue: name)
    }

    /// What a session keeps of it.
    var facts: String {
        let json: JSON = ["dialect": .string(rawValue)]
        return json.description
    }

    /// What its addresses begin with, below the contract's own.
    var root: String {
        switch self {
        case .document: "/api"
        case .nest: "/nest/api"
        }
    }

    /// What an access token is good for (Login, Success Response; the real
    /// server's `expiresIn`).
    var accessLife: Duration {
        switch self {
        case .document: .seconds(3_600)
        case .nest: .seconds(900)
        }
    }

    /// What a fresh account is: the document's example, the server's default.
    var role: String {
        switch self {
        case .document: "contractor"
        case .nest: "user"
        }
    }

    /// The path as the real server would see it, with its query.
    func path(_ request: Request) -> String {
        let own = self == .nest ? 3 : 2
        let parts = request.target.prefix(400).split(separator: "/", maxSplits: own)
        return "/" + (parts.count > own ? parts[own] : "")
    }
}
