import Apps
import FoundationEssentials
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) final class AppCatalogTests {
    /// A clock that the test advances.
    private final class ManualClock: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_795_271_700))

        var now: Date { time.withLock { $0 } }

        func advance(by seconds: Double) { time.withLock { $0 += seconds } }
    }

    private let folder: String
    private let clock = ManualClock()

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ id: String, _ text: String, in parent: String? = nil) throws {
        let path = "\(parent ?? folder)/\(id)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: "\(path)/app.json5"), options: .atomic)
    }

    /// A catalog whose folders have been read.
    private func catalog(_ folders: [String]? = nil) -> AppCatalog {
        let clock = clock
        let catalog = AppCatalog(folders: folders ?? [folder]) { clock.now }
        _ = catalog.entries()
        return catalog
    }

    private func names(_ catalog: AppCatalog) -> [String] {
        catalog.entries().map { entry in
            switch entry {
            case .app(let app): app.name
            case .broken(let id, _): "broken \(id)"
            }
        }
    }

    private func named(_ name: String, order: Int = 1) throws -> String {
        try Manifests.small(("name: 'Small'", "name: '\(name)', order: \(order)"))
    }

    @Test func `apps are sorted by order and then name, with broken ones last`() throws {
        try write("a", try named("Later", order: 2))
        try write("b", try named("Zoo"))
        try write("c", try named("Ant"))
        try write("d", "{ name: 'Broken' }")
        #expect(names(catalog()) == ["Ant", "Zoo", "Later", "broken d"])
    }

    @Test func `a broken manifest has its error and does not affect other apps`() throws {
        try write("good", try named("Good"))
        try write("bad", "{ nam: 'x' }")
        let catalog = catalog()
        #expect(catalog.app("good")?.name == "Good")
        #expect(catalog.app("bad") == nil)
        guard case .broken("bad", let error)? = catalog.entries().last else {
            Issue.record("the last entry is not broken")
            return
        }
        #expect(error.file.hasSuffix("bad/app.json5"))
        #expect(error.path == "nam")
    }

    @Test func `the folders are read at the first access`() throws {
        let clock = clock
        let catalog = AppCatalog(folders: [folder]) { clock.now }
        try write("a", try named("A"))
        #expect(catalog.app("a")?.name == "A")
    }

    @Test func `an observer receives the added, changed and removed apps`() throws {
        try write("a", try named("A"))
        try write("b", try named("B"))
        let catalog = catalog()
        let received = Mutex<[String]>([])
        catalog.observe { changes in
            received.withLock { received in
                received += changes.map { change in
                    switch change.entry {
                    case .app(let app): "\(change.id) \(app.name)"
                    case .broken: "\(change.id) broken"
                    case nil: "\(change.id) gone"
                    }
                }
            }
        }
        try write("a", "{")
        try write("c", try named("C"))
        try FileManager.default.removeItem(atPath: "\(folder)/b")
        clock.advance(by: AppCatalog.scanInterval)
        _ = catalog.entries()
        clock.advance(by: AppCatalog.scanInterval)
        _ = catalog.entries()
        #expect(received.withLock { $0 } == ["a broken", "b gone", "c C"])
    }

    @Test func `a changed manifest is read again, and a fixed one loads`() throws {
        try write("a", "{")
        let catalog = catalog()
        #expect(names(catalog) == ["broken a"])
        try write("a", try named("Fixed"))
        clock.advance(by: AppCatalog.scanInterval)
        #expect(names(catalog) == ["Fixed"])
        try write("a", try named("Changed"))
        clock.advance(by: AppCatalog.scanInterval)
        #expect(catalog.app("a")?.name == "Changed")
    }

    @Test func `a rescan reads a manifest saved since the last scan`() throws {
        try write("a", try named("A"))
        let catalog = catalog()
        try write("a", try named("Changed"))
        #expect(names(catalog) == ["A"])
        catalog.rescan()
        #expect(names(catalog) == ["Changed"])
    }

    @Test func `added and removed apps are detected`() throws {
        try write("a", try named("A"))
        let catalog = catalog()
        try write("b", try named("B"))
        clock.advance(by: AppCatalog.scanInterval)
        #expect(names(catalog) == ["A", "B"])
        try FileManager.default.removeItem(atPath: "\(folder)/a")
        clock.advance(by: AppCatalog.scanInterval)
        #expect(names(catalog) == ["B"])
    }

    @Test func `apps stay while their folder is unreadable and go when it is deleted`() throws {
        try write("one", try named("One"))
        let catalog = catalog()
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "~")
        try Data().write(to: URL(filePath: folder))
        clock.advance(by: AppCatalog.scanInterval)
        #expect(names(catalog) == ["One"])
        try FileManager.default.removeItem(atPath: folder)
        clock.advance(by: AppCatalog.scanInterval)
        #expect(names(catalog) == [])
        try FileManager.default.moveItem(atPath: folder + "~", toPath: folder)
    }

    @Test func `the folders are not read again within the scan interval`() throws {
        try write("a", try named("A"))
        let catalog = catalog()
        try write("a", try named("B"))
        clock.advance(by: AppCatalog.scanInterval - 0.01)
        #expect(names(catalog) == ["A"])
        clock.advance(by: 0.02)
        #expect(names(catalog) == ["B"])
    }

    @Test func `of two apps with one id, the first folder's is used`() throws {
        let firstFolder = folder + "/mine"
        let secondFolder = folder + "/theirs"
        try write("a", try named("Mine"), in: firstFolder)
        try write("a", try named("Theirs"), in: secondFolder)
        try write("b", try named("Other"), in: secondFolder)
        #expect(Set(names(catalog([firstFolder, secondFolder]))) == ["Mine", "Other"])
    }

    @Test func `a broken manifest keeps the name and look that can be read`() throws {
        try write(
            "a", "{ name: 'Red', order: 4, look: { background: '#112233' }, screens: { x: }")
        let identity = catalog().identity(ofApp: "a")
        #expect(identity.name == "Red" && identity.order == 4)
        #expect(identity.look?.background == "#112233")
    }

    @Test func `the user's own apps come first, a broken one included`() throws {
        let own = folder + "/own"
        let bundled = folder + "/bundled"
        try write("a", try named("Ant"), in: bundled)
        try write("z", try named("Zoo", order: 2), in: own)
        try write("m", try named("Mine"), in: own)
        let catalog = catalog([bundled, own])
        #expect(names(catalog) == ["Mine", "Zoo", "Ant"])
        try write("m", "{", in: own)
        catalog.rescan()
        #expect(names(catalog) == ["broken m", "Zoo", "Ant"])
        #expect(catalog.identity(ofApp: "m").name == "Mine")
        #expect(catalog.brokenAppsText == "Manifest errors in Mine (m)")
        try write("z", "{ name: 'Zoo', nmae: 3 }", in: own)
        catalog.rescan()
        #expect(catalog.brokenAppsText == "Manifest errors in 2 apps: Mine (m), Zoo (z)")
        #expect(catalog.isOwn("m") && !catalog.isOwn("a"))
    }

    @Test func `a folder without a manifest is not an app`() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/parts", withIntermediateDirectories: true)
        #expect(catalog().entries().isEmpty)
        #expect(catalog(["/does/not/exist"]).entries().isEmpty)
    }

    @Test func `a folder name that is not a valid app id is an error`() throws {
        try write("My App", try named("A"))
        #expect(names(catalog()) == ["broken My App"])
    }

    @Test func `an oversized manifest is not read`() throws {
        try write("a", String(repeating: " ", count: 2 << 20))
        #expect(names(catalog()) == ["broken a"])
    }

    @Test func `concurrent reads during changes see complete manifests`() async throws {
        try write("a", try named("A0"))
        let catalog = catalog()
        let clock = clock
        let seen = await withTaskGroup(of: Set<String?>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    Set(
                        (0..<200).map { _ in
                            clock.advance(by: 0.05)
                            return catalog.app("a")?.name
                        })
                }
            }
            for number in 1...20 {
                try? write("a", try named("A\(number)"))
                clock.advance(by: 1)
                _ = catalog.app("a")
            }
            return await group.reduce(into: Set<String?>()) { $0.formUnion($1) }
        }
        // Every read returned one of the complete manifests.
        #expect(seen.isSubset(of: Set((0...20).map { "A\($0)" })))
        clock.advance(by: 1)
        #expect(catalog.app("a")?.name == "A20")
    }

    @Test func `the bundled manifests load without errors`() {
        let catalog = catalog([Manifests.root.appending(path: "templates/apps").path])
        #expect(names(catalog).starts(with: ["Mystica", "Mystica instant play"]))
        #expect(!names(catalog).contains { $0.hasPrefix("broken") })
    }
}
