import FoundationEssentials
package import Storyboards
import Web

/// Which pictures of a storyboard are taken, and how: those of a run of `foyer storyboard`, or of a
/// picture set.
package struct PictureOptions: Sendable, Equatable {
    /// The apps; empty means all.
    package var apps: [String] = []
    package var sizes = Array(StoryboardCatalog.sizes.prefix(1))
    package var appearances = Array(StoryboardCatalog.appearances.prefix(1))
    package var textSizes = Array(StoryboardCatalog.textSizes.prefix(1))
    /// Pixels per point.
    package var scale = 2
    /// Whether a picture shows all of a screen that scrolls.
    package var isFullLength = false

    package init() {}

    package var variants: [PictureVariant] {
        sizes.flatMap { size in
            appearances.flatMap { appearance in
                textSizes.map {
                    PictureVariant(size: size, appearance: appearance, textSize: $0)
                }
            }
        }
    }

    /// The path of a picture in its set: a folder for each dimension with several values, so that a
    /// state has the same file name everywhere.
    package func fileName(_ state: StateID, _ variant: PictureVariant) -> String {
        var parts: [String] = []
        if apps.count != 1 { parts.append(state.app) }
        if sizes.count > 1 { parts.append(variant.size) }
        if appearances.count > 1 { parts.append(variant.appearance) }
        if textSizes.count > 1 { parts.append(variant.textSize) }
        parts.append(PictureKey(state, variant).name + ".png")
        return parts.joined(separator: "/")
    }
}

/// How a screen is displayed on a picture.
package struct PictureVariant: Sendable, Hashable {
    package var size: String
    package var appearance: String
    package var textSize: String

    /// The query of the state's URL.
    var items: [(String, String?)] {
        [("size", size), ("appearance", appearance), ("text", textSize)]
    }

    /// `iPhone 15, dark`: the size, and the others if they are not the default.
    package var label: String {
        let defaults = PictureOptions()
        return
            ([DeviceSizes.size(size)?.label ?? size]
            + [appearance].filter { !defaults.appearances.contains($0) }
            + [textSize].filter { !defaults.textSizes.contains($0) }.map { "text \($0)" })
            .joined(separator: ", ")
    }
}

/// What a picture shows.
package struct PictureKey: Sendable, Hashable {
    package var app: String
    package var variant: PictureVariant
    /// `login-default`: the screen and its state.
    package var name: String
}

extension PictureKey {
    package init(_ state: StateID, _ variant: PictureVariant) {
        self.init(app: state.app, variant: variant, name: "\(state.screen)-\(state.state)")
    }

    /// Reads the path of a picture in a set; nil if it is none of its pictures. What its folders do
    /// not name is the same in all of the set.
    init?(path: String, in options: PictureOptions) {
        guard path.hasSuffix(".png") else { return nil }
        var parts = path.split(separator: "/").map(String.init)
        name = String(parts.removeLast().dropLast(4))
        variant = options.variants.first ?? .init(size: "", appearance: "", textSize: "")
        app = options.apps.count == 1 ? options.apps[0] : ""
        for (index, part) in parts.enumerated() {
            if StoryboardCatalog.sizes.contains(part) {
                variant.size = part
            } else if StoryboardCatalog.appearances.contains(part) {
                variant.appearance = part
            } else if StoryboardCatalog.textSizes.contains(part) {
                variant.textSize = part
            } else if index == 0, part != PictureSet.differencesFolder, options.apps.count != 1 {
                app = part
            } else {
                return nil
            }
        }
        guard !app.isEmpty else { return nil }
    }
}

// MARK: The file of a set

extension PictureOptions {
    var json: JSON {
        func list(_ values: [String]) -> JSON { .array(values.map(JSON.string)) }
        return [
            "apps": list(apps), "sizes": list(sizes), "appearances": list(appearances),
            "textSizes": list(textSizes), "scale": JSON(scale), "fullLength": .bool(isFullLength),
        ]
    }

    /// Unknown values are left out; a missing member is that of `other`.
    init(_ json: JSON, or other: PictureOptions) {
        self = other
        func list(_ name: String, of choices: [String]?) -> [String]? {
            let values = json[name]?.elements.compactMap(\.string)
            return choices.map { choices in choices.filter { values?.contains($0) ?? false } }?
                .nonEmpty ?? (choices == nil ? values : nil)
        }
        apps = list("apps", of: nil) ?? apps
        sizes = list("sizes", of: StoryboardCatalog.sizes) ?? sizes
        appearances = list("appearances", of: StoryboardCatalog.appearances) ?? appearances
        textSizes = list("textSizes", of: StoryboardCatalog.textSizes) ?? textSizes
        scale = json["scale"]?.int.flatMap { (1...4).contains($0) ? Int($0) : nil } ?? scale
        isFullLength = json["fullLength"] == true
    }

    /// The options of a set without a file, by the folders of its pictures.
    init(paths: [String], or other: PictureOptions) {
        self = other
        let folders = paths.map { $0.split(separator: "/").dropLast().map(String.init) }
        let names = Set(folders.joined())
        sizes = StoryboardCatalog.sizes.filter(names.contains).nonEmpty ?? sizes
        appearances = StoryboardCatalog.appearances.filter(names.contains).nonEmpty ?? appearances
        textSizes = StoryboardCatalog.textSizes.filter(names.contains).nonEmpty ?? textSizes
        let known = Set(
            StoryboardCatalog.sizes + StoryboardCatalog.appearances + StoryboardCatalog.textSizes
                + [PictureSet.differencesFolder])
        // Several apps have a folder each.
        if folders.contains(where: { $0.first.map { !known.contains($0) } ?? false }) { apps = [] }
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
