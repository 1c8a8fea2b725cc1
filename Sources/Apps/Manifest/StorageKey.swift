/// A key the app keeps on a phone, under the app's own name.
package struct StorageKey: Sendable, Equatable {
    package var key: String
    package var area: Area
    /// The captured value it holds (`accessToken`), if it holds one.
    package var capturedName: String?
    /// What it holds comes as seconds from now, and is kept as the moment
    /// they lead to: `expires_in` as an expiry.
    package var isSecondsFromNow: Bool
    /// iOS's accessibility class, as the document names it.
    package var accessibility: String?
    /// A constant or template written instead of a captured value.
    package var value: String?
    /// Fields of a form it holds together, by name: what was signed in with.
    package var fields: [String]
    /// Only the sensor opens it: a device without one never writes it.
    package var requiresBiometrics: Bool
    /// It stays when its area is emptied.
    package var survivesClearing: Bool

    package enum Area: String, Sendable, CaseIterable { case keychain, defaults }
}
