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

    package enum Area: String, Sendable, CaseIterable { case keychain, defaults }
}
