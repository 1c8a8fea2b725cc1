import Surroundings
import Web

/// The tokens of one request that can be put wrong, and how.
struct Forgery: Sendable {
    private let context: ExchangeContext
    private let address: Accomplice.Address?
    private let accomplice: Accomplice
    private let log: Log
    /// The access token the request carries, nil if it carries none.
    private let token: String?
    private let renews: Bool

    init(
        _ request: OutboundRequest, _ context: ExchangeContext, _ address: Accomplice.Address?,
        _ accomplice: Accomplice, _ log: Log
    ) {
        self.context = context
        self.address = address
        self.accomplice = accomplice
        self.log = log
        token = context.accessToken.flatMap { request.carries($0) ? $0 : nil }
        renews = context.refreshToken.map(request.carries) ?? false
    }

    /// Whether `kind` means something for this request. What takes the
    /// backend's key is for the embedded one alone.
    func isPossible(_ kind: Condition.Kind) -> Bool {
        switch kind {
        case .refreshTokenReused: renews && address != nil
        default: forged(kind) != nil
        }
    }

    /// Does it to `request`; answers the token that was put in.
    func strike(_ kind: Condition.Kind, _ request: inout OutboundRequest) async -> String? {
        if kind == .refreshTokenReused {
            if let token = context.refreshToken, let address {
                do { try await accomplice.spend(token, address) } catch {
                    log(
                        "conditions: a refresh token could not be used "
                            + "before: \(type(of: error))")
                }
            }
            return nil
        }
        guard let token, let forged = forged(kind) else { return nil }
        request.replace(token, with: forged)
        return forged
    }

    private func forged(_ kind: Condition.Kind) -> String? {
        guard let token else { return nil }
        switch kind {
        case .wrongKey: return Self.resigned(token)
        case .accessTokenExpired: return address.flatMap { accomplice.forge(token, .expiry, $0) }
        case .wrongAudience: return address.flatMap { accomplice.forge(token, .audience, $0) }
        default: return nil
        }
    }

    /// With a signature its key never made; a token without one is changed
    /// as a whole. Takes nobody's key, so it works on any backend.
    private static func resigned(_ token: String) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return String(token.reversed()) }
        let turned = parts[2].map { character in
            character.isUppercase
                ? Character(character.lowercased()) : Character(character.uppercased())
        }
        return parts[0] + "." + parts[1] + "." + String(turned)
    }
}

extension OutboundRequest {
    fileprivate func carries(_ token: String) -> Bool {
        !token.isEmpty
            && (headers.fields.contains { $0.value.contains(token) } || url.contains(token)
                || ByteSearch.first(Array(token.utf8), in: body[...]) != nil)
    }

    fileprivate mutating func replace(_ token: String, with other: String) {
        for index in headers.fields.indices {
            headers.fields[index].value = headers.fields[index].value.replacing(token, with: other)
        }
        url = url.replacing(token, with: other)
        body = ByteSearch.replace(Array(token.utf8), with: Array(other.utf8), in: body)
    }
}
