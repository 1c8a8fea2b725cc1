import Apps
import FoundationEssentials
import Simulator
import Web

extension StorageModel {
    /// What links of an item lead to; nil where a value is only looked at.
    struct ItemLinks {
        var revealURL: (String) -> String
        var hideURL: String
        var editURL: (String) -> String
        /// The event a key was written with.
        var writtenURL: (String) -> String? = { _ in nil }
        /// The key that is revealed now, with its value.
        var revealed: (key: String, value: String)?
    }

    init(_ items: [StorageItemSummary], links position: ItemLinks?, now: Date) {
        let sorted = items.sorted { one, other in
            (one.area == .keychain ? 0 : 1, one.key) < (other.area == .keychain ? 0 : 1, other.key)
        }
        self.init(
            countText: Format.count(items.count, "item")
                + (items.isEmpty ? "" : ", sealed at rest"),
            anyItems: !items.isEmpty,
            emptyText: "Nothing is stored. What the app keeps appears here after a sign-in.",
            items: sorted.map { Item($0, links: position, now: now) })
    }
}

extension StorageModel.Item {
    init(_ item: StorageItemSummary, links position: StorageModel.ItemLinks?, now: Date) {
        let shown = position?.revealed?.key == item.key
        let isSecret = item.area == .keychain
        self.init(
            key: item.key, area: item.area.rawValue, areaIcon: isSecret ? "lock" : "file",
            captureName: item.captureName ?? "–", masked: item.maskedValue,
            size: Format.size(item.byteCount),
            writtenAgo: Format.ago(item.writtenAt, now), writtenAt: item.writtenAt.iso8601,
            writtenURL: position?.writtenURL(item.key),
            revealURL: isSecret && !shown ? position?.revealURL(item.key) : nil,
            hideItemURL: shown ? position?.hideURL : nil,
            unmasked: shown ? position?.revealed?.value : nil, editURL: position?.editURL(item.key))
    }
}
