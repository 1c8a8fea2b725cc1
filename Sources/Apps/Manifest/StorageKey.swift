/// A key the app keeps on a phone, under the app's own name.
package struct StorageKey: Sendable, Equatable {
    package var key: String
    package var area: Area
    /// The captured value it holds (`accessToken`), if it holds one.
    package var holds: String?
    /// iOS's accessibility class, as the document names it.
    package var accessible: String?
    /// A constant or template written instead of a captured value.
    package var value: String?

    package enum Area: String, Sendable, CaseIterable {
        case keychain, defaults
    }
}
