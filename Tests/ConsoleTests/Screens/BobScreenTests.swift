import Support
import Testing
import Web

/// Bob's pages, and how the device and the backend affect them.
@Suite(.timeLimit(.minutes(10))) struct BobScreenTests {
    private static let login = "/apps/bob/login"

    /// Creates a device, changes it with `change`, and runs the launch of the splash screen.
    private func device(
        _ fixture: FoyerFixture, _ change: JSON, backend: String = "embedded"
    ) async -> String {
        let device = await fixture.device()
        await fixture.succeed(.patch, "/api/devices/\(device)", json: change)
        let path = "/api/devices/\(device)/apps/bob"
        await fixture.succeed(.patch, path, json: ["backend": .string(backend)])
        await fixture.submitSuccessfully("/apps/bob/splash/launch", [], device: device)
        return device
    }

    /// The opening tags of `page` with this test id.
    private func tags(_ page: String, _ id: String) -> [Substring] {
        page.split(separator: "<").filter { $0.contains("data-testid=\"\(id)\"") }
    }

    private func list(_ json: JSON?) -> [JSON] {
        guard case .array(let items)? = json else { return [] }
        return items
    }

    // MARK: The sensor

    @Test(arguments: [JSON.string("none"), ["kind": "faceID", "enrolled": false]])
    func `BOB-15 a missing or unenrolled sensor has no biometric button`(sensor: JSON)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await device(fixture, ["biometrics": sensor])
        let page = await fixture.page(Self.login, device: device)
        #expect(page.text.contains("data-testid=\"login.submit\""))
        #expect(!page.text.contains("biometric"))
    }

    @Test(arguments: ["match", "noMatch", "cancel"])
    func `the device's preset biometric result is preselected in the prompt`(result: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await device(
            fixture, ["biometrics": ["kind": "touchID", "next": .string(result)]])
        let prompt = await fixture.submit(Self.login + "/biometric", [], device: device)
        let page = await fixture.page(try #require(prompt.location), device: device).text
        let preset = page.split(separator: "<").filter { $0.contains("is-preset") }
        #expect(preset == tags(page, "login.biometric.\(result)"))
        #expect(preset.first?.contains(" autofocus") == true)
        #expect(preset.first?.contains("aria-description=\"This device's result\"") == true)
    }

    // MARK: The build

    @Test func `BOB-19, BOB-29 a release build cannot skip the login`() async throws {
        let fixture = try await FoyerFixture()
        let device = await device(fixture, ["build": "release"])
        let page = await fixture.page(Self.login, device: device)
        #expect(page.text.contains("data-testid=\"login.submit\""))
        #expect(!page.text.contains("kip"))
        let result = await fixture.submit(Self.login + "/skip", [], device: device)
        #expect(result.status == 409)
        await fixture.submitSuccessfully("/apps/bob/onboarding/skip", [], device: device)
        let projects = await fixture.page("/apps/bob/projects", device: device)
        #expect(projects.headers["Location"] == Self.login)
    }

    @Test func `BOB-62 Forgot Password leads to a page without a form`() async throws {
        let fixture = try await FoyerFixture()
        let device = await device(fixture, [:])
        let result = await fixture.submit(
            Self.login + "/forgot", [("email", "bob@example.com"), ("password", "")],
            device: device)
        #expect(result.location == "/apps/bob/forgot")
        let page = await fixture.page("/apps/bob/forgot", device: device).text
        #expect(page.contains("No email is sent from here."))
        #expect(!page.contains("<form"))
        #expect(tags(page, "forgot.login").count == 1)
    }

    // MARK: The backends

    @Test(arguments: [
        ("embedded", "DEV"), ("development", "DEV"), ("staging", "STAGE"),
        ("production", nil), ("nest", "DEV"), ("builder-api", "DEV"),
    ]) func `a badge shows the backend's environment, except production`(
        backend: String, badge: String?
    ) async throws {
        let fixture = try await FoyerFixture()
        let device = await device(fixture, [:], backend: backend)
        let page = await fixture.page(Self.login, device: device).text
        #expect(page.contains("data-testid=\"login.submit\""))
        #expect(tags(page, "login.badge").count == (badge == nil ? 0 : 1))
        if let badge { #expect(page.contains("Environment: </span>\(badge)</p>")) }
    }

    @Test(arguments: ["embedded", "nest"])
    func `BOB-20 both embedded dialects register, sign in, refresh and sign out`(
        backend: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let device = await device(fixture, ["biometrics": "faceID"], backend: backend)
        let path = "/api/devices/\(device)/apps/bob"
        let (email, password) = ("wendy@example.com", "Hammer-and-nail-1")
        func stored() async -> [String] {
            list(await fixture.ask(.get, path).json["storage"]).compactMap { $0["key"]?.string }
        }
        func login(_ password: String) async -> String? {
            await fixture.submit(
                Self.login + "/submit", [("email", email), ("password", password)], device: device
            ).location
        }
        func status(_ call: String) async -> JSON? {
            await fixture.ask(.get, "/api/exchanges?call=\(call)").json["items"]?[0]?["status"]
        }

        await fixture.submitSuccessfully(
            "/apps/bob/register/submit",
            [
                ("firstName", "Wendy"), ("lastName", "Hart"), ("email", email),
                ("phoneNumber", ""), ("password", password), ("confirm", password),
            ], device: device)
        let registered = await fixture.page("/apps/bob/register", device: device).text
        #expect(registered.contains("Account created"))
        #expect(tags(registered, "alert.ok").first?.contains("href=\"\(Self.login)\"") == true)
        #expect(await login(password + "-wrong") == Self.login)
        let rejected = await fixture.page(Self.login, device: device).text
        #expect(rejected.contains("Invalid email or password. Please try again."))
        #expect(await login(password) == "/apps/bob/projects")
        let expectedKeys = ["access_token", "refresh_token", "token_expiry", "current_user"]
        #expect(await stored() == expectedKeys)
        // The switch lets the next sign-in save the credentials.
        await fixture.submitSuccessfully(
            "/apps/bob/settings/biometrics", [("biometricEnabled", "on")], device: device)
        await fixture.submitSuccessfully("/apps/bob/settings/signOut", [], device: device)
        #expect(await login(password) == "/apps/bob/projects")
        #expect(
            Set(await stored())
                == Set(expectedKeys + ["saved_credentials", "biometric_enabled"]))
        let settings = await fixture.page("/apps/bob/settings", device: device).text
        #expect(settings.contains("data-testid=\"settings.name\">Wendy Hart</p>"))
        #expect(settings.contains("data-testid=\"settings.email\">\(email)</p>"))
        #expect(tags(settings, "settings.role").count == 1)

        // The console masks values that the sensor protects.
        #expect(!(await fixture.page("/studio/bob", device: device).text.contains(password)))
        for exchange in list(await fixture.ask(.get, "/api/exchanges").json["items"]) {
            let id = exchange["id"]?.string ?? ""
            let details = await fixture.succeed(.get, "/api/exchanges/\(id)")
            #expect(!String(decoding: details.bytes, as: UTF8.self).contains(password))
        }

        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        #expect(await status("refresh") == 200)
        let signedOut = await fixture.submit("/apps/bob/settings/signOut", [], device: device)
        #expect(signedOut.location == Self.login)
        #expect(await status("logout") == 200)
        #expect(await stored() == ["saved_credentials", "biometric_enabled"])
    }
}
