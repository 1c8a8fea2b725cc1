import Apps
import FoundationEssentials
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) final class AppCatalogTests {
    /// A clock that goes on when told.
    private final class Watch: Sendable {
        private let now = Mutex(Date(timeIntervalSince1970: 1_795_271_700))

        func read() -> Date { now.withLock { $0 } }
        /// In seconds.
        func pass(_ time: Double) { now.withLock { $0 += time } }
    }

    private let folder: String
    private let watch = Watch()

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ id: String, _ text: String, in place: String? = nil) throws {
        let path = "\(place ?? folder)/\(id)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: "\(path)/app.json5"), options: .atomic)
    }

    private func catalogue(_ folders: [String]? = nil) -> AppCatalog {
        let watch = watch
        return AppCatalog(folders: folders ?? [folder]) { watch.read() }
    }

    private func names(_ catalogue: AppCatalog) -> [String] {
        catalogue.entries().map { entry in
            switch entry {
            case .app(let app): app.name
            case .broken(let id, _): "broken \(id)"
            }
        }
    }

    private func named(_ name: String, order: Int = 1) throws -> String {
        try Manifests.small(("name: 'Small'", "name: '\(name)', order: \(order)"))
    }

    @Test func `apps come by order and then name, the broken last`() throws {
        try write("a", try named("Later", order: 2))
        try write("b", try named("Zoo"))
        try write("c", try named("Ant"))
        try write("d", "{ name: 'Broken' }")
        #expect(names(catalogue()) == ["Ant", "Zoo", "Later", "broken d"])
    }

    @Test func `a broken manifest has its error and harms no other`() throws {
        try write("good", try named("Good"))
        try write("bad", "{ nam: 'x' }")
        let catalogue = catalogue()
        #expect(catalogue.app("good")?.name == "Good")
        #expect(catalogue.app("bad") == nil)
        guard case .broken("bad", let error)? = catalogue.entries().last else {
            Issue.record("nothing broken")
            return
        }
        #expect(error.file.hasSuffix("bad/app.json5"))
        #expect(error.path == "nam")
    }

    @Test func `whoever observes is told what came, changed and went`() throws {
        try write("a", try named("A"))
        try write("b", try named("B"))
        let catalogue = catalogue()
        let told = Mutex<[String]>([])
        catalogue.observe { changes in
            told.withLock { told in
                told += changes.map { change in
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
        watch.pass(AppCatalog.scanInterval)
        _ = catalogue.entries()
        watch.pass(AppCatalog.scanInterval)
        _ = catalogue.entries()
        #expect(told.withLock { $0 } == ["a broken", "b gone", "c C"])
    }

    @Test func `a changed manifest is read again, and a mended one runs`() throws {
        try write("a", "{")
        let catalogue = catalogue()
        #expect(names(catalogue) == ["broken a"])
        try write("a", try named("Mended"))
        watch.pass(AppCatalog.scanInterval)
        #expect(names(catalogue) == ["Mended"])
        try write("a", try named("Changed"))
        watch.pass(AppCatalog.scanInterval)
        #expect(catalogue.app("a")?.name == "Changed")
    }

    @Test func `who looks again sees what was saved a moment ago`() throws {
        try write("a", try named("A"))
        let catalogue = catalogue()
        try write("a", try named("Changed"))
        #expect(names(catalogue) == ["A"])
        catalogue.rescan()
        #expect(names(catalogue) == ["Changed"])
    }

    @Test func `an app that came or went is noticed`() throws {
        try write("a", try named("A"))
        let catalogue = catalogue()
        try write("b", try named("B"))
        watch.pass(AppCatalog.scanInterval)
        #expect(names(catalogue) == ["A", "B"])
        try FileManager.default.removeItem(atPath: "\(folder)/a")
        watch.pass(AppCatalog.scanInterval)
        #expect(names(catalogue) == ["B"])
    }

    @Test func `a folder that cannot be read for a while loses no app`() throws {
        try write("one", try named("One"))
        let catalogue = catalogue()
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "~")
        try Data().write(to: URL(filePath: folder))
        watch.pass(AppCatalog.scanInterval)
        #expect(names(catalogue) == ["One"])
        try FileManager.default.removeItem(atPath: folder)
        watch.pass(AppCatalog.scanInterval)
        #expect(names(catalogue) == [])
        try FileManager.default.moveItem(atPath: folder + "~", toPath: folder)
    }

    @Test func `the disk is left alone in between`() throws {
        try write("a", try named("A"))
        let catalogue = catalogue()
        try write("a", try named("B"))
        watch.pass(AppCatalog.scanInterval - 0.01)
        #expect(names(catalogue) == ["A"])
        watch.pass(0.02)
        #expect(names(catalogue) == ["B"])
    }

    @Test func `of two apps with one id the first folder's counts`() throws {
        let mine = folder + "/mine"
        let theirs = folder + "/theirs"
        try write("a", try named("Mine"), in: mine)
        try write("a", try named("Theirs"), in: theirs)
        try write("b", try named("Other"), in: theirs)
        #expect(names(catalogue([mine, theirs])) == ["Mine", "Other"])
    }

    @Test func `a folder without a manifest is no app`() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/parts", withIntermediateDirectories: true)
        #expect(catalogue().entries().isEmpty)
        #expect(catalogue(["/does/not/exist"]).entries().isEmpty)
    }

    @Test func `a folder's name that fits no address is told`() throws {
        try write("My App", try named("A"))
        #expect(names(catalogue()) == ["broken My App"])
    }

    @Test func `a manifest beyond all measure is not read`() throws {
        try write("a", String(repeating: " ", count: 2 << 20))
        #expect(names(catalogue()) == ["broken a"])
    }

    @Test func `many may ask at once while it changes`() async throws {
        try write("a", try named("A0"))
        let catalogue = catalogue()
        let watch = watch
        let seen = await withTaskGroup(of: Set<String?>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    Set(
                        (0..<200).map { _ in
                            watch.pass(0.05)
                            return catalogue.app("a")?.name
                        })
                }
            }
            for number in 1...20 {
                try? write("a", try named("A\(number)"))
                watch.pass(1)
                _ = catalogue.app("a")
            }
            return await group.reduce(into: Set<String?>()) { $0.formUnion($1) }
        }
        // Each saw a whole manifest, whichever it was at that moment.
        #expect(seen.isSubset(of: Set((0...20).map { "A\($0)" })))
        watch.pass(1)
        #expect(catalogue.app("a")?.name == "A20")
    }

    @Test func `the project's own manifests are whole`() {
        let catalogue = catalogue([Manifests.root.appending(path: "templates/apps").path])
        #expect(names(catalogue).starts(with: ["Mystica", "Mystica instant play"]))
        #expect(!names(catalogue).contains { $0.hasPrefix("broken") })
    }
}
