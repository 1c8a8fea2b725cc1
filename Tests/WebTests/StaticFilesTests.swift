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

    private func fetch(_ path: String, tag: String? = nil) -> Response? {
        let headers: Headers = tag.map { ["If-None-Match": $0] } ?? [:]
        return files.response(
            path.split(separator: "/").map(String.init),
            to: Request(method: .get, target: "/assets/" + path, headers: headers))
    }

    private func text(_ response: Response?) -> String? {
        guard case .bytes(let bytes)? = response?.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a file is served with its content type and no-cache`() throws {
        let response = try #require(fetch("apps/app.css"))
        #expect(response.status == 200)
        #expect(text(response) == "a{}")
        #expect(response.headers["Content-Type"] == "text/css; charset=utf-8")
        #expect(response.headers["Cache-Control"] == "no-cache")
    }

    @Test func `a client with the current file gets 304`() throws {
        let tag = try #require(fetch("apps/app.css")?.headers["ETag"])
        for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let response = try #require(fetch("apps/app.css", tag: list))
            #expect(response.status == 304)
            #expect(response.headers["ETag"] == tag)
            #expect(text(response) == nil)
        }
        #expect(fetch("apps/app.css", tag: "\"x\"")?.status == 200)
    }

    @Test func `a changed file is read again`() throws {
        let before = try #require(fetch("apps/app.css"))
        try write("a{color:red}", "apps/app.css")
        world.advance(by: 1)
        let after = try #require(fetch("apps/app.css"))
        #expect(text(after) == "a{color:red}")
        #expect(after.headers["ETag"] != before.headers["ETag"])
        try FileManager.default.removeItem(atPath: folder.path() + "/apps/app.css")
        world.advance(by: 1)
        #expect(fetch("apps/app.css") == nil)
    }

    @Test func `only visible files inside the folder are served`() throws {
        try link("out.txt", to: "../secret.txt")
        try link("up", to: "..")
        #expect(fetch("out.txt") == nil)
        #expect(fetch("up/secret.txt") == nil)
        #expect(fetch(".hidden") == nil)
        #expect(fetch("../secret.txt") == nil)
        #expect(fetch("apps") == nil)
        #expect(fetch("") == nil)
        #expect(fetch("apps/app.css/x") == nil)
    }

    @Test func `files are joined in the given order, with their own ETag`() throws {
        try write("b{}\n", "b.css")
        func joined(tag: String? = nil) -> Response? {
            files.joinedResponse(
                [["b.css"], ["none.css"], ["..", "secret.txt"], ["apps", "app.css"]],
                to: Request(
                    method: .get, target: "/assets/all.css",
                    headers: tag.map { ["If-None-Match": $0] } ?? [:]))
        }
        let first = try #require(joined())
        #expect(text(first) == "b{}\na{}")
        #expect(first.headers["Content-Type"] == "text/css; charset=utf-8")
        let tag = try #require(first.headers["ETag"])
        #expect(joined(tag: tag)?.status == 304)
        // One file changes, and with it the joined file.
        try write("c{}\n", "b.css")
        world.advance(by: 1)
        let changed = try #require(joined(tag: tag))
        #expect(changed.status == 200)
        #expect(text(changed) == "c{}\na{}")
    }
}
