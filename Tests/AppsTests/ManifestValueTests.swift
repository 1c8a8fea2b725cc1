import Apps
import Testing

/// What may stand in one place.
@Suite(.timeLimit(.minutes(10))) struct ManifestValueTests {
    @Test(arguments: [
        InvalidManifest(
            "http://localhost:3000", "http://example.com", at: "backends.local.base",
            says: "https://"),
        InvalidManifest(
            "http://localhost:3000", "http://127.0.0.1.evil.com", at: "backends.local.base",
            says: "https://"),
        InvalidManifest(
            "http://localhost:3000", "ftp://example.com", at: "backends.local.base",
            says: "https://"),
        InvalidManifest(
            "http://localhost:3000", "https://a@b.com", at: "backends.local.base", says: "https://"),
        InvalidManifest(
            "http://localhost:3000", "https://a.com:99999", at: "backends.local.base",
            says: "https://"),
        InvalidManifest(
            "embedded:small/api", "embedded:", at: "backends.embedded.base", says: "no contract"),
        InvalidManifest(
            "embedded: { base: 'embedded:small/api' },\n"
                + "    local: { base: 'http://localhost:3000' },", "", at: "backends",
            says: "Add one"),
        InvalidManifest(
            "path: '/me'", "base: 'http://a.com', path: '/me'", at: "calls.me.request.base",
            says: "https://"),
    ]) func `a backend is https, this machine or the embedded one`(mistake: InvalidManifest) throws
    {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "user: ['/']", "user: ['user']", at: "calls.me.success.capture.user",
            says: "JSON Pointer"),
        InvalidManifest(
            "user: ['/']", "user: ['/a~2']", at: "calls.me.success.capture.user", says: "~0"),
        InvalidManifest(
            "user: ['/']", "user: []", at: "calls.me.success.capture.user", says: "no pointer"),
        InvalidManifest(
            "messageAt: ['/message']", "messageAt: ['message']", at: "calls.login.messageAt",
            says: "JSON Pointer"),
        InvalidManifest(
            "message: 'No'", "where: { code: 'x' }, message: 'No'",
            at: "calls.login.failures.0.where.code", says: "JSON Pointer"),
    ]) func `a pointer is a JSON Pointer`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest("path: '/me'", "path: 'me'", at: "calls.me.request.path", says: "no path"),
        InvalidManifest(
            "path: '/me'", "path: '/../me'", at: "calls.me.request.path", says: "no path"),
        InvalidManifest(
            "path: '/me'", "path: '/me?a=b'", at: "calls.me.request.path", says: "query"),
        InvalidManifest(
            "path: '/me'", "json: {}, path: '/me'", at: "calls.me.request", says: "no body"),
        InvalidManifest(
            "path: '/login',", "path: '/login', form: {},", at: "calls.login.request.form",
            says: "Keep one"),
        InvalidManifest(
            "path: '/me'", "headers: { Host: 'a' }, path: '/me'",
            at: "calls.me.request.headers.Host", says: "Take it out"),
        InvalidManifest(
            "path: '/me'", "headers: { 'X\\r': 'a' }, path: '/me'",
            at: "calls.me.request.headers.X\r", says: "no header"),
    ]) func `a request is one that can be sent`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest("\\\\S+@\\\\S+$", "[a-", at: Self.pattern, says: "never closed"),
        InvalidManifest("^\\\\S+@\\\\S+$", "(a", at: Self.pattern, says: "never closed"),
        InvalidManifest("^\\\\S+@\\\\S+$", "(?=a)b", at: Self.pattern, says: "look-around"),
        InvalidManifest("^\\\\S+@\\\\S+$", "a**", at: Self.pattern, says: "repeat"),
        InvalidManifest("^\\\\S+@\\\\S+$", "(a)\\\\1", at: Self.pattern, says: "not known"),
        InvalidManifest(
            "^\\\\S+@\\\\S+$", "((a{99}){99}){99}", at: Self.pattern, says: "too large"),
    ]) func `a pattern compiles`(mistake: InvalidManifest) throws { try mistake.expectError() }

    static let pattern = "screens.login.fields.email.rules.0.pattern"

    @Test(arguments: [
        InvalidManifest("timeout: 30", "timeout: 0", at: "network.timeout", says: "out of range"),
        InvalidManifest("timeout: 30", "timeout: 1e9", at: "network.timeout", says: "out of range"),
        InvalidManifest("retries: 1", "retries: -1", at: "network.retries", says: "out of range"),
        InvalidManifest("retries: 1", "backoff: 3600", at: "network.backoff", says: "out of range"),
        InvalidManifest(
            "refreshBefore: 60", "refreshBefore: 100000", at: "session.refreshBefore",
            says: "out of range"),
        InvalidManifest(
            "fields: {\n", "validate: { debounce: 60000 }, fields: {\n",
            at: "screens.login.validate.debounce", says: "out of range"),
    ]) func `a duration is in a sensible range`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest("{ go: 'login' },", "", at: "launch", says: "has no end"),
        InvalidManifest("stored: ['accessToken'], ", "", at: "launch.0", says: "never reached"),
        InvalidManifest(
            "offline: 'stay'", "unverfied: 'stay'", at: "launch.0.otherwise.unverfied",
            says: "fails with unverfied"),
        InvalidManifest(
            "kind: 'page'", "kind: 'launch'", at: "screens.register.kind",
            says: "one screen of kind launch"),
        InvalidManifest(
            "splash: { kind: 'launch', title: 'Small' },", "", at: "screens",
            says: "one screen of kind launch"),
        InvalidManifest(
            "lost: { clear: ['keychain'], go: 'login' }", "", at: "session", says: "Add lost"),
    ]) func `a launch always comes to an end`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    private static let extremes = [
        "9223372036854775807", "-9223372036854775808", "9.3e18", "1e300",
        "-1e300", "0.1", "-1", "NaN", "Infinity", "-Infinity",
        "0x7fffffffffffffff", "-0x7fffffffffffffff", "1e999",
    ]

    @Test(arguments: [
        ("retries: 1", "retries: "), ("timeout: 30", "timeout: "),
        ("retries: 1", "backoff: "), ("refreshBefore: 60", "refreshBefore: "),
        ("status: [401]", "status: "),
        ("name: 'Small',", "name: 'Small', order: "),
    ]) func `a number that is out of all bounds is a mistake and nothing worse`(
        from: String, to: String
    ) throws {
        for number in Self.extremes {
            let comma = to.hasPrefix("name") ? "," : ""
            // A tenth of a second is a wait like another.
            if number == "0.1", to.contains("timeout") || to.contains("backoff") { continue }
            #expect(throws: ManifestError.self, "\(number)") {
                try Manifests.app((from, to + number + comma))
            }
        }
    }

    @Test(arguments: [
        "9223372036854775807", "99999999999999999999", "2001", "1,2001", "2000,1", "1000}){1000",
    ]) func `a pattern's count that is too great is a mistake`(_ count: String) throws {
        #expect(throws: ManifestError.self) {
            try Manifests.app(("pattern: '^\\\\S+@\\\\S+$'", "pattern: '^(?:(?:a){\(count)})$'"))
        }
    }
}
