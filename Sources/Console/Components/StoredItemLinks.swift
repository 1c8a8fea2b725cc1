import Apps
import FoundationEssentials
import Simulator
import Templates
import Web

/// The links of a device's stored items on a page.
struct StoredItemLinks {
    let instance: AppInstance
    /// The studio of the instance.
    let studio: StudioLinks
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
        isEditable ? studio(Links.storedItem, key) : nil
    }
}

extension TemplateModel {
    /// An app's stored values on a device, keychain before defaults (`parts/storagerows`, property
    /// `storage`); `links` is nil for a read-only view.
    static func storage(_ items: [StorageItemSummary], links: StoredItemLinks?, now: Date)
        -> TemplateModel
    {
        let sorted = items.sorted { lhs, rhs in
            (lhs.area == .keychain ? 0 : 1, lhs.key) < (rhs.area == .keychain ? 0 : 1, rhs.key)
        }
        return [
            "countText": Format.count(items.count, "item")
                + (items.isEmpty ? "" : ", encrypted at rest"),
            "items": sorted.map { item -> TemplateModel in
                let isRevealed = links?.revealed?.key == item.key
                let isSecret = item.area == .keychain
                return [
                    "key": item.key, "area": item.area.rawValue,
                    "areaIcon": isSecret ? "lock" : "file", "captureName": item.captureName ?? "–",
                    "isLocked": item.isLocked, "masked": item.maskedValue,
                    "size": Format.size(item.byteCount),
                    "writtenAgo": Format.ago(item.writtenAt, now),
                    "writtenAt": item.writtenAt.iso8601, "writtenURL": links?.eventURL(item.key),
                    "revealURL": isSecret && !isRevealed ? links?.revealURL(item.key) : nil,
                    "hideItemURL": isRevealed ? links?.pageURL : nil,
                    "unmasked": isRevealed ? links?.revealed?.value : nil,
                    "editURL": links?.editURL(item.key),
                ]
            },
        ]
    }
}
