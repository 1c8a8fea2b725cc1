import Apps
import FoundationEssentials
import Simulator
import Web

extension StorageModel {
    /// The link URLs of the items; nil for a read-only view.
    struct ItemLinks {
        var revealURL: (String) -> String
        var hideURL: String
        var editURL: (String) -> String
        /// The URL of the event that wrote a key.
        var writtenURL: (String) -> String? = { _ in nil }
        /// The currently revealed key, with its value.
        var revealed: (key: String, value: String)?
    }

    init(_ items: [StorageItemSummary], links: ItemLinks?, now: Date) {
        let sorted = items.sorted { lhs, rhs in
            (lhs.area == .keychain ? 0 : 1, lhs.key) < (rhs.area == .keychain ? 0 : 1, rhs.key)
        }
        self.init(
            countText: Format.count(items.count, "item")
                + (items.isEmpty ? "" : ", sealed at rest"),
            anyItems: !items.isEmpty,
            emptyText: "Nothing is stored. What the app keeps appears here after a sign-in.",
            items: sorted.map { Item($0, links: links, now: now) })
    }
}

extension StorageModel.Item {
    init(_ item: StorageItemSummary, links: StorageModel.ItemLinks?, now: Date) {
        let isRevealed = links?.revealed?.key == item.key
        let isSecret = item.area == .keychain
        self.init(
            key: item.key, area: item.area.rawValue, areaIcon: isSecret ? "lock" : "file",
            captureName: item.captureName ?? "–", masked: item.maskedValue,
            size: Format.size(item.byteCount),
            writtenAgo: Format.ago(item.writtenAt, now), writtenAt: item.writtenAt.iso8601,
            writtenURL: links?.writtenURL(item.key),
            revealURL: isSecret && !isRevealed ? links?.revealURL(item.key) : nil,
            hideItemURL: isRevealed ? links?.hideURL : nil,
            unmasked: isRevealed ? links?.revealed?.value : nil, editURL: links?.editURL(item.key))
    }
}
