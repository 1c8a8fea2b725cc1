import Web

/// Signed device ids handed out in cookies; the row is created at first use.
///
/// So viewing a page writes nothing, however often a client without cookies requests it. An id is
/// signed for one workspace, so a client can choose neither a new id nor that of another client.
struct DeferredDevices: Sendable {
    let mac: @Sendable (String) -> String

    /// The cookie value for `id`, which is new.
    func cookieValue(for id: String, in workspace: String) -> String {
        "\(id).\(mac("device:\(workspace):\(id)"))"
    }

    /// The id in a cookie's value, signed or not. Sufficient to find an existing device, which a
    /// bare id names as well.
    static func id(inCookie value: String) -> String { String(value.prefix { $0 != "." }) }

    /// The id in a cookie's value if it was signed for this workspace, else nil.
    func verifiedID(inCookie value: String, for workspace: String) -> String? {
        guard value.utf8.count <= 256, let dot = value.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        let id = String(value[..<dot])
        let isValid = ConstantTime.areEqual(value, cookieValue(for: id, in: workspace))
        return isValid ? id : nil
    }
}
