/// Edits one stored item: a dialog (`studio/storeditem`) over a page (`studio/storeditempage`).
/// Opening it reveals the value and records that as an event.
struct StoredItemModel: Encodable, Sendable {
    var item: Item

    struct Item: Encodable, Sendable {
        var key: String
        /// `keychain` or `defaults`.
        var area: String
        /// `14 B`.
        var size: String
        /// POST `value`.
        var saveAction: String
        /// POST.
        var deleteAction: String
        var backURL: String
        var value: String
        /// Why saving failed; nil initially.
        var error: String?
    }
}
