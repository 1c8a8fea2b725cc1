package import Apps
package import FoundationEssentials

/// An item in a device's storage, without its whole value.
package struct StorageItemSummary: Sendable, Equatable {
    package var area: StorageKey.Area
    package var key: String
    /// The captured value it holds, nil for a constant or a stranger.
    package var captureName: String?
    /// First 6 and last 4 characters of a secret, none of what was typed; a
    /// defaults value whole.
    package var maskedValue: String
    /// UTF-8 length of the whole value.
    package var byteCount: Int
    package var writtenAt: Date
    package var accessibilityClass: String?
}
