/// An app's stored values on a device; the property `storage` of a page.
struct StorageModel: Encodable, Sendable {
    /// `4 items, sealed at rest`.
    var countText: String
    var anyItems: Bool
    /// The text shown without items.
    var emptyText: String
    /// Keychain before defaults.
    var items: [Item]

    struct Item: Encodable, Sendable {
        var key: String
        /// `keychain` or `defaults`.
        var area: String
        /// `lock` or `file`.
        var areaIcon: String
        /// The name of the captured value it holds; `–` for none.
        var captureName: String
        /// Masked; unmasked for defaults.
        var masked: String
        /// `612 B`, `1.2 KB`.
        var size: String
        /// `37 s ago`.
        var writtenAgo: String
        /// ISO 8601.
        var writtenAt: String
        /// The event that wrote it; nil if that is no longer stored.
        var writtenURL: String?
        /// This page with the value revealed; nil if nothing is masked, if it is already revealed,
        /// or on a session's page of an earlier time.
        var revealURL: String?
        /// This page with the value masked again; nil unless it is revealed.
        var hideItemURL: String?
        /// The unmasked value; nil unless it is revealed.
        var unmasked: String?
        /// The page (and dialog) that edits or deletes it; nil if it is read-only.
        var editURL: String?
    }
}
