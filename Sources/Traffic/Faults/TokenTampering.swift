import Core
import Web

/// The tokens of one request that can be put wrong, and how.
struct TokenTampering: Sendable {
    private let context: ExchangeContext
    private let target: TokenForger.BackendTarget?
    private let forger: TokenForger
    private let log: Log
    /// The access token the request carries, nil if it carries none.
    private let accessToken: String?
    private let isRefresh: Bool

    init(
        _ request: OutboundRequest, _ exchangeContext: ExchangeContext,
        _ address: TokenForger.BackendTarget?,
        _ accomplice: TokenForger, _ log: Log
    ) {
        self.context = exchangeContext
        self.target = address
        self.forger = accomplice
        self.log = log
        accessToken = exchangeContext.accessToken.flatMap { request.carries($0) ? $0 : nil }
        isRefresh = exchangeContext.refreshToken.map(request.carries) ?? false
    }

    /// Whether `kind` means something for this request. What takes the
    /// backend's key is for the embedded one alone.
    func canApply(_ kind: Fault.Kind) -> Bool {
        switch kind {
        case .refreshTokenReused: isRefresh && target != nil
        default: forgedToken(kind) != nil
        }
    }

    /// Does it to `request`; answers the token that was put in.
    func apply(_ kind: Fault.Kind, _ request: inout OutboundRequest) async -> String? {
        if kind == .refreshTokenReused {
            if let token = context.refreshToken, let address = target {
                do { try await forger.markRefreshTokenUsed(token, address) } catch {
                    log(
                        "conditions: a refresh token could not be used "
                            + "before: \(type(of: error))")
                }
            }
            return nil
        }
        guard let token = accessToken, let forged = forgedToken(kind) else { return nil }
        request.replace(token, with: forged)
        return forged
    }

    private func forgedToken(_ kind: Fault.Kind) -> String? {
        guard let token = accessToken else { return nil }
        switch kind {
        case .wrongKey: return Self.withInvalidSignature(token)
        case .accessTokenExpired: return target.flatMap { forger.forge(token, .expired, $0) }
        case .wrongAudience: return target.flatMap { forger.forge(token, .wrongAudience, $0) }
        default: return nil
        }
    }

    /// With a signature its key never made; a token without one is changed
    /// as a whole. Takes nobody's key, so it works on any backend.
    private static func withInvalidSignature(_ token: String) -> String {
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
                || ByteSearch.firstIndex(of: Array(token.utf8), in: body[...]) != nil)
    }

    fileprivate mutating func replace(_ token: String, with other: String) {
        for index in headers.fields.indices {
            headers.fields[index].value = headers.fields[index].value.replacing(token, with: other)
        }
        url = url.replacing(token, with: other)
        body = ByteSearch.replace(Array(token.utf8), with: Array(other.utf8), in: body)
    }
}
