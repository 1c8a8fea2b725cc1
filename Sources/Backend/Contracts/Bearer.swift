import Web

/// What a request's `Authorization: Bearer` says; the scheme's case is free
/// (RFC 9110, 11.1).
enum Bearer: Sendable, Equatable {
    /// There is none, or another scheme.
    case missing
    /// The scheme without a token.
    case empty
    case token(String)

    init(_ request: Request) {
        let header = request.headers["Authorization"] ?? ""
        let rest = header.dropFirst(6)
        guard header.prefix(6).lowercased() == "bearer", rest.isEmpty || rest.first == " " else {
            self = .missing
            CheckTrace.record(
                .authorizationHeader, false, header.isEmpty ? "there is none" : "it is not Bearer")
            return
        }
        let token = rest.drop { $0 == " " }
        CheckTrace.record(
            .authorizationHeader, !token.isEmpty,
            token.isEmpty ? "Bearer without a token" : "Bearer")
        self = token.isEmpty ? .empty : .token(String(token))
    }

    var token: String? { if case .token(let token) = self { token } else { nil } }
}
