import Apps
import Testing

/// One wrong thing in a manifest that is otherwise right.
struct Mistake: Sendable, CustomTestStringConvertible {
    var from: String
    var to: String
    /// Where the error must say it is.
    var path: String
    /// A part of what it must say, in detail or mend.
    var says: String

    init(_ from: String, _ to: String, at path: String, says: String) {
        self.from = from
        self.to = to
        self.path = path
        self.says = says
    }

    var testDescription: String { path.isEmpty ? says : path }
}

@Suite struct ManifestErrorTests {
    @Test func `the manifest the mistakes are made in is right`() throws {
        #expect(try Manifests.app().name == "Small")
    }

    /// The error of a mistake, with the line it was made on.
    private func expect(
        _ mistake: Mistake, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = try Manifests.small((mistake.from, mistake.to))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "small/app.json5", text: text)
        }
        #expect(error.file == "small/app.json5", sourceLocation: sourceLocation)
        #expect(error.path == mistake.path, sourceLocation: sourceLocation)
        #expect(
            "\(error.detail) \(error.mend)".contains(mistake.says),
            "\(error)", sourceLocation: sourceLocation)
        #expect(!error.mend.isEmpty, sourceLocation: sourceLocation)
        #expect(error.line != nil, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        Mistake(
            "name: 'Small'", "nam: 'Small'", at: "nam",
            says: "Did you mean name?"),
        Mistake(
            "retries: 1", "retrys: 1", at: "network.retrys",
            says: "Did you mean retries?"),
        Mistake(
            "bearer: 'accessToken'", "barer: 'accessToken'",
            at: "calls.me.request.barer", says: "bearer"),
        Mistake(
            "messageAt: [", "messagesAt: [",
            at: "calls.login.messagesAt", says: "messageAt"),
        Mistake(
            "{ same: 'password',", "{ equal: 'password',",
            at: "screens.login.fields.again.rules.0.equal", says: "same"),
        Mistake(
            "note: 'Here'", "not: 'Here'", at: "walkthrough.0.not",
            says: "note"),
        Mistake(
            "label: 'Key'", "lable: 'Key'", at: "settings.apiKey.lable",
            says: "label"),
    ])
    func `an unknown key is told with the nearest known`(
        mistake: Mistake
    ) throws { try expect(mistake) }

    @Test(arguments: [
        Mistake(
            "name: 'Small'", "name: 7", at: "name",
            says: "a string and is a number"),
        Mistake(
            "retries: 1", "retries: '1'", at: "network.retries",
            says: "a whole number and is a string"),
        Mistake(
            "secret: true", "secret: 'yes'", at: "settings.apiKey.secret",
            says: "true or false and is a string"),
        Mistake(
            "clear: ['keychain']", "clear: 'keychain'",
            at: "session.lost.clear", says: "a list and is a string"),
        Mistake(
            "kind: 'home'", "kind: 'house'", at: "screens.home.kind",
            says: "Did you mean home?"),
        Mistake(
            "area: 'defaults'", "area: 'default'",
            at: "storage.small_device.area", says: "defaults"),
        Mistake(
            "method: 'GET'", "method: 'get'", at: "calls.me.request.method",
            says: "GET"),
        Mistake("name: 'Small',", "", at: "", says: "Add name."),
        Mistake(
            "status: [401]", "status: [40]",
            at: "calls.login.failures.0.status.0", says: "out of range"),
        Mistake(
            "status: [401]", "status: ['6xx']",
            at: "calls.login.failures.0.status.0", says: "5xx"),
    ])
    func `a wrong type says what should stand there`(
        mistake: Mistake
    ) throws { try expect(mistake) }

    @Test(arguments: [
        Mistake(
            "links: { out: 'login' }", "links: { out: 'logn' }",
            at: "screens.home.links.out", says: "Did you mean login?"),
        Mistake(
            "'small_device'], go: 'home'", "'small_device'], go: 'hme'",
            at: "screens.login.submit.go", says: "Did you mean home?"),
        Mistake(
            "call: 'me', go: 'home'", "call: 'me', go: 'map'",
            at: "launch.0.go", says: "no screen map"),
        Mistake(
            "{ go: 'login' },", "{ go: 'entry' },", at: "launch.1.go",
            says: "no screen entry"),
        Mistake(
            "offline: 'stay'", "offline: 'sty'",
            at: "launch.0.otherwise.offline", says: "no screen sty"),
        Mistake(
            "['keychain'], go: 'login'", "['keychain'], go: 'lgin'",
            at: "session.lost.go", says: "Did you mean login?"),
        Mistake(
            "walkthrough: [{ screen: 'login'", "walkthrough: [{ screen: 'x'",
            at: "walkthrough.0.screen", says: "no screen x"),
        Mistake(
            "message: 'No', field: 'password'", "go: 'nowhere'",
            at: "calls.login.failures.0.go", says: "no screen nowhere"),
        Mistake(
            "kind: 'form', title: 'Login', tabs: ['login', 'register']",
            "kind: 'form', title: 'Login', tabs: ['login', 'regster']",
            at: "screens.login.tabs.1", says: "Did you mean register?"),
        Mistake(
            "kind: 'form', title: 'Login', tabs: ['login', 'register']",
            "kind: 'form', title: 'Login', tabs: ['register']",
            at: "screens.login.tabs", says: "Add 'login'."),
    ])
    func `a way to a screen that does not exist is refused`(
        mistake: Mistake
    ) throws { try expect(mistake) }

    @Test(arguments: [
        Mistake(
            "calls: ['login']", "calls: ['logn']",
            at: "screens.login.submit.calls", says: "Did you mean login?"),
        Mistake(
            "load: ['me']", "load: ['my']", at: "screens.home.load",
            says: "Did you mean me?"),
        Mistake(
            "call: 'me'", "call: 'mine'", at: "launch.0.call",
            says: "no call mine"),
        Mistake(
            "refresh: 'refresh', ", "refresh: 'refrsh', ",
            at: "session.refresh", says: "Did you mean refresh?"),
        Mistake(
            "base: 'http://localhost:3000' }",
            "base: 'http://localhost:3000', calls: { logi: { request:"
                + " { method: 'GET', path: '/' } } } }",
            at: "backends.local.calls.logi", says: "Did you mean login?"),
    ])
    func `a call nobody describes is refused`(mistake: Mistake) throws {
        try expect(mistake)
    }

    @Test(arguments: [
        Mistake(
            "user: ['/']", "usr: ['/']",
            at: "calls.me.success.capture.usr", says: "Did you mean user?"),
        Mistake(
            "small_refresh: { area: 'keychain', holds: 'refreshToken' },",
            "", at: "calls.login.success.capture.refreshToken",
            says: "nothing holds refreshToken"),
        Mistake(
            "store: ['accessToken', 'small_device']", "store: ['token']",
            at: "screens.login.submit.store", says: "no storage key holds"),
        Mistake(
            "stored: ['accessToken']", "stored: ['acessToken']",
            at: "launch.0.stored", says: "Did you mean accessToken?"),
        Mistake(
            "bearer: 'accessToken'", "bearer: 'accesToken'",
            at: "calls.me.request.bearer", says: "Did you mean accessToken?"),
        Mistake(
            "holds: 'refreshToken'", "holds: 'refreshTokn'",
            at: "storage.small_refresh.holds", says: "refreshToken?"),
        Mistake(
            "refreshToken: ['/refresh'] } }",
            "refreshToken: ['/refresh'] }, require: ['token'] }",
            at: "calls.login.success.require", says: "not captured"),
        Mistake(
            "value: '{device.uuid}'", "value: 'x', holds: 'user'",
            at: "storage.small_device", says: "one of them"),
    ])
    func `a captured value has a place, and a place a value`(
        mistake: Mistake
    ) throws { try expect(mistake) }

    @Test(arguments: [
        Mistake(
            "email: '{email}', password", "email: '{emial}', password",
            at: "calls.login.request.json.email", says: "Did you mean email?"),
        Mistake(
            "token: '{refreshToken}'", "token: '{password}'",
            at: "calls.refresh.request.json.token",
            says: "nothing provides {password}"),
        Mistake(
            "'{device.uuid}'", "'{device.id}'",
            at: "storage.small_device.value", says: "device.uuid"),
        Mistake(
            "path: '/me'", "path: '/{who}'", at: "calls.me.request.path",
            says: "nothing provides {who}"),
        Mistake(
            "'Hello {email}'", "'Hello {mail}'",
            at: "screens.register.text", says: "Did you mean email?"),
        Mistake(
            "message: 'No'", "message: 'No, {statu}'",
            at: "calls.login.failures.0.message", says: "status"),
    ])
    func `a variable is provided by something`(mistake: Mistake) throws {
        try expect(mistake)
    }

    @Test(arguments: [
        Mistake(
            "http://localhost:3000", "http://example.com",
            at: "backends.local.base", says: "https://"),
        Mistake(
            "http://localhost:3000", "http://127.0.0.1.evil.com",
            at: "backends.local.base", says: "https://"),
        Mistake(
            "http://localhost:3000", "ftp://example.com",
            at: "backends.local.base", says: "https://"),
        Mistake(
            "http://localhost:3000", "https://a@b.com",
            at: "backends.local.base", says: "https://"),
        Mistake(
            "http://localhost:3000", "https://a.com:99999",
            at: "backends.local.base", says: "https://"),
        Mistake(
            "embedded:small/api", "embedded:", at: "backends.embedded.base",
            says: "no contract"),
        Mistake(
            "embedded: { base: 'embedded:small/api' },\n"
                + "    local: { base: 'http://localhost:3000' },", "",
            at: "backends", says: "Add one"),
        Mistake(
            "path: '/me'", "base: 'http://a.com', path: '/me'",
            at: "calls.me.request.base", says: "https://"),
    ])
    func `a backend is https, this machine or the embedded one`(
        mistake: Mistake
    ) throws { try expect(mistake) }

    @Test(arguments: [
        Mistake(
            "user: ['/']", "user: ['user']",
            at: "calls.me.success.capture.user", says: "JSON Pointer"),
        Mistake(
            "user: ['/']", "user: ['/a~2']",
            at: "calls.me.success.capture.user", says: "~0"),
        Mistake(
            "user: ['/']", "user: []", at: "calls.me.success.capture.user",
            says: "no pointer"),
        Mistake(
            "messageAt: ['/message']", "messageAt: ['message']",
            at: "calls.login.messageAt", says: "JSON Pointer"),
        Mistake(
            "message: 'No'", "where: { code: 'x' }, message: 'No'",
            at: "calls.login.failures.0.where.code", says: "JSON Pointer"),
    ])
    func `a pointer is a JSON Pointer`(mistake: Mistake) throws {
        try expect(mistake)
    }

    @Test(arguments: [
        Mistake(
            "path: '/me'", "path: 'me'", at: "calls.me.request.path",
            says: "no path"),
        Mistake(
            "path: '/me'", "path: '/../me'", at: "calls.me.request.path",
            says: "no path"),
        Mistake(
            "path: '/me'", "path: '/me?a=b'", at: "calls.me.request.path",
            says: "query"),
        Mistake(
            "path: '/me'", "json: {}, path: '/me'",
            at: "calls.me.request", says: "no body"),
        Mistake(
            "path: '/login',", "path: '/login', form: {},",
            at: "calls.login.request.form", says: "Keep one"),
        Mistake(
            "path: '/me'", "headers: { Host: 'a' }, path: '/me'",
            at: "calls.me.request.headers.Host", says: "Take it out"),
        Mistake(
            "path: '/me'", "headers: { 'X\\r': 'a' }, path: '/me'",
            at: "calls.me.request.headers.X\r", says: "no header"),
    ])
    func `a request is one that can be sent`(mistake: Mistake) throws {
        try expect(mistake)
    }

    @Test(arguments: [
        Mistake(
            "\\\\S+@\\\\S+$", "[a-", at: Self.pattern, says: "never closed"),
        Mistake(
            "^\\\\S+@\\\\S+$", "(a", at: Self.pattern, says: "never closed"),
        Mistake(
            "^\\\\S+@\\\\S+$", "(?=a)b", at: Self.pattern,
            says: "look-around"),
        Mistake("^\\\\S+@\\\\S+$", "a**", at: Self.pattern, says: "repeat"),
        Mistake(
            "^\\\\S+@\\\\S+$", "(a)\\\\1", at: Self.pattern,
            says: "not known"),
        Mistake(
            "^\\\\S+@\\\\S+$", "((a{99}){99}){99}", at: Self.pattern,
            says: "too large"),
    ])
    func `a pattern compiles`(mistake: Mistake) throws { try expect(mistake) }

    static let pattern = "screens.login.fields.email.rules.0.pattern"

    @Test(arguments: [
        Mistake(
            "{ same: 'password', message: 'Differs' }",
            "{ same: 'pasword', message: 'Differs' }",
            at: "screens.login.fields.again.rules.0.same",
            says: "Did you mean password?"),
        Mistake(
            "onFailure: { clear: ['password'] }",
            "onFailure: { clear: ['code'] }",
            at: "screens.login.submit.onFailure.clear", says: "no field code"),
        Mistake(
            "message: 'No', field: 'password'",
            "message: 'No', field: 'user'",
            at: "calls.login.failures.0.field", says: "field user"),
        Mistake(
            "submit: { label: 'Login',",
            "submit: { label: 'Login', enabled: { filled: ['mail'] },",
            at: "screens.login.submit.enabled.filled", says: "email"),
        Mistake(
            "submit: { label: 'Login',",
            "submit: { label: 'Login', checks: ['mail'],",
            at: "screens.login.submit.checks", says: "email"),
        Mistake(
            "fields: {\n",
            "rules: [{ fields: ['mail'], required: true,"
                + " message: 'x' }], fields: {\n",
            at: "screens.login.rules.0.fields", says: "email"),
        Mistake(
            "{ same: 'password', message: 'Differs' }",
            "{ same: 'password', min: 3, message: 'Differs' }",
            at: "screens.login.fields.again.rules.0.min",
            says: "one thing"),
        Mistake(
            "{ same: 'password', message: 'Differs' }", "{ message: 'x' }",
            at: "screens.login.fields.again.rules.0", says: "tests nothing"),
        Mistake(
            "again: { type: 'password'", "again: { type: 'choice'",
            at: "screens.login.fields.again", says: "no options"),
    ])
    func `rules and actions speak of their screen's fields`(
        mistake: Mistake
    ) throws { try expect(mistake) }

    @Test(arguments: [
        Mistake(
            "timeout: 30", "timeout: 0", at: "network.timeout",
            says: "out of range"),
        Mistake(
            "timeout: 30", "timeout: 1e9", at: "network.timeout",
            says: "out of range"),
        Mistake(
            "retries: 1", "retries: -1", at: "network.retries",
            says: "out of range"),
        Mistake(
            "retries: 1", "backoff: 3600", at: "network.backoff",
            says: "out of range"),
        Mistake(
            "refreshBefore: 60", "refreshBefore: 100000",
            at: "session.refreshBefore", says: "out of range"),
        Mistake(
            "fields: {\n", "validate: { debounce: 60000 }, fields: {\n",
            at: "screens.login.validate.debounce", says: "out of range"),
    ])
    func `a duration is in a sensible range`(mistake: Mistake) throws {
        try expect(mistake)
    }

    @Test(arguments: [
        Mistake("{ go: 'login' },", "", at: "launch", says: "has no end"),
        Mistake(
            "stored: ['accessToken'], ", "", at: "launch.0",
            says: "never reached"),
        Mistake(
            "offline: 'stay'", "unverfied: 'stay'",
            at: "launch.0.otherwise.unverfied", says: "fails with unverfied"),
        Mistake(
            "kind: 'page'", "kind: 'launch'", at: "screens.register.kind",
            says: "one screen of kind launch"),
        Mistake(
            "splash: { kind: 'launch', title: 'Small' },", "",
            at: "screens", says: "one screen of kind launch"),
        Mistake(
            "lost: { clear: ['keychain'], go: 'login' }", "",
            at: "session", says: "Add lost"),
    ])
    func `a launch always comes to an end`(mistake: Mistake) throws {
        try expect(mistake)
    }

    @Test(arguments: [
        Mistake(
            "note: 'Here' }",
            "note: 'Here',"
                + " points: [{ at: 'mail', lead: 'a', text: 'b' }] }",
            at: "walkthrough.0.points.0.at", says: "email"),
        Mistake(
            "name: 'Small',", "name: 'Small', look: { cover: 'red' },",
            at: "look.cover", says: "#2D1810"),
        Mistake(
            "submit: { label: 'Login',",
            "submit: { label: 'Login', needs: { build: 'debg' },",
            at: "screens.login.submit.needs.build", says: "debug"),
        Mistake(
            "submit: { label: 'Login',",
            "submit: { label: 'Login', inert: true,",
            at: "screens.login.submit", says: "inert"),
        Mistake(
            "email: {}, user: {}", "email: { per: 'mail' }, user: {}",
            at: "memory.email.per", says: "email"),
        Mistake(
            "messageAt: ['/message'],",
            "messageAt: ['/message'], remember: { emial: 'x' },",
            at: "calls.login.remember.emial", says: "email"),
        Mistake("home: {", "'ho me': {", at: "screens.ho me", says: "a letter"),
    ])
    func `whatever else is named exists`(mistake: Mistake) throws {
        try expect(mistake)
    }

    @Test(arguments: [
        Mistake(
            "name: 'Small',", "name: 'Small', name: 'Big',", at: "",
            says: "stands twice"),
        Mistake("name: 'Small',", "name: 'Small'", at: "", says: "comma"),
        Mistake("name: 'Small',", "name: Small,", at: "", says: "quotes"),
        Mistake("name: 'Small',", "name: 'Small,", at: "", says: "closed"),
    ])
    func `a slip of the pen is told with its line`(mistake: Mistake) throws {
        let text = try Manifests.small((mistake.from, mistake.to))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        #expect("\(error.detail) \(error.mend)".contains(mistake.says))
        #expect([2, 3].contains(error.line))
    }

    @Test func `an error has the line of the mistake`() throws {
        let text = try Manifests.small(
            ("links: { out: 'login' }", "\n\nlinks: { out: 'nowhere' }"))
        let error = try #require(throws: ManifestError.self) {
            try App(id: "small", file: "f", text: text)
        }
        let lines = text.split(
            separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(error.line)
        #expect(lines[line - 1].contains("nowhere"))
    }
}
