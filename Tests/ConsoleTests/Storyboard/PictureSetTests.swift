import BrowserCapture
import Core
import FoundationEssentials
import Storyboards
import Support
import Testing
import Web

@testable import Console

/// Picture sets and their differences, without a browser.
@Suite(.timeLimit(.minutes(10))) struct PictureSetTests {
    private static let variant = PictureOptions().variants[0]

    private func key(_ name: String, app: String = "atlas") -> PictureKey {
        PictureKey(app: app, variant: Self.variant, name: name)
    }

    @Test func `a picture is found by what it shows, wherever its set has it`() {
        var options = PictureOptions()
        options.apps = ["atlas"]
        let dark = PictureVariant(size: "ipad", appearance: "dark", textSize: "default")
        #expect(PictureKey(path: "login-default.png", in: options) == key("login-default"))
        #expect(
            PictureKey(path: "ipad/dark/login-default.png", in: options)
                == PictureKey(app: "atlas", variant: dark, name: "login-default"))
        #expect(PictureKey(path: "other/login-default.png", in: options) == nil)
        #expect(PictureKey(path: "login-default.txt", in: options) == nil)
        options.apps = []
        #expect(PictureKey(path: "atlas/login-default.png", in: options) == key("login-default"))
        #expect(PictureKey(path: "login-default.png", in: options) == nil)
        #expect(PictureKey(path: "differences/login-default.png", in: options) == nil)
    }

    @Test func `every picture of a run is found again`() throws {
        var options = PictureOptions()
        options.sizes = StoryboardCatalog.sizes
        options.appearances = StoryboardCatalog.appearances
        options.textSizes = StoryboardCatalog.textSizes
        for apps in [[], ["atlas"], ["atlas", "bay"]] {
            options.apps = apps
            let state = StateID(app: "atlas", screen: "login", state: "error.email")
            for variant in options.variants {
                let found = PictureKey(path: options.fileName(state, variant), in: options)
                #expect(found == PictureKey(state, variant))
            }
        }
    }

    @Test func `a set says how it was taken; one that does not is read from its folders`() throws {
        let folder = TestFolder()
        var options = PictureOptions()
        options.apps = ["atlas"]
        options.sizes = ["ipad"]
        options.isFullLength = true
        let written = try PictureFolder(folder.path)
        try written.writeInfo(options, at: FrozenWorld.noon)
        try written.write(TestFolder.png(1), "login-default.png")
        let set = try #require(PictureSet(folder.path))
        #expect(set.options == options)
        #expect(set.takenAt == FrozenWorld.noon)
        #expect(set.files.keys.map(\.variant.size) == ["ipad"])
        written.remove(PictureSet.infoFile)
        try written.write(TestFolder.png(1), "bay/dark/login-default.png")
        let old = try #require(PictureSet(folder.path))
        #expect(old.takenAt == nil)
        #expect(old.options.appearances == ["dark"])
        #expect(old.files.keys.map(\.app) == ["bay"])
    }

    @Test func `only PNGs inside the folder are read`() throws {
        let folder = TestFolder()
        let outside = TestFolder()
        try PictureFolder(outside.path).write(TestFolder.png(1), "secret.png")
        let written = try PictureFolder(folder.path)
        try written.write(Array("text".utf8), "login-default.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/login-linked.png",
            withDestinationPath: outside.path + "/secret.png")
        var options = PictureOptions()
        options.apps = ["atlas"]
        try written.writeInfo(options, at: FrozenWorld.noon)
        let set = try #require(PictureSet(folder.path))
        #expect(set.picture(key("login-default")) == nil)
        #expect(set.picture(key("login-linked")) == nil)
        let path = outside.path.split(separator: "/").last ?? ""
        #expect(set.picture("../\(path)/secret.png") == nil)
    }

    @Test func `pictures are different, new, gone, of another size or equal`() async throws {
        let folders = [TestFolder(), TestFolder()]
        var options = PictureOptions()
        options.apps = ["atlas"]
        let pictures: [[(String, UInt8)]] = [
            [("a", 1), ("b", 1), ("gone", 1), ("size", 1), ("close", 1)],
            [("a", 1), ("b", 2), ("new", 1), ("size", 3), ("close", 4)],
        ]
        for (folder, pictures) in zip(folders, pictures) {
            let written = try PictureFolder(folder.path)
            try written.writeInfo(options, at: FrozenWorld.noon)
            for (name, content) in pictures {
                try written.write(TestFolder.png(content), "\(name).png")
            }
        }
        let sets = try folders.map { try #require(PictureSet($0.path)) }
        let comparison = try await PictureComparison(
            sets[0], sets[1], order: ["close", "size", "new", "b", "a"].map { key($0) },
            isIncluded: { _ in true }
        ) { key, _, _ in
            PictureDifference(
                pixels: key.name == "close" ? 0 : 20, total: 40_000, before: [10, 10],
                after: key.name == "size" ? [10, 20] : [10, 10])
        }
        #expect(comparison.items.map(\.key.name) == ["size", "b", "new", "gone", "close", "a"])
        #expect(
            comparison.items.map(\.status) == [
                .sizeChanged, .different, .new, .gone, .same, .same,
            ])
        #expect(comparison.hasDifferences)
        #expect(comparison.summary == "1 size changed, 1 different, 1 new, 1 gone, 2 unchanged")
        #expect(comparison.items[1].text == "20 pixels, less than 0.1 %")
        #expect(
            comparison.items[0].text
                == "10 × 10 before, 10 × 20 now; 20 pixels, less than 0.1 %")
    }
}

/// A folder that is deleted with this object.
final class TestFolder: Sendable {
    let path = "/tmp/foyer-pictures-\(UUID().uuidString)"

    init() {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The beginning of a PNG; `content` makes it different from others.
    static func png(_ content: UInt8) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + [0, 0, 0, 10, 0, 0, 0, 10, 8, 2, content, content]
    }
}
