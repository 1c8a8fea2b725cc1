import Core

/// The cookies of browsers that have shown the key. They are signed, so no state is stored;
/// verified ones are cached, so that a page costs no digest.
final class SignedSessionCookies: Sendable {
    private let mac: @Sendable (String) -> String
    /// By cookie.
    private let csrfTokens = SharedCache<String, String>(capacity: 1_024)

    /// Prefix of every id, so that no other digest of the console, such as a form's token, is valid
    /// as a cookie.
    private static let idPrefix = "ses"

    init(mac: @escaping @Sendable (String) -> String) { self.mac = mac }

    /// The cookie value and the CSRF token of a new session.
    func make(_ world: World) -> (cookie: String, csrfToken: String) {
        let id = world.makeID(Self.idPrefix)
        return (cookieValue(id), csrfToken(id))
    }

    private func cookieValue(_ id: String) -> String { "\(id).\(mac(id))" }

    private func csrfToken(_ id: String) -> String { mac("csrf:" + id) }

    /// The CSRF token of a cookie with a valid signature; nil for any other.
    func csrfToken(ofCookie value: String) -> String? {
        if let csrfToken = csrfTokens[value] { return csrfToken }
        guard value.utf8.count <= 256, value.hasPrefix(Self.idPrefix + "_"),
            let dot = value.utf8.lastIndex(of: UInt8(ascii: "."))
        else { return nil }
        let id = String(value[..<dot])
        guard ConstantTime.areEqual(value, cookieValue(id)) else { return nil }
        let csrfToken = csrfToken(id)
        csrfTokens[value] = csrfToken
        return csrfToken
    }
}
