package import BrowserCapture
import Web

/// The differences between two picture sets.
package struct PictureComparison: Sendable {
    /// What differs first, then new, gone and equal pictures.
    package let items: [Item]

    /// The pictures of one state in both sets.
    package struct Item: Sendable {
        package let key: PictureKey
        package let status: Status
        /// How they differ; nil if one is missing, or if nothing could compare them.
        package var difference: PictureDifference?
    }

    package enum Status: String, Sendable, CaseIterable {
        case sizeChanged, different, new, gone, same
    }

    package func items(_ status: Status...) -> [Item] {
        items.filter { status.contains($0.status) }
    }

    package var hasDifferences: Bool { items.contains { $0.status != .same } }

    /// How many pictures are compared at the same time.
    private static let concurrency = SharedBrowser.tabLimit

    /// Compares the pictures of two sets that `isIncluded` selects. `order` has the known pictures
    /// in the order of the storyboard; others follow. `difference` compares two pictures that are
    /// not equal to the bit.
    package init(
        _ before: PictureSet, _ after: PictureSet, order: [PictureKey],
        isIncluded: (PictureKey) -> Bool,
        difference:
            @escaping @Sendable (PictureKey, _ before: [UInt8], _ after: [UInt8]) async throws ->
            PictureDifference?
    ) async throws {
        let known = Set(order)
        let all = Set(before.files.keys).union(after.files.keys)
        let others = all.subtracting(known).sorted { ($0.app, $0.name) < ($1.app, $1.name) }
        let keys = (order.filter(all.contains) + others).filter(isIncluded)
        let compared = try await withThrowingTaskGroup(of: (Int, Item).self) { group in
            var items: [(Int, Item)] = []
            for (index, key) in keys.enumerated() {
                if index >= Self.concurrency, let item = try await group.next() {
                    items.append(item)
                }
                group.addTask {
                    (
                        index,
                        try await Self.compare(
                            key, before.picture(key), after.picture(key), difference)
                    )
                }
            }
            for try await item in group { items.append(item) }
            return items.sorted { $0.0 < $1.0 }.map { $1 }
        }
        items = Status.allCases.flatMap { status in compared.filter { $0.status == status } }
    }

    private static func compare(
        _ key: PictureKey, _ before: [UInt8]?, _ after: [UInt8]?,
        _ difference:
            @Sendable (PictureKey, _ before: [UInt8], _ after: [UInt8]) async throws ->
            PictureDifference?
    ) async throws -> Item {
        guard let before else { return Item(key: key, status: .new) }
        guard let after else { return Item(key: key, status: .gone) }
        if before == after { return Item(key: key, status: .same) }
        guard let found = try await difference(key, before, after) else {
            return Item(key: key, status: .different)
        }
        let status: Status =
            found.hasOtherSize ? .sizeChanged : found.pixels > 0 ? .different : .same
        return Item(key: key, status: status, difference: found)
    }
}

extension PictureComparison.Item {
    /// `1,204 pixels, 0.1 %`; empty for a picture that is only in one set.
    package var text: String {
        guard let difference, status != .same else { return "" }
        let percent = difference.percent
        let percentText =
            percent > 0 && percent < 0.1 ? "less than 0.1" : Format.oneDecimal(percent)
        let pixels = Format.count(difference.pixels, "pixel") + ", \(percentText) %"
        guard difference.hasOtherSize else { return pixels }
        let sizes = [difference.before, difference.after].map { size in
            size.map(String.init).joined(separator: " × ")
        }
        return "\(sizes[0]) before, \(sizes[1]) now; \(pixels)"
    }
}
