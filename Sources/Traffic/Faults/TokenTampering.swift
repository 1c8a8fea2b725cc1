import Core
import Web

/// Invalidates the tokens of one request, as token faults require.
struct TokenTampering: Sendable {
    private let context: ExchangeContext
    private let target: TokenForger.BackendTarget?
    private let forger: TokenForger
    private let log: Log
    /// The access token in the request, nil if there is none.
    private let accessToken: String?
    private let isRefresh: Bool

    init(
        _ request: OutboundRequest, _ exchangeContext: ExchangeContext,
        _ target: TokenForger.BackendTarget?, _ forger: TokenForger, _ log: Log
    ) {
        self.context = exchangeContext
        self.target = target
        self.forger = forger
        self.log = log
        accessToken = exchangeContext.accessToken.flatMap { request.carries($0) ? $0 : nil }
        isRefresh = exchangeContext.refreshToken.map(request.carries) ?? false
    }

    /// Whether `kind` applies to this request. Kinds that need the backend's key apply to the
    /// embedded backend only.
    func canApply(_ kind: Fault.Kind) -> Bool {
        switch kind {
        case .refreshTokenReused: isRefresh && target != nil
        default: forgedToken(kind) != nil
        }
    }

    /// Applies `kind` to `request`; returns the forged token that replaced the original, if any.
    func apply(_ kind: Fault.Kind, _ request: inout OutboundRequest) async -> String? {
        if kind == .refreshTokenReused {
            if let token = context.refreshToken, let target {
                do { try await forger.markRefreshTokenUsed(token, target) } catch {
                    log("faults: a refresh token could not be marked as used: \(type(of: error))")
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

    /// Returns a JWT with an invalid signature, any other token reversed. Needs no key, so it works
    /// on any backend.
    private static func withInvalidSignature(_ token: String) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return String(token.reversed()) }
        let swappedCase = parts[2].map { character in
            character.isUppercase
                ? Character(character.lowercased()) : Character(character.uppercased())
        }
        return parts[0] + "." + parts[1] + "." + String(swappedCase)
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
