import Apps
import FoundationEssentials
import Simulator
import Web

/// The links of a device's stored items on a page.
struct StoredItemLinks {
    let instance: AppInstance
    /// The page with all values masked.
    let pageURL: String
    /// The currently revealed key, with its value.
    let revealed: (key: String, value: String)?
    /// Whether items can be edited.
    var isEditable = true
    /// The URL of the event that wrote a key.
    var eventURL: (String) -> String? = { _ in nil }

    /// The page with a key's value unmasked.
    func revealURL(_ key: String) -> String { Links.url(pageURL, [("reveal", key)]) }

    func editURL(_ key: String) -> String? {
        isEditable ? Links.storedItem(instance.app, key) : nil
    }
}

extension StorageModel {
    /// `links` is nil for a read-only view.
    init(_ items: [StorageItemSummary], links: StoredItemLinks?, now: Date) {
        let sorted = items.sorted { lhs, rhs in
            (lhs.area == .keychain ? 0 : 1, lhs.key) < (rhs.area == .keychain ? 0 : 1, rhs.key)
        }
        self.init(
            countText: Format.count(items.count, "item")
                + (items.isEmpty ? "" : ", encrypted at rest"),
            items: sorted.map { Item($0, links: links, now: now) })
    }
}

extension StorageModel.Item {
    init(_ item: StorageItemSummary, links: StoredItemLinks?, now: Date) {
        let isRevealed = links?.revealed?.key == item.key
        let isSecret = item.area == .keychain
        self.init(
            key: item.key, area: item.area.rawValue, areaIcon: isSecret ? "lock" : "file",
            captureName: item.captureName ?? "–", masked: item.maskedValue,
            size: Format.size(item.byteCount), writtenAgo: Format.ago(item.writtenAt, now),
            writtenAt: item.writtenAt.iso8601, writtenURL: links?.eventURL(item.key),
            revealURL: isSecret && !isRevealed ? links?.revealURL(item.key) : nil,
            hideItemURL: isRevealed ? links?.pageURL : nil,
            unmasked: isRevealed ? links?.revealed?.value : nil, editURL: links?.editURL(item.key))
    }
}

/// An app's stored values on a device; the property `storage` of a page.
struct StorageModel: Encodable, Sendable {
    /// `4 items, encrypted at rest`.
    var countText: String
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
