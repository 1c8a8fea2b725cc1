import Core
import Simulator
import Support
import Testing
import Web

@testable import Console

/// The device id that a browser gets with its first page; the device is created at first use.
@Suite(.timeLimit(.minutes(10))) struct DeferredDevicesTests {
    private static let pages = ["/", "/sessions", "/traffic", "/mailbox"]

    @Test(arguments: pages)
    func `the first page hands out a device id and its first use creates the device`(
        first: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let session = try await fixture.keyCookie()
        let cookie = try #require(await fixture.browse(first, session).deviceCookie)
        #expect(try await fixture.deviceCount == 0)
        let current = await fixture.current(cookie)
        #expect(current.status == 200)
        let id = try #require(current.json["id"]?.string)
        #expect(cookie.hasPrefix("foyer_device_7070=\(id)."))
        #expect(await fixture.current(cookie).json["id"]?.string == id)
        #expect(try await fixture.deviceCount == 1)
    }

    @Test(arguments: pages) func `a browser with a deferred device gets no other`(page: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let session = try await fixture.keyCookie()
        let cookie = try #require(await fixture.browse("/", session).deviceCookie)
        let cookies = "\(session); \(cookie)"
        #expect(await fixture.browse(page, cookies).deviceCookie == nil)
        _ = await fixture.current(cookie)
        #expect(await fixture.browse(page, cookies).deviceCookie == nil)
    }

    @Test(arguments: ["/apps/mystica/login", "/studio/mystica"])
    func `opening an app creates the deferred device and sets its plain cookie`(address: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let session = try await fixture.keyCookie()
        let deferredCookie = try #require(await fixture.browse("/", session).deviceCookie)
        let plainCookie = try #require(
            await fixture.browse(address, "\(session); \(deferredCookie)").deviceCookie)
        let id = try #require(await fixture.current(deferredCookie).json["id"]?.string)
        #expect(plainCookie == "foyer_device_7070=\(id)")
        #expect(await fixture.browse(address, "\(session); \(plainCookie)").deviceCookie == nil)
        #expect(try await fixture.deviceCount == 1)
    }

    @Test func `concurrent first uses create one device`() async throws {
        let fixture = try await FoyerFixture()
        let session = try await fixture.keyCookie()
        let cookie = try #require(await fixture.browse("/", session).deviceCookie)
        let ids = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 { group.addTask { await fixture.current(cookie).json["id"]?.string } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(!ids.contains(nil))
        #expect(try await fixture.deviceCount == 1)
    }

    @Test func `a forged device cookie is rejected`() async throws {
        let fixture = try await FoyerFixture()
        let session = try await fixture.keyCookie()
        let cookie = try #require(await fixture.browse("/", session).deviceCookie)
        let signature = try #require(cookie.split(separator: ".").last)
        for value in [
            "dev_mine", "dev_mine.", "dev_mine.\(signature)", ".\(signature)", "\(signature)", "",
            ".",
        ] {
            let forged = "foyer_device_7070=\(value)"
            #expect(await fixture.current(forged).status == 404, "\(value)")
            let page = await fixture.browse("/", "\(session); \(forged)")
            #expect(page.deviceCookie != nil, "\(value)")
        }
        #expect(try await fixture.deviceCount == 0)
    }

    @Test func `a deferred device is valid only in its own workspace`() {
        let devices = DeferredDevices { "<\($0)>" }
        let value = devices.cookieValue(for: "dev_a", in: "main")
        #expect(devices.verifiedID(inCookie: value, for: "main") == "dev_a")
        #expect(devices.verifiedID(inCookie: value, for: "other") == nil)
    }

    @Test(arguments: [
        "/?part=apps", "/traffic/har", "/nowhere", "/mailbox/mail_nobody", "/health",
        "/assets/foyer.css", "/api/devices", "/api/apps",
    ]) func `only pages of the console hand out device ids`(target: String) async throws {
        let fixture = try await FoyerFixture()
        let headers = await fixture.browse(target, try await fixture.keyCookie())
        #expect(headers["Set-Cookie"] == nil)
    }

    @Test(arguments: pages) func `a client without the key gets no device id`(page: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        #expect(await fixture.browse(page)["Set-Cookie"] == nil)
    }
}

extension FoyerFixture {
    /// The headers of the response when a browser navigates to `target`.
    fileprivate func browse(_ target: String, _ cookies: String? = nil) async -> Headers {
        var headers: Headers = [
            "Host": "127.0.0.1:7070", "Accept": "text/html",
            "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1",
        ]
        if let cookies { headers["Cookie"] = cookies }
        return await site.responder(Request(method: .get, target: target, headers: headers)).headers
    }

    /// The session cookie of a browser that entered the key.
    func keyCookie() async throws -> String {
        let entry = await browse("/?key=\(Self.key)")
        return try #require(entry["Set-Cookie"]?.nameAndValue)
    }

    fileprivate func current(_ cookie: String) async -> (status: Int, json: JSON, headers: Headers)
    { await ask(.get, "/api/devices/current", headers: [("Cookie", cookie)]) }

    fileprivate var deviceCount: Int {
        get async throws { try await simulator.devices(in: "main").total }
    }
}

extension Headers {
    /// The name and value of the cookie that is set for the device.
    fileprivate var deviceCookie: String? {
        all("Set-Cookie").first { $0.hasPrefix("foyer_device_") }?.nameAndValue
    }
}

extension String {
    fileprivate var nameAndValue: String { String(split(separator: ";").first ?? "") }
}
