package import Apps
package import FoundationEssentials

/// An item of a device's storage, without its unmasked value.
package struct StorageItemSummary: Sendable, Equatable {
    package var area: StorageKey.Area
    package var key: String
    /// The captured value it stores; nil for a constant or an undeclared key.
    package var captureName: String?
    /// First 6 and last 4 characters of a secret, none of a field's value; a `defaults` value is
    /// unmasked.
    package var maskedValue: String
    /// UTF-8 length of the unmasked value.
    package var byteCount: Int
    package var writtenAt: Date
    package var accessibilityClass: String?
}
