import Synchronization

/// The cookies of browsers that have shown the key: signed, so that nothing
/// is kept of them, and remembered for a while, so that a page costs no
/// digest.
final class BrowserSessions: Sendable {
    private let mac: @Sendable (String) -> String
    private let known = Mutex<[String: String]>([:])

    /// Cookies remembered at once; then all are worked out anew.
    private static let bound = 1_024

    /// What every id begins with, so that no other digest of ours, such as
    /// a form's token, can pass for a cookie's.
    private static let prefix = "ses"

    init(mac: @escaping @Sendable (String) -> String) { self.mac = mac }

    /// The id of a new one.
    func make(_ identifier: (_ prefix: String) -> String) -> String { identifier(Self.prefix) }

    /// The cookie's value for the session `id`.
    func cookie(_ id: String) -> String { "\(id).\(mac(id))" }

    /// What the forms of the session `id` carry.
    func csrf(_ id: String) -> String { mac("csrf:" + id) }

    /// The CSRF token of a cookie we signed; nil for any other.
    func csrf(ofCookie value: String) -> String? {
        if let csrf = known.withLock({ $0[value] }) { return csrf }
        guard value.utf8.count <= 256, value.hasPrefix(Self.prefix + "_"),
            let dot = value.utf8.lastIndex(of: UInt8(ascii: "."))
        else { return nil }
        let id = String(value[..<dot])
        guard ConstantTime.equal(value, cookie(id)) else { return nil }
        let csrf = csrf(id)
        known.withLock { known in
            if known.count >= Self.bound { known = [:] }
            known[value] = csrf
        }
        return csrf
    }
}
