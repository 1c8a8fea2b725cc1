import FoundationEssentials
import Support
import Testing
import Web

@testable import SQLite

/// Data folders as earlier versions left them, opened by this one.
///
/// `Landed/VERSION` holds the three databases as text, `dump.py` writes it. In
/// each, one person has registered in Mystica.
@Suite(.timeLimit(.minutes(10))) struct LandedFilesTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast().reduce(into: "") {
            $0 += "/" + $1
        } + "/Landed/"

    /// What sealed the tokens and keys in them.
    private static let sealingKey = String(repeating: "0", count: 63) + "7"

    private func lay(_ version: String, in scratch: TemporaryDirectory) throws {
        try FileManager.default.createDirectory(
            atPath: scratch.data, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for name in ["devices", "traffic", "backend"] {
            let handle = try Handle(path: make("\(name).sqlite", "", in: scratch))
            let dump = scratch.read("\(Self.folder)\(version)/\(name).sql")
            try #require(!dump.isEmpty)
            try handle.execute(script: dump)
            handle.close()
        }
        _ = try make("sealing.key", Self.sealingKey, in: scratch)
    }

    /// Makes a file that its owner alone can read; its path.
    private func make(_ name: String, _ text: String, in scratch: TemporaryDirectory) throws
        -> String
    {
        let path = scratch.write("data/" + name, text)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    @Test(arguments: ["first", "second", "newest"])
    func `what an earlier version stored is shown, searched and goes on`(version: String)
        async throws
    {
        let scratch = try TemporaryDirectory()
        try lay(version, in: scratch)
        // What they hold grows old with the years, and is to be shown.
        let foyer = try await FoyerProcess.start(in: scratch, ["--keep-days", "3650"])
        let browser = try foyer.visitor()
        func only(_ list: String) async throws -> JSON {
            let found = try await browser.json("GET", list)
            #expect(found["total"]?.int == 1, "\(list)")
            return try #require(found["items"]?[0])
        }
        let account = try await only("/api/accounts?q=landed")
        let mail = try await only("/api/mailbox?to=landed@example.com")
        let exchange = try await only("/api/exchanges?q=landed&app=mystica&call=register")
        let session = try await only("/api/sessions?q=landed")
        #expect(account["email"]?.string == "landed@example.com")
        #expect(mail["link"]?.string?.contains("token=") == true)
        #expect(exchange["status"]?.int == 200)
        #expect(session["user"]?["email"]?.string == "landed@example.com")

        // What was kept is put back, where that version kept anything.
        let kept = try await browser.json("GET", "/api/snapshots")["items"]?[0]?["id"]?.string
        #expect((kept == nil) == (version == "first"))
        if let kept { _ = try await browser.json("POST", "/api/snapshots/\(kept)/restore") }

        // The tokens are opened, and the backend knows them still.
        let id = try #require(session["id"]?.string)
        let refreshed = try await browser.json("POST", "/api/sessions/\(id)/refresh")
        #expect(refreshed["state"]?.string == "active")

        // The password is known, on another phone.
        let person = try #require(account["id"]?.string)
        _ = try await browser.json("PATCH", "/api/accounts/\(person)", json: ["verified": true])
        let phone = try await browser.makeDevice()
        _ = try await browser.send("POST", "/apps/mystica/splash/launch", device: phone, form: [])
        let answer = try await browser.send(
            "POST", "/apps/mystica/login/submit", device: phone,
            form: [("email", "landed@example.com"), ("password", TestBrowser.mark + "-journey")])
        #expect(answer["Location"] == "/apps/mystica/map")
        let sessions = try await browser.json("GET", "/api/sessions?q=landed")
        #expect(sessions["total"]?.int == 2)
        #expect(await foyer.stop() == 0)
    }
}
