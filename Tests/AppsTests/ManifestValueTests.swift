import Apps
import Testing

/// Valid values of single keys.
@Suite(.timeLimit(.minutes(10))) struct ManifestValueTests {
    @Test(arguments: [
        InvalidManifest(
            "http://localhost:3000", "http://example.com", at: "backends.local.base",
            message: "https://"),
        InvalidManifest(
            "http://localhost:3000", "http://127.0.0.1.evil.com", at: "backends.local.base",
            message: "https://"),
        InvalidManifest(
            "http://localhost:3000", "ftp://example.com", at: "backends.local.base",
            message: "https://"),
        InvalidManifest(
            "http://localhost:3000", "https://a@b.com", at: "backends.local.base",
            message: "https://"),
        InvalidManifest(
            "http://localhost:3000", "https://a.com:99999", at: "backends.local.base",
            message: "https://"),
        InvalidManifest(
            "embedded:small/api", "embedded:", at: "backends.embedded.base",
            message: "No contract"),
        InvalidManifest(
            "embedded: { base: 'embedded:small/api' },\n"
                + "    local: { base: 'http://localhost:3000' },", "", at: "backends",
            message: "Add one"),
        InvalidManifest(
            "path: '/me'", "base: 'http://a.com', path: '/me'", at: "calls.me.request.base",
            message: "https://"),
    ]) func `a backend's base must be https, localhost or embedded`(mistake: InvalidManifest) throws
    {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "user: ['/']", "user: ['user']", at: "calls.me.success.capture.user",
            message: "JSON Pointer"),
        InvalidManifest(
            "user: ['/']", "user: ['/a~2']", at: "calls.me.success.capture.user", message: "~0"),
        InvalidManifest(
            "user: ['/']", "user: []", at: "calls.me.success.capture.user",
            message: "No JSON Pointer"),
        InvalidManifest(
            "messagePointers: ['/message']", "messagePointers: ['message']",
            at: "calls.login.messagePointers",
            message: "JSON Pointer"),
        InvalidManifest(
            "message: 'No'", "where: { code: 'x' }, message: 'No'",
            at: "calls.login.failures.0.where.code", message: "JSON Pointer"),
    ]) func `a malformed JSON Pointer is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "path: '/me'", "path: 'me'", at: "calls.me.request.path", message: "Invalid path"),
        InvalidManifest(
            "path: '/me'", "path: '/../me'", at: "calls.me.request.path", message: "Invalid path"),
        InvalidManifest(
            "path: '/me'", "path: '/me?a=b'", at: "calls.me.request.path", message: "query"),
        InvalidManifest(
            "path: '/me'", "json: {}, path: '/me'", at: "calls.me.request", message: "no body"),
        InvalidManifest(
            "path: '/login',", "path: '/login', form: {},", at: "calls.login.request.form",
            message: "Keep one"),
        InvalidManifest(
            "path: '/me'", "headers: { Host: 'a' }, path: '/me'",
            at: "calls.me.request.headers.Host", message: "Reserved header Host"),
        InvalidManifest(
            "path: '/me'", "headers: { 'X\\r': 'a' }, path: '/me'",
            at: "calls.me.request.headers.X\r", message: "Invalid header"),
    ]) func `a request that cannot be sent is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest("\\\\S+@\\\\S+$", "[a-", at: Self.patternPath, message: "Unclosed"),
        InvalidManifest("^\\\\S+@\\\\S+$", "(a", at: Self.patternPath, message: "Unclosed"),
        InvalidManifest("^\\\\S+@\\\\S+$", "(?=a)b", at: Self.patternPath, message: "Look-around"),
        InvalidManifest(
            "^\\\\S+@\\\\S+$", "a**", at: Self.patternPath, message: "Repeated repetition"),
        InvalidManifest(
            "^\\\\S+@\\\\S+$", "(a)\\\\1", at: Self.patternPath, message: "Unsupported escape"),
        InvalidManifest(
            "^\\\\S+@\\\\S+$", "((a{99}){99}){99}", at: Self.patternPath, message: "too large"),
    ]) func `a pattern that does not compile is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    static let patternPath = "screens.login.fields.email.rules.0.pattern"

    @Test(arguments: [
        InvalidManifest(
            "timeout: 30", "timeout: 0", at: "network.timeout", message: "out of range"),
        InvalidManifest(
            "timeout: 30", "timeout: 1e9", at: "network.timeout", message: "out of range"),
        InvalidManifest(
            "retries: 1", "retries: -1", at: "network.retries", message: "out of range"),
        InvalidManifest(
            "retries: 1", "backoff: 3600", at: "network.backoff", message: "out of range"),
        InvalidManifest(
            "refreshBefore: 60", "refreshBefore: 100000", at: "session.refreshBefore",
            message: "out of range"),
        InvalidManifest(
            "fields: {\n", "validate: { debounce: 60000 }, fields: {\n",
            at: "screens.login.validate.debounce", message: "out of range"),
    ]) func `a duration or count out of range is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest("{ go: 'login' },", "", at: "launch", message: "needs a fallback row"),
        InvalidManifest("stored: ['accessToken'], ", "", at: "launch.0", message: "unreachable"),
        InvalidManifest(
            "offline: 'stay'", "unverfied: 'stay'", at: "launch.0.onFailure.unverfied",
            message: "fails with unverfied"),
        InvalidManifest(
            "kind: 'page'", "kind: 'launch'", at: "screens.register.kind",
            message: "one screen of kind launch"),
        InvalidManifest(
            "splash: { kind: 'launch', title: 'Small' },", "", at: "screens",
            message: "one screen of kind launch"),
        InvalidManifest(
            "expired: { clear: ['keychain'], go: 'login' }", "", at: "session",
            message: "Add expired"),
    ]) func `an incomplete launch is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    private static let extremeNumbers = [
        "9223372036854775807", "-9223372036854775808", "9.3e18", "1e300",
        "-1e300", "0.1", "-1", "NaN", "Infinity", "-Infinity",
        "0x7fffffffffffffff", "-0x7fffffffffffffff", "1e999",
    ]

    @Test(arguments: [
        ("retries: 1", "retries: "), ("timeout: 30", "timeout: "),
        ("retries: 1", "backoff: "), ("refreshBefore: 60", "refreshBefore: "),
        ("status: [401]", "status: "),
        ("name: 'Small',", "name: 'Small', order: "),
    ]) func `an extreme number is a manifest error`(
        from: String, to: String
    ) throws {
        for number in Self.extremeNumbers {
            let comma = to.hasPrefix("name") ? "," : ""
            // A tenth of a second is a valid duration.
            if number == "0.1", to.contains("timeout") || to.contains("backoff") { continue }
            #expect(throws: ManifestError.self, "\(number)") {
                try Manifests.app((from, to + number + comma))
            }
        }
    }

    @Test(arguments: [
        "9223372036854775807", "99999999999999999999", "2001", "1,2001", "2000,1", "1000}){1000",
    ]) func `an invalid repeat count in a pattern is a manifest error`(_ count: String) throws {
        #expect(throws: ManifestError.self) {
            try Manifests.app(("pattern: '^\\\\S+@\\\\S+$'", "pattern: '^(?:(?:a){\(count)})$'"))
        }
    }
}
