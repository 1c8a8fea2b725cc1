import Web

/// The two ways Anonymous Wall's server is spoken to, over the same accounts.
///
/// A code works in the one it was sent in: the document bounds the guesses,
/// the Micronaut server does not, and would be the way round.
enum WallDialect: String, Sendable {
    /// As the document has it: `{"success","message"}`, any code of an
    /// address signs in.
    case specification = "document"
    /// As the Micronaut server that was built: a code is for one purpose.
    case micronaut = "java"

    /// The dialect of the address that was asked for.
    init(_ request: Request) {
        let target = try? RequestTarget(parsing: request.target)
        self = target?.segments.dropFirst(2).first == "api" ? .micronaut : .specification
    }

    /// The path as the real server would see it, without its query.
    static func serverPath(of request: Request) -> String {
        let path = request.target.prefix(400).prefix { $0 != "?" }
        let parts = path.split(separator: "/", maxSplits: 2)
        return "/" + (parts.count > 2 ? parts[2] : "")
    }
}
