/// A storage key of the app on a phone, with the app's own name.
package struct StorageKey: Sendable, Equatable {
    package var key: String
    package var area: Area
    /// The captured value it stores (`accessToken`), if any.
    package var capturedName: String?
    /// The value is received as seconds from now and stored as a time: `expires_in` as an expiry.
    package var isSecondsFromNow: Bool
    /// iOS's accessibility class, as named in the app's specification.
    package var accessibility: String?
    /// A constant or template stored instead of a captured value.
    package var value: String?
    /// Form fields stored together, by name: the credentials of the sign-in.
    package var fields: [String]
    /// Reading needs the biometric sensor; a device without one never writes the key.
    package var requiresBiometrics: Bool
    /// The key is not deleted when its area is cleared.
    package var survivesClearing: Bool

    init(_ node: ManifestNode, key: String) throws {
        try node.allowOnly([
            "area", "holds", "fromNow", "accessible", "value", "fields", "biometric", "survives",
        ])
        self.key = key
        area = try node.require("area").choice()
        capturedName = try node["holds"]?.reference(.capturedOrField)
        isSecondsFromNow = try node["fromNow"]?.bool() ?? false
        accessibility = try node["accessible"]?.string()
        value = try node["value"]?.template()
        fields = try node["fields"]?.references(.anyField) ?? []
        requiresBiometrics = try node["biometric"]?.bool() ?? false
        survivesClearing = try node["survives"]?.bool() ?? false
        let contents = [capturedName != nil, value != nil, !fields.isEmpty]
        guard contents.filter({ $0 }).count == 1 else {
            throw node.error(
                "Expected exactly one of holds, value and fields",
                "Write one of them: holds: 'name', value: 'text' or fields: ['name'].")
        }
        guard capturedName != nil || !isSecondsFromNow else {
            throw node.error(
                "Only a captured value can be seconds from now",
                "Add holds: 'expiresIn', or remove fromNow.")
        }
    }

    package enum Area: String, Sendable, CaseIterable { case keychain, defaults }
}
