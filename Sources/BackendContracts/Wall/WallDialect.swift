import Backend
import Web

/// The two dialects of Anonymous Wall's server, over the same accounts.
///
/// A code works only in the dialect it was sent in. The specification limits the attempts. The
/// Micronaut server does not, and would bypass the limit.
enum WallDialect: String, Sendable {
    /// As the specification describes it: `{"success","message"}`, any code of an address signs in.
    case specification = "document"
    /// As the Micronaut server implements it: a code is for one purpose.
    case micronaut = "java"

    /// The dialect of the requested path.
    init(_ request: Request) {
        let target = try? RequestTarget(parsing: request.target)
        self = target?.segments.dropFirst(2).first == "api" ? .micronaut : .specification
    }

    /// The path without its query, as the real server would see it.
    static func serverPath(of request: Request) -> String {
        let path = request.target.prefix(400).prefix { $0 != "?" }
        let parts = path.split(separator: "/", maxSplits: 2)
        return "/" + (parts.count > 2 ? parts[2] : "")
    }
}
