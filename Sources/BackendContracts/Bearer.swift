import Backend
import Web

/// The bearer token in a request's `Authorization` header. The scheme's name is case-insensitive
/// (RFC 9110, 11.1).
enum Bearer: Sendable, Equatable {
    /// No header, or another scheme.
    case missing
    /// The scheme without a token.
    case empty
    case token(String)

    init(_ request: Request) {
        let header = request.headers["Authorization"] ?? ""
        let remainder = header.dropFirst(6)
        guard header.prefix(6).lowercased() == "bearer", remainder.isEmpty || remainder.first == " "
        else {
            self = .missing
            CheckTrace.record(
                .authorizationHeader, false, header.isEmpty ? "missing" : "not Bearer")
            return
        }
        let token = remainder.drop { $0 == " " }
        CheckTrace.record(
            .authorizationHeader, !token.isEmpty,
            token.isEmpty ? "Bearer without a token" : "Bearer")
        self = token.isEmpty ? .empty : .token(String(token))
    }

    var token: String? { if case .token(let token) = self { token } else { nil } }
}
