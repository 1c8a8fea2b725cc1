import Web

/// Devices promised to browsers by their id alone, and made at first use.
///
/// So a page that is only looked at writes nothing, however often a client
/// without cookies comes back. A promise is signed, for one workspace: nobody
/// chooses an id, neither a new one nor somebody else's.
struct DeferredDevices: Sendable {
    let mac: @Sendable (String) -> String

    /// What the cookie holds for `id`, which is fresh.
    func cookieValue(for id: String, in workspace: String) -> String {
        "\(id).\(mac("device:\(workspace):\(id)"))"
    }

    /// The id a cookie's value names, promised or not. Enough to find a
    /// device that is there: its id alone names it as well.
    static func id(inCookie value: String) -> String { String(value.prefix { $0 != "." }) }

    /// The id promised to this workspace by a cookie's value; nil if it is
    /// none of ours.
    func verifiedID(inCookie value: String, for workspace: String) -> String? {
        guard value.utf8.count <= 256, let dot = value.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        let id = String(value[..<dot])
        let isOurs = ConstantTime.areEqual(value, cookieValue(for: id, in: workspace))
        return isOurs ? id : nil
    }
}
