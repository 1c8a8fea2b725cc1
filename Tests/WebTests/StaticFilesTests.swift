import FoundationEssentials
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) final class StaticFilesTests {
    private let folder: URL
    private let world = FrozenWorld()
    private let files: StaticFiles

    init() throws {
        let base = FileManager.default.temporaryDirectory.appending(
            path: "foyer-static-\(UUID().uuidString)")
        folder = base.appending(path: "Public")
        let world = world
        files = StaticFiles(folder: folder.path(), now: { world.now })
        try FileManager.default.createDirectory(
            at: folder.appending(path: "apps"), withIntermediateDirectories: true)
        try write("a{}", "apps/app.css")
        try write("secret", "../secret.txt")
        try write("hidden", ".hidden")
    }

    deinit { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path() + "/" + path))
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path() + "/" + path, withDestinationPath: target)
    }

    private func ask(_ path: String, tag: String? = nil) -> Response? {
        let headers: Headers = tag.map { ["If-None-Match": $0] } ?? [:]
        return files.response(
            path.split(separator: "/").map(String.init),
            to: Request(method: .get, target: "/assets/" + path, headers: headers))
    }

    private func text(_ response: Response?) -> String? {
        guard case .bytes(let bytes)? = response?.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a file comes with its type and its tag`() throws {
        let response = try #require(ask("apps/app.css"))
        #expect(response.status == 200)
        #expect(text(response) == "a{}")
        #expect(response.headers["Content-Type"] == "text/css; charset=utf-8")
        #expect(response.headers["Cache-Control"] == "no-cache")
    }

    @Test func `who has the file is told so`() throws {
        let tag = try #require(ask("apps/app.css")?.headers["ETag"])
        for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let response = try #require(ask("apps/app.css", tag: list))
            #expect(response.status == 304)
            #expect(response.headers["ETag"] == tag)
            #expect(text(response) == nil)
        }
        #expect(ask("apps/app.css", tag: "\"x\"")?.status == 200)
    }

    @Test func `a changed file is read again`() throws {
        let before = try #require(ask("apps/app.css"))
        try write("a{color:red}", "apps/app.css")
        world.advance(by: 1)
        let after = try #require(ask("apps/app.css"))
        #expect(text(after) == "a{color:red}")
        #expect(after.headers["ETag"] != before.headers["ETag"])
        try FileManager.default.removeItem(atPath: folder.path() + "/apps/app.css")
        world.advance(by: 1)
        #expect(ask("apps/app.css") == nil)
    }

    @Test func `nothing outside the folder is to be had`() throws {
        try link("out.txt", to: "../secret.txt")
        try link("up", to: "..")
        #expect(ask("out.txt") == nil)
        #expect(ask("up/secret.txt") == nil)
        #expect(ask(".hidden") == nil)
        #expect(ask("../secret.txt") == nil)
        #expect(ask("apps") == nil)
        #expect(ask("") == nil)
        #expect(ask("apps/app.css/x") == nil)
    }

    @Test func `files are joined in the order asked for, with a tag of their own`() throws {
        try write("b{}\n", "b.css")
        func joined(tag: String? = nil) -> Response? {
            files.joinedResponse(
                [["b.css"], ["none.css"], ["..", "secret.txt"], ["apps", "app.css"]],
                to: Request(
                    method: .get, target: "/assets/all.css",
                    headers: tag.map { ["If-None-Match": $0] } ?? [:]))
        }
        let whole = try #require(joined())
        #expect(text(whole) == "b{}\na{}")
        #expect(whole.headers["Content-Type"] == "text/css; charset=utf-8")
        let tag = try #require(whole.headers["ETag"])
        #expect(joined(tag: tag)?.status == 304)
        // One of them is another: so is the whole.
        try write("c{}\n", "b.css")
        world.advance(by: 1)
        let changed = try #require(joined(tag: tag))
        #expect(changed.status == 200)
        #expect(text(changed) == "c{}\na{}")
    }
}
