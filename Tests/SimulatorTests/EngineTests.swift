import Apps
import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Traffic
import Web

@testable import Simulator

/// Features of the engine that Mystica does not use.
@Suite(.timeLimit(.minutes(10))) struct EngineTests {
    @Test func `a failed call is retried twice with increasing delays`() async throws {
        let (fixture, phone, _folder) = try await start()
        phone.stub.script(
            "POST /login", Wire.error(503), .failure(.timeout),
            .json(200, #"{"token":"access-token-1","refresh":"r1","user":7}"#))
        let result = try await phone.act(
            "login", "submit", ["name": "rowan", "secret": "sparrow-9!"])
        #expect(result == ActionResult(screen: "home", succeeded: true))
        let delays = fixture.frozen.slept.map {
            Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18
        }.filter { $0 > 0.5 }  // the stores debounce for less
        #expect(delays.count == 2)
        #expect((0.75...1.25).contains(try #require(delays.first)))
        #expect((1.5...2.5).contains(try #require(delays.last)))
        let exchanges = try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).items
        #expect(exchanges.map(\.attempt) == [3, 2, 1])
        #expect(exchanges.map(\.cause) == [.retry, .retry, .submit])
        #expect(exchanges[0].causeExchange == exchanges[1].id)
        withExtendedLifetime(_folder) {}
    }

    @Test func `the last failure is shown when all retries fail`() async throws {
        let (_, phone, _folder) = try await start()
        phone.stub.always("POST /login", Wire.error(503))
        let result = try await phone.act(
            "login", "submit", ["name": "rowan", "secret": "sparrow-9!"])
        #expect(!result.succeeded)
        #expect(phone.stub.requests.count == 3)
        let failure = try #require(try await phone.now.failure)
        #expect(failure.presentation == .alert)
        #expect(failure.title == "Oh no")
        #expect(failure.message == "Sign in failed: Something from the server")
        withExtendedLifetime(_folder) {}
    }

    @Test func `a token about to expire is refreshed before it is sent`() async throws {
        let (fixture, phone, _folder) = try await start()
        try await signIn(phone, Wire.token(1))
        phone.stub.always("GET /me", .json(200, #"{"name":"Rowan"}"#))
        #expect(try await phone.open("home").shown?.availableValues["profile"] != nil)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        fixture.frozen.advance(by: 3_600 - 30)
        phone.stub.script(
            "POST /refresh", .json(200, #"{"token":"\#(Wire.token(2, expires: 9_999))"}"#))
        #expect(try await phone.launch().screen == "home")
        #expect(try await phone.open("home").shown?.availableValues["profile"] != nil)
        #expect(
            phone.stub.sent("GET /me").map(\.bearer) == [
                Wire.token(1), Wire.token(2, expires: 9_999),
            ])
        // Without a new refresh token the old one is kept.
        #expect(try await phone.stored["refresh"] == "r1")
        withExtendedLifetime(_folder) {}
    }

    @Test func `a number stays a number in storage and after a cold start`() async throws {
        let (fixture, phone, _folder) = try await start()
        try await signIn(phone, Wire.token(1))
        #expect(try await phone.now.availableValues["userID"]?.int == 7)
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.now.availableValues["userID"]?.int == 7)
        #expect(try await phone.stored["seen"] == "yes, rowan")
        withExtendedLifetime(_folder) {}
    }

    @Test func `successful calls are not repeated while the fields are unchanged`() async throws {
        let (_, phone, _folder) = try await start()
        phone.stub.always("POST /users", .json(201, #"{"profile":{"n":1}}"#))
        phone.stub.script("POST /mail", Wire.error(400), Wire.error(400), .json(200, "{}"))
        let typed = ["name": "rowan"]
        #expect(try await !phone.act("join", "submit", typed).succeeded)
        #expect(phone.stub.sent("POST /users").count == 1)
        #expect(try await !phone.act("join", "submit", typed).succeeded)
        #expect(phone.stub.sent("POST /users").count == 1)
        let other = try await phone.act("join", "submit", ["name": "wren"])
        #expect(other.succeeded)
        #expect(phone.stub.sent("POST /users").count == 2)
        withExtendedLifetime(_folder) {}
    }

    @Test func `a biometric action needs a sensor and asks it first`() async throws {
        let (fixture, phone, _folder) = try await start()
        _ = try await phone.open("login")
        await refused(409, "action-unavailable") { try await phone.act("login", "face") }
        let useSensor = { (next: Device.Biometrics.Result) in
            _ = try await fixture.simulator.updateDevice(phone.instance.device, in: "main") {
                $0.biometrics = .init(kind: .faceID, nextResult: next)
            }
            return try await phone.act("login", "face").screen
        }
        #expect(try await useSensor(.noMatch) == "login")
        #expect(try await phone.now.failure?.message == "Not you")
        #expect(try await useSensor(.cancel) == "login")
        #expect(try await phone.now.failure == nil)
        // After a match the screen opens without a session (`bypass`).
        #expect(try await useSensor(.match) == "home")
        #expect(try await phone.open("home").shown?.screen == "home")
        try await fixture.simulator.relaunch(phone.instance, isKill: false)
        #expect(try await phone.open("home").redirected == "login")
        withExtendedLifetime(_folder) {}
    }

    @Test func `settings are used in requests, and secret ones are stored sealed`() async throws {
        let (fixture, phone, _folder) = try await start()
        try await fixture.simulator.chooseBackend(
            phone.instance, backend: "real", base: nil, settings: ["apiKey": "anon-key-0123456789"])
        phone.stub.script("POST /login", Wire.error(400))
        _ = try await phone.launch()
        _ = try await phone.act("login", "submit", ["name": "rowan", "secret": "sparrow-9!"])
        #expect(phone.stub.requests.last?.headers["apikey"] == "anon-key-0123456789")
        let settings = try await fixture.simulator.settings(phone.instance)
        #expect(settings.map(\.displayValue) == ["anon-k…6789"])
        #expect(settings.map(\.isCustom) == [true])
        let row = try await fixture.database.readThrowingProblems { connection in
            try connection.text("SELECT own FROM places")
        }
        #expect(row?.contains("anon-key") == false)
        withExtendedLifetime(_folder) {}
    }

    @Test func `a value remembered for one name is not used for another`() async throws {
        let (_, phone, _folder) = try await start()
        phone.stub.always("POST /code", .json(200, "{}"))
        phone.stub.always("POST /users", .json(201, "{}"))
        phone.stub.always("POST /mail", .json(200, "{}"))
        _ = try await phone.act("join", "code", ["name": "rowan"])
        _ = try await phone.act("join", "submit", ["name": "rowan"])
        #expect(phone.stub.requests.last?.text == #"{"why":"joining"}"#)
        _ = try await phone.act("join", "submit", ["name": "wren"])
        #expect(phone.stub.requests.last?.text == #"{"why":"nothing"}"#)
        withExtendedLifetime(_folder) {}
    }

    @Test func `a backend's messages for several fields are shown at each field`() async throws {
        let (_, phone, _folder) = try await start()
        phone.stub.script(
            "POST /users", .json(400, #"{"name":["Taken"],"age":["Too young"],"x":["?"]}"#),
            .json(400, #"{"detail":"No"}"#), .json(409, #"{"name":["T"]}"#))
        let typed = ["name": "rowan", "age": "7"]
        _ = try await phone.act("join", "submit", typed)
        var now = try await phone.now
        #expect(now.fieldErrors == ["name": "Taken", "age": "Too young"])
        #expect(now.failure == nil)
        #expect(now.fieldValues["age"] == "7")
        // A response without field messages, and a status with a message in the manifest.
        for message in ["s 400", "Gone"] {
            _ = try await phone.act("join", "submit", typed)
            now = try await phone.now
            #expect(now.fieldErrors == [:])
            #expect(now.failure?.message == message)
        }
        withExtendedLifetime(_folder) {}
    }

    // MARK: Test app

    private func start() async throws -> (SimulatorFixture, Phone, ManifestFolder) {
        let folder = try ManifestFolder(Self.manifest)
        let fixture = try await SimulatorFixture(apps: folder.path, skippingSleeps: true)
        return (fixture, try await fixture.phone("test"), folder)
    }

    private func signIn(_ phone: Phone, _ token: String) async throws {
        phone.stub.script(
            "POST /login", .json(200, #"{"token":"\#(token)","refresh":"r1","user":7}"#))
        let result = try await phone.act(
            "login", "submit", ["name": "rowan", "secret": "sparrow-9!"])
        #expect(result == ActionResult(screen: "home", succeeded: true))
    }

    private static let manifest = """
        {
          name: 'Test', order: 9, spec: 'none', appearance: 'light',
          look: { glyph: 'T', background: '#000000', letter: '#ffffff',
                  cover: '#000000', glow: '#000000' },
          settings: { apiKey: { label: 'Key', secret: true, default: '' } },
          backends: { real: { label: 'Real', base: 'https://example.com/v1' } },
          network: {
            timeout: 5, retries: 2, backoff: 1,
            messages: { offline: 'o', timeout: 't', connection: 'c',
                        invalidResponse: 'i', server: 's {status}' },
          },
          memory: {
            profile: {},
            purpose: { per: 'name', default: 'nothing' },
          },
          storage: {
            access: { area: 'keychain', holds: 'accessToken' },
            refresh: { area: 'keychain', holds: 'refreshToken' },
            user: { area: 'defaults', holds: 'userID' },
            seen: { area: 'defaults', value: 'yes, {name}' },
          },
          calls: {
            login: {
              request: { method: 'POST', path: '/login',
                         headers: { apikey: '{apiKey}' },
                         json: { name: '{name}', secret: '{secret}' } },
              success: { capture: { accessToken: ['/token'],
                                    refreshToken: ['/refresh'],
                                    userID: ['/user'] } },
              messagePointers: ['/error/message'],
            },
            me: { request: { method: 'GET', path: '/me',
                             bearer: 'accessToken' },
                  success: { capture: { profile: ['/'] } } },
            refresh: {
              request: { method: 'POST', path: '/refresh',
                         json: { r: '{refreshToken}' } },
              success: { capture: { accessToken: ['/token'],
                                    refreshToken: ['/refresh'] },
                         require: ['accessToken'] } },
            users: { request: { method: 'POST', path: '/users',
                                json: { name: '{name}' } },
                     success: { capture: { profile: ['/profile'] } },
                     failures: [{ status: 409, message: 'Gone' }],
                     fieldMessagePointers: { name: '/name/0', age: '/age/0' } },
            mail: { request: { method: 'POST', path: '/mail',
                               json: { why: '{purpose}' } } },
            code: { request: { method: 'POST', path: '/code' },
                    remember: { purpose: 'joining' } },
          },
          session: { refresh: 'refresh', refreshBefore: 60,
                     expired: { clear: ['keychain'], go: 'login' } },
          launch: [ { stored: ['accessToken'], go: 'home' },
                    { go: 'login' } ],
          screens: {
            splash: { kind: 'launch', title: 'T' },
            login: {
              kind: 'form', title: 'Login',
              fields: { name: { type: 'text', label: 'Name' },
                        secret: { type: 'password', label: 'Secret' } },
              submit: {
                label: 'Go', calls: ['login'],
                store: ['accessToken', 'refreshToken', 'userID', 'seen'],
                go: 'home',
                onFailure: { show: 'alert', title: 'Oh no',
                             text: 'Sign in failed: {message}' } },
              actions: {
                face: { label: 'Face', go: 'home', bypass: true,
                        needs: { biometrics: 'enrolled' },
                        biometric: { reason: 'r', failed: 'Not you' } } },
            },
            join: {
              kind: 'form', title: 'Join',
              fields: { name: { type: 'text', label: 'Name' },
                        age: { type: 'text', label: 'Age' } },
              submit: { label: 'Join', calls: ['users', 'mail'],
                        resume: ['name'] },
              actions: { code: { label: 'Code', calls: ['code'] } },
            },
            home: { kind: 'home', title: 'Home', needs: 'session',
                    load: ['me'] },
          },
          walkthrough: [],
        }
        """
}
