import BrowserCapture
import FoundationEssentials
import Templates
import Web

extension PictureTaker {
    /// The pictures of a report without those that fit no more, in bytes.
    private static let reportLimit = 96 << 20

    /// A page with all differences, complete in itself. `difference` has the marked picture of a
    /// difference.
    package func report(
        _ comparison: PictureComparison, _ before: PictureSet, _ after: PictureSet,
        difference: (PictureKey) -> [UInt8]?
    ) throws -> [UInt8] {
        let budget = Inliner.ByteBudget(Self.reportLimit)
        func url(_ bytes: [UInt8]?) -> String? {
            guard let bytes, budget.consume(bytes.count * 4 / 3) else { return nil }
            return "data:image/png;base64," + Data(bytes).base64EncodedString()
        }
        let changed = comparison.items.filter { $0.status != .same }
        let model: TemplateModel = [
            "pageTitle": "Storyboard differences", "summary": comparison.summary,
            "beforeName": before.folder, "afterName": after.folder,
            "createdAt": catalog.now.iso8601, "createdText": Format.dateTime(catalog.now),
            "items": changed.map { item in
                item.model(
                    title: "\(item.key.app) \(item.key.name)",
                    before: url(before.picture(item.key)), after: url(after.picture(item.key)),
                    difference: item.difference == nil ? nil : url(difference(item.key)))
            },
        ]
        let page = try catalog.services.templates.render(
            "storyboard/report", model, layout: "layouts/standalone")
        let inliner = Inliner(keepsScripts: true) { assets.bytes(at: $0) }
        return Array(inliner.makeSelfContained(String(decoding: page, as: UTF8.self)).utf8)
    }
}

extension PictureComparison {
    /// `2 different, 1 new, 43 unchanged`.
    package var summary: String {
        Status.allCases.compactMap { status in
            let count = items(status).count
            return count == 0 && status != .same ? nil : "\(Format.count(count)) \(status.label)"
        }.joined(separator: ", ")
    }
}

extension PictureComparison.Status {
    package var label: String {
        switch self {
        case .sizeChanged: "size changed"
        case .different: "different"
        case .new: "new"
        case .gone: "gone"
        case .same: "unchanged"
        }
    }

    var chip: ChipModel {
        let tone: ChipModel.Tone =
            switch self {
            case .sizeChanged, .different: .warn
            case .new: .accent
            case .gone: .bad
            case .same: .ok
            }
        return ChipModel(text: label.capitalizedFirst, tone: tone)
    }
}

extension PictureComparison.Item {
    /// The pictures of both sets (`storyboard/pictures`).
    func model(
        title: String, testID: String? = nil, href: String? = nil, before: String?,
        after: String?, difference: String?
    ) -> TemplateModel {
        [
            "title": title, "itemID": testID ?? key.name, "href": href,
            "variant": key.variant.label, "chip": status.chip, "text": text,
            "beforeURL": before, "afterURL": after,
            "differenceURL": difference, "hasBoth": before != nil && after != nil,
            // For the width on the page.
            "sizeID": key.variant.size,
        ]
    }
}
