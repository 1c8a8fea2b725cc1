import Core
import Web

/// Invalidates the tokens of one request, as token faults require.
struct TokenTampering: Sendable {
    let request: OutboundRequest
    let context: ExchangeContext
    let target: TokenForger.BackendTarget?
    let forger: TokenForger
    let log: Log

    /// The access token in the request, nil if there is none.
    private var accessToken: String? {
        context.accessToken.flatMap { request.carries($0) ? $0 : nil }
    }

    /// Whether `kind` applies to this request. Kinds that need the backend's key apply to the
    /// embedded backend only.
    func canApply(_ kind: Fault.Kind) -> Bool {
        kind == .refreshTokenReused
            ? target != nil && context.refreshToken.map(request.carries) ?? false
            : forgedToken(kind) != nil
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
        case .offline, .slow, .timeout, .reset, .status, .rateLimited, .refreshTokenReused,
            .accountLocked, .codeExpired, .clockSkew, .mailLost:
            return nil
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

/// Access to the embedded backend for token faults: it has the keys that sign forged tokens.
package struct TokenForger: Sendable {
    /// For instance `http://127.0.0.1:7071`; empty without an embedded backend.
    let baseURL: String
    /// Returns the same token with a defect, correctly signed; nil if the embedded backend did not
    /// issue it.
    let forge: @Sendable (_ token: String, _ defect: Defect, BackendTarget) -> String?
    /// Makes the backend treat a refresh token as already used by another client.
    let markRefreshTokenUsed: @Sendable (_ token: String, BackendTarget) async throws -> Void

    package init(
        baseURL: String, forge: @escaping @Sendable (String, Defect, BackendTarget) -> String?,
        markRefreshTokenUsed: @escaping @Sendable (String, BackendTarget) async throws -> Void
    ) {
        self.baseURL = baseURL
        self.forge = forge
        self.markRefreshTokenUsed = markRefreshTokenUsed
    }

    /// For calls to real backends only.
    package static let none = TokenForger(
        baseURL: "", forge: { _, _, _ in nil }, markRefreshTokenUsed: { _, _ in })

    /// What is wrong with a forged token.
    package enum Defect: Sendable { case expired, wrongAudience }

    /// A contract in a workspace, as derived from a call's URL.
    package struct BackendTarget: Sendable, Equatable {
        package var workspace: String
        package var contract: String
    }

    /// The target of `url` on the embedded backend; nil for any other host.
    func target(of url: String) -> BackendTarget? {
        let url = Web.URLParts(url)
        guard !baseURL.isEmpty, url.suffix(below: baseURL) != nil else { return nil }
        let parts = url.path.split(separator: "/", maxSplits: 2)
        guard parts.count >= 2 else { return nil }
        return BackendTarget(workspace: String(parts[0]), contract: String(parts[1]))
    }
}
