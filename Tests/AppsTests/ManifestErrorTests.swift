import Apps
import Testing

/// Errors for unknown keys, invalid values and syntax errors.
@Suite(.timeLimit(.minutes(10))) struct ManifestErrorTests {
    @Test func `the unmodified manifest is valid`() throws {
        #expect(try Manifests.app().name == "Small")
    }

    @Test(arguments: [
        InvalidManifest("name: 'Small'", "nam: 'Small'", at: "nam", message: "Did you mean name?"),
        InvalidManifest(
            "retries: 1", "retrys: 1", at: "network.retrys", message: "Did you mean retries?"),
        InvalidManifest(
            "bearer: 'accessToken'", "barer: 'accessToken'", at: "calls.me.request.barer",
            message: "bearer"),
        InvalidManifest(
            "messagePointers: [", "messagePointer: [", at: "calls.login.messagePointer",
            message: "messagePointers"),
        InvalidManifest(
            "{ same: 'password',", "{ equal: 'password',",
            at: "screens.login.fields.again.rules.0.equal", message: "same"),
        InvalidManifest("note: 'Here'", "not: 'Here'", at: "walkthrough.0.not", message: "note"),
        InvalidManifest(
            "label: 'Key'", "lable: 'Key'", at: "settings.apiKey.lable", message: "label"),
    ]) func `an unknown key is reported with the nearest known one`(mistake: InvalidManifest) throws
    {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "messagePointers: ['/message']", "messageAt: ['/message']",
            at: "calls.login.messageAt", message: "Did you mean messagePointers?"),
        InvalidManifest(
            "messagePointers: ['/message']", "fieldMessageAt: { email: '/email' }",
            at: "calls.login.fieldMessageAt", message: "Did you mean fieldMessagePointers?"),
        InvalidManifest(
            "field: 'password'", "passes: true", at: "calls.login.failures.0.passes",
            message: "Did you mean treatAsSuccess?"),
        InvalidManifest(
            "field: 'password'", "session: 'lost'", at: "calls.login.failures.0.session",
            message: "Did you mean expired?"),
        InvalidManifest(
            "field: 'password'", "session: 'renew'", at: "calls.login.failures.0.session",
            message: "Did you mean refresh?"),
        InvalidManifest(
            "expired: {", "lost: {", at: "session.lost", message: "Did you mean expired?"),
        InvalidManifest(
            "onFailure: { offline", "otherwise: { offline", at: "launch.0.otherwise",
            message: "Did you mean onFailure?"),
        InvalidManifest(
            "email: {},", "email: { otherwise: 'x' },", at: "memory.email.otherwise",
            message: "Did you mean default?"),
        InvalidManifest(
            "local: {", "far: { base: 'http://localhost:1', like: 'local' }, local: {",
            at: "backends.far.like", message: "Did you mean extends?"),
        InvalidManifest(
            "{ go: 'login' },", "{ go: 'login', renew: true },", at: "launch.1.renew",
            message: "Did you mean refresh?"),
    ]) func `a name of an earlier version is reported with its new one`(mistake: InvalidManifest)
        throws
    {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "name: 'Small'", "name: 7", at: "name", message: "Expected string, got number"),
        InvalidManifest(
            "retries: 1", "retries: '1'", at: "network.retries",
            message: "Expected integer, got string"),
        InvalidManifest(
            "secret: true", "secret: 'yes'", at: "settings.apiKey.secret",
            message: "Expected boolean, got string"),
        InvalidManifest(
            "clear: ['keychain']", "clear: 'keychain'", at: "session.expired.clear",
            message: "Expected array, got string"),
        InvalidManifest(
            "kind: 'home'", "kind: 'house'", at: "screens.home.kind",
            message: "Did you mean home?"),
        InvalidManifest(
            "area: 'defaults'", "area: 'default'", at: "storage.small_device.area",
            message: "defaults"
        ),
        InvalidManifest(
            "method: 'GET'", "method: 'get'", at: "calls.me.request.method", message: "GET"),
        InvalidManifest("name: 'Small',", "", at: "", message: "Add name."),
        InvalidManifest(
            "status: [401]", "status: [40]", at: "calls.login.failures.0.status.0",
            message: "out of range"),
        InvalidManifest(
            "status: [401]", "status: ['6xx']", at: "calls.login.failures.0.status.0",
            message: "5xx"),
        InvalidManifest(
            "capture: { user: ['/'] }", "capture: { user: ['/'] }, append: ['users']",
            at: "calls.me.success.append", message: "Did you mean user?"),
        InvalidManifest(
            "capture: { user: ['/'] }", "capture: { user: { page: '/page' } }",
            at: "calls.me.success.capture.user", message: "Add last."),
        InvalidManifest(
            "capture: { user: ['/'] }", "capture: { user: { text: '/name', words: 'last' } }",
            at: "calls.me.success.capture.user.words", message: "Valid values: first, rest"),
        InvalidManifest(
            "text: 'Hello {email}'", "text: 'Hello', showsLoadFailure: true",
            at: "screens.register.showsLoadFailure", message: "Add load"),
        InvalidManifest(
            "type: 'email'", "type: 'email', lines: 3", at: "screens.login.fields.email.lines",
            message: "type: 'text'"),
    ]) func `an invalid value is reported with what is expected`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "name: 'Small',", "name: 'Small', name: 'Big',", at: "", message: "Duplicate key name"),
        InvalidManifest("name: 'Small',", "name: 'Small'", at: "", message: "comma"),
        InvalidManifest("name: 'Small',", "name: Small,", at: "", message: "quotes"),
        InvalidManifest("name: 'Small',", "name: 'Small,", at: "", message: "Unterminated string"),
    ]) func `a syntax error is reported with its line`(mistake: InvalidManifest) throws {
        let text = try Manifests.small((mistake.from, mistake.to))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect("\(error.detail) \(error.fix)".contains(mistake.message))
        #expect([2, 3].contains(error.line))
    }

    @Test func `all mistakes are reported in line order`() throws {
        let text = try Manifests.small(
            ("name: 'Small',", "name: 'Small', colour: 'blue',"), ("retries: 1", "retries: 11"),
            ("kind: 'page', title: 'Register'", "knid: 'page'"),
            ("links: { out: 'login' }", "links: { out: 3 }"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(
            error.allErrors.map(\.path) == [
                "colour", "network.retries", "screens.register.knid", "screens.home.links.out",
            ])
        #expect(
            error.allErrors.map(\.line)
                == error.allErrors.map(\.line).sorted { ($0 ?? 0) < ($1 ?? 0) })
    }

    @Test func `a misspelled key does not hide mistakes in other parts`() throws {
        let text = try Manifests.small(
            ("success: { capture: { user", "success: { captrue: { user"),
            ("kind: 'page', title: 'Register'", "kind: 'paeg', title: 'Re'"),
            ("links: { out: 'login' }", "links: { out: 'logni' }"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(
            error.allErrors.map(\.path) == [
                "calls.me.success.captrue", "screens.register.kind", "screens.home.links.out",
            ])
        #expect(
            error.allErrors.map(\.fix) == [
                "Did you mean capture?", "Did you mean page?", "Did you mean login?",
            ])
    }

    @Test(arguments: [
        ("holds: 'accessToken'", "holds: 'accesToken'", "storage.small_token.holds", "accessToken"),
        ("home: { kind: 'home'", "hoem: { kind: 'home'", "screens.hoem", "home"),
        ("me: { request: { method: 'GET'", "mee: { request: { method: 'GET'", "calls.mee", "me"),
    ]) func `a name misspelled in its declaration is reported only there`(
        valid: String, invalid: String, path: String, suggestion: String
    ) throws {
        let text = try Manifests.small((valid, invalid))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(error.allErrors.map(\.path) == [path])
        #expect(error.fix == "Did you mean \(suggestion)?")
    }

    @Test func `a mistake shared by several calls is reported once`() throws {
        let text = try Manifests.small(
            ("network: {", "failures: [{ status: [500], go: 'hoem' }],\nnetwork: {"),
            ("local: {", "far: { base: 'http://localhost:1', extends: 'local' },\nlocal: {"),
            (
                "base: 'http://localhost:3000' }",
                "base: 'http://localhost:3000', calls: { me: { request: {"
                    + " method: 'GET', path: '/', bearer: 'acessToken' } } } }"
            ))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(
            error.allErrors.map(\.path) == [
                "backends.local.calls.me.request.bearer", "failures.0.go",
            ])
    }

    @Test func `invalid members do not hide each other or mistakes elsewhere`() throws {
        let text = try Manifests.small(
            ("timeout: 30, retries: 1", "timeout: 'x', retries: 'y'"),
            ("path: '/login',", "path: 7,"), ("status: [401], message", "status: 'no', message"),
            ("type: 'email', label: 'Email',", "type: 7, label: 8,"),
            ("links: { out: 'login' }", "links: { out: 'logni' }"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(
            error.allErrors.map(\.path) == [
                "network.retries", "network.timeout", "calls.login.request.path",
                "calls.login.failures.0.status", "screens.login.fields.email.label",
                "screens.login.fields.email.type", "screens.home.links.out",
            ])
    }

    @Test func `mistakes of syntax and of content are reported together`() throws {
        let text = try Manifests.small(
            ("name: 'Small',", "name: 'Small', name: 'Big',"), ("retries: 1", "retries: ture"),
            ("user: {} },", "user: {} }"), ("holds: 'refreshToken'", "holds: 'refreshTokne'"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(
            error.allErrors.map(\.detail) == [
                "Duplicate key name", "Invalid value ture", "Expected integer, got string",
                "Expected , or } after the value of memory",
                "No call captures refreshTokne and no field has that name",
            ])
        #expect(error.allErrors[1].fix == "Did you mean true?")
    }

    @Test func `a stored value that nothing captures is the mistake, not its later uses`() throws {
        let text = try Manifests.small(("holds: 'accessToken'", "holds: 'sessionKey'"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(error.allErrors.map(\.path) == ["storage.small_token.holds"])
        #expect(error.fix.hasPrefix("Did you mean accessToken"))
    }

    @Test func `an uncaptured value is reported where it is stored, not where it is used`() throws {
        let text = try Manifests.small(
            ("accessToken: ['/token'],", ""), ("refreshToken: ['/refresh']", ""),
            ("capture: { accessToken: ['/token'] }", "capture: {}"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(
            error.allErrors.map(\.path) == [
                "storage.small_token.holds", "storage.small_refresh.holds",
            ])
    }

    @Test func `an empty duplicate has no further errors`() throws {
        let text = try Manifests.small(("  calls: {\n", "  calls: {\n    login: {},\n"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(error.allErrors.map(\.detail) == ["Duplicate key login"])
    }

    @Test func `every missing part is reported`() throws {
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: "{ name: 'Small' }")
        }
        #expect(error.allErrors.map(\.fix) == ["Add backends.", "Add launch.", "Add screens."])
    }

    @Test func `an error's summary is one line even if a name has control characters`() throws {
        let text = try Manifests.small(
            ("links: { out: 'login' }", #"links: { out: 'x\n\u001b[31m' }"#))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect(error.detail.contains("\n"))
        #expect(error.summary.contains(#"Unknown screen x\n"#))
        #expect(!error.summary.utf8.contains { $0 < 0x20 })
    }

    @Test func `an embedded base must name an existing contract`() throws {
        let text = try Manifests.small(("'embedded:small/api'", "'embedded:wal/api'"))
        _ = try App(id: "small", file: "f", text: text)
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text, contracts: ["bob", "wall"])
        }
        #expect(error.path == "backends.embedded.base")
        #expect(error.fix == "Did you mean wall? Valid values: bob, wall.")
    }

    @Test func `an error has the line of the mistake`() throws {
        let text = try Manifests.small(("links: { out: 'login' }", "\n\nlinks: { out: 'nowhere' }"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(error.line)
        #expect(lines[line - 1].contains("nowhere"))
    }
}
