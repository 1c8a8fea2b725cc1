import FoundationEssentials
import Support
import Testing
import Web

@testable import SQLite

/// Data folders of earlier versions, opened by this version.
///
/// `Landed/VERSION` contains the three databases as SQL, written by `dump.py`. In each, one user
/// has registered with Mystica.
@Suite(.timeLimit(.minutes(10))) struct LandedFilesTests {
    private static let folder =
        #filePath.split(separator: "/").dropLast().reduce(into: "") {
            $0 += "/" + $1
        } + "/Landed/"

    /// The key with which the tokens and keys in them are sealed.
    private static let sealingKey = String(repeating: "0", count: 63) + "7"

    private func restore(_ version: String, in scratch: TemporaryDirectory) throws {
        try FileManager.default.createDirectory(
            atPath: scratch.data, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for name in ["devices", "traffic", "backend"] {
            let handle = try Handle(path: write("\(name).sqlite", "", in: scratch))
            let dump = scratch.read("\(Self.folder)\(version)/\(name).sql")
            try #require(!dump.isEmpty)
            try handle.execute(script: dump)
            handle.close()
        }
        _ = try write("sealing.key", Self.sealingKey, in: scratch)
    }

    /// Writes a file that only its owner can read; returns its path.
    private func write(_ name: String, _ text: String, in scratch: TemporaryDirectory) throws
        -> String
    {
        let path = scratch.write("data/" + name, text)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    @Test(arguments: ["first", "second", "newest"])
    func `data of an earlier version is shown, found by a search and still works`(version: String)
        async throws
    {
        let scratch = try TemporaryDirectory()
        try restore(version, in: scratch)
        // The data grows older with the years and must not expire.
        let foyer = try await FoyerProcess.start(in: scratch, ["--keep-days", "3650"])
        let browser = try foyer.browser()
        func onlyItem(_ path: String) async throws -> JSON {
            let list = try await browser.json("GET", path)
            #expect(list["total"]?.int == 1, "\(path)")
            return try #require(list["items"]?[0])
        }
        let account = try await onlyItem("/api/accounts?q=landed")
        let mail = try await onlyItem("/api/mailbox?to=landed@example.com")
        let exchange = try await onlyItem("/api/exchanges?q=landed&app=mystica&call=register")
        let session = try await onlyItem("/api/sessions?q=landed")
        #expect(account["email"]?.string == "landed@example.com")
        #expect(mail["link"]?.string?.contains("token=") == true)
        #expect(exchange["status"]?.int == 200)
        #expect(session["user"]?["email"]?.string == "landed@example.com")

        // Restores the snapshot, if that version has one.
        let snapshotID = try await browser.json("GET", "/api/snapshots")["items"]?[0]?["id"]?.string
        #expect((snapshotID == nil) == (version == "first"))
        if let snapshotID {
            _ = try await browser.json("POST", "/api/snapshots/\(snapshotID)/restore")
        }

        // The tokens can be unsealed, and the backend still accepts them.
        let id = try #require(session["id"]?.string)
        let refreshed = try await browser.json("POST", "/api/sessions/\(id)/refresh")
        #expect(refreshed["state"]?.string == "active")

        // The password works on another device.
        let accountID = try #require(account["id"]?.string)
        _ = try await browser.json("PATCH", "/api/accounts/\(accountID)", json: ["verified": true])
        let device = try await browser.makeDevice()
        _ = try await browser.send("POST", "/apps/mystica/splash/launch", device: device, form: [])
        let response = try await browser.send(
            "POST", "/apps/mystica/login/submit", device: device,
            form: [
                ("email", "landed@example.com"),
                ("password", TestBrowser.passwordPrefix + "-journey"),
            ])
        #expect(response["Location"] == "/apps/mystica/map")
        let sessions = try await browser.json("GET", "/api/sessions?q=landed")
        #expect(sessions["total"]?.int == 2)
        #expect(await foyer.stop() == 0)
    }
}
