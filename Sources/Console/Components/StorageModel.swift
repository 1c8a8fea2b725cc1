/// What a device keeps for an app; the property `storage` of a page.
struct StorageModel: Encodable, Sendable {
    /// `4 items, sealed at rest`.
    var countText: String
    var anyItems: Bool
    /// Why there is nothing, or how something appears.
    var emptyText: String
    /// Keychain before defaults.
    var items: [Item]

    struct Item: Encodable, Sendable {
        var key: String
        /// `keychain` or `defaults`.
        var area: String
        /// `lock` or `file`.
        var areaIcon: String
        /// The captured value it holds; `–` for none.
        var captureName: String
        /// Masked, or a defaults value whole.
        var masked: String
        /// `612 B`, `1.2 KB`.
        var size: String
        /// `37 s ago`.
        var writtenAgo: String
        /// ISO 8601.
        var writtenAt: String
        /// The event it was written with; nil if that is not kept.
        var writtenURL: String?
        /// This page with the value shown; nil when nothing is masked, when
        /// it is shown already, or on a session's page of an earlier time.
        var revealURL: String?
        /// This page without it; only while it is shown.
        var hideItemURL: String?
        /// The whole value, while it is shown.
        var unmasked: String?
        /// The page (and dialog) that edits or deletes it; nil where it may
        /// only be looked at.
        var editURL: String?
    }
}
