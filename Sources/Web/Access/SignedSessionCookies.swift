import Synchronization

/// The cookies of browsers that have shown the key: signed, so that nothing
/// is kept of them, and remembered for a while, so that a page costs no
/// digest.
final class SignedSessionCookies: Sendable {
    private let mac: @Sendable (String) -> String
    private let csrfCache = Mutex<[String: String]>([:])

    /// Cookies remembered at once; then all are worked out anew.
    private static let cacheLimit = 1_024

    /// What every id begins with, so that no other digest of ours, such as
    /// a form's token, can pass for a cookie's.
    private static let idPrefix = "ses"

    init(mac: @escaping @Sendable (String) -> String) { self.mac = mac }

    /// The id of a new one.
    func makeID(_ identifier: (_ prefix: String) -> String) -> String { identifier(Self.idPrefix) }

    /// The cookie's value for the session `id`.
    func cookieValue(_ id: String) -> String { "\(id).\(mac(id))" }

    /// What the forms of the session `id` carry.
    func csrfToken(_ id: String) -> String { mac("csrf:" + id) }

    /// The CSRF token of a cookie we signed; nil for any other.
    func csrfToken(ofCookie value: String) -> String? {
        if let csrfToken = csrfCache.withLock({ $0[value] }) { return csrfToken }
        guard value.utf8.count <= 256, value.hasPrefix(Self.idPrefix + "_"),
            let dot = value.utf8.lastIndex(of: UInt8(ascii: "."))
        else { return nil }
        let id = String(value[..<dot])
        guard ConstantTime.areEqual(value, cookieValue(id)) else { return nil }
        let csrfToken = csrfToken(id)
        csrfCache.withLock { known in
            if known.count >= Self.cacheLimit { known = [:] }
            known[value] = csrfToken
        }
        return csrfToken
    }
}
