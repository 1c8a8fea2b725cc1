import Apps
import Testing

/// What one part of a manifest says of another.
@Suite(.timeLimit(.minutes(10))) struct ManifestReferenceTests {
    @Test(arguments: [
        InvalidManifest(
            "messageAt: ['/message']", "fieldMessageAt: { emial: '/email/0' }",
            at: "calls.login.fieldMessageAt.emial", says: "email"),
        InvalidManifest(
            "messageAt: ['/message']", "fieldMessageAt: { email: 'email' }",
            at: "calls.login.fieldMessageAt.email", says: "slash"),
        InvalidManifest(
            "{ base: 'http://localhost:3000' }",
            "{ base: 'http://localhost:3000', settings: { kee: 'x' } }",
            at: "backends.local.settings.kee", says: "no setting"),
        InvalidManifest(
            "{ base: 'http://localhost:3000' }",
            "{ base: 'http://localhost:3000', settings: { key: 'embedded:anonKey' } }",
            at: "backends.local.settings.key", says: "embedded"),
        InvalidManifest(
            "links: { out: 'login' }", "links: { out: 'logn' }", at: "screens.home.links.out",
            says: "Did you mean login?"),
        InvalidManifest(
            "'small_device'], go: 'home'", "'small_device'], go: 'hme'",
            at: "screens.login.submit.go", says: "Did you mean home?"),
        InvalidManifest(
            "'small_device'], go: 'home'", "'small_device'], go: 'hoem'",
            at: "screens.login.submit.go", says: "Did you mean home?"),
        InvalidManifest(
            "call: 'me', go: 'home'", "call: 'me', go: 'map'", at: "launch.0.go",
            says: "no screen map"),
        InvalidManifest(
            "{ go: 'login' },", "{ go: 'entry' },", at: "launch.1.go", says: "no screen entry"),
        InvalidManifest(
            "offline: 'stay'", "offline: 'sty'", at: "launch.0.otherwise.offline",
            says: "no screen sty"),
        InvalidManifest(
            "['keychain'], go: 'login'", "['keychain'], go: 'lgin'", at: "session.lost.go",
            says: "Did you mean login?"),
        InvalidManifest(
            "links: { out: 'login' }",
            "actions: { lock: { label: 'Lock', confirm: { text: 'Sure?', "
                + "yes: 'Yes', no: 'No' }, biometric: { reason: 'r', failed: 'f' } } }",
            at: "screens.home.actions.lock.confirm", says: "question"),
        InvalidManifest(
            "walkthrough: [{ screen: 'login'", "walkthrough: [{ screen: 'x'",
            at: "walkthrough.0.screen", says: "no screen x"),
        InvalidManifest(
            "message: 'No', field: 'password'", "go: 'nowhere'", at: "calls.login.failures.0.go",
            says: "no screen nowhere"),
        InvalidManifest(
            "kind: 'form', title: 'Login', tabs: ['login', 'register']",
            "kind: 'form', title: 'Login', tabs: ['login', 'regster']", at: "screens.login.tabs.1",
            says: "Did you mean register?"),
        InvalidManifest(
            "kind: 'form', title: 'Login', tabs: ['login', 'register']",
            "kind: 'form', title: 'Login', tabs: ['register']", at: "screens.login.tabs",
            says: "Add 'login'."),
    ]) func `a way to a screen that does not exist is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "calls: ['login']", "calls: ['logn']", at: "screens.login.submit.calls",
            says: "Did you mean login?"),
        InvalidManifest(
            "calls: ['login']", "calls: ['login'], resume: { logn: ['email'] }",
            at: "screens.login.submit.resume.logn", says: "Did you mean login?"),
        InvalidManifest(
            "calls: ['login']",
            "calls: ['login'], resume: { login: "
                + "{ fields: ['email'], changed: { password: 'logn' } } }",
            at: "screens.login.submit.resume.login.changed.password", says: "Did you mean login?"),
        InvalidManifest(
            "load: ['me']", "load: ['my']", at: "screens.home.load", says: "Did you mean me?"),
        InvalidManifest("call: 'me'", "call: 'mine'", at: "launch.0.call", says: "no call mine"),
        InvalidManifest(
            "refresh: 'refresh', ", "refresh: 'refrsh', ", at: "session.refresh",
            says: "Did you mean refresh?"),
        InvalidManifest(
            "base: 'http://localhost:3000' }",
            "base: 'http://localhost:3000', calls: { logi: { request:"
                + " { method: 'GET', path: '/' } } } }", at: "backends.local.calls.logi",
            says: "Did you mean login?"),
    ]) func `a call nobody describes is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "user: ['/']", "usr: ['/']", at: "calls.me.success.capture.usr",
            says: "Did you mean user?"),
        InvalidManifest(
            "small_refresh: { area: 'keychain', holds: 'refreshToken' },", "",
            at: "calls.login.success.capture.refreshToken", says: "nothing holds refreshToken"),
        InvalidManifest(
            "store: ['accessToken', 'small_device']", "store: ['token']",
            at: "screens.login.submit.store", says: "no storage key holds"),
        InvalidManifest(
            "stored: ['accessToken']", "stored: ['acessToken']", at: "launch.0.stored",
            says: "Did you mean accessToken?"),
        InvalidManifest(
            "stored: ['accessToken']", "where: { acessToken: 'x' }",
            at: "launch.0.where.acessToken", says: "Did you mean accessToken?"),
        InvalidManifest(
            "type: 'email', ", "type: 'email', prefill: 'emial', ",
            at: "screens.login.fields.email.prefill", says: "nothing holds"),
        InvalidManifest(
            "bearer: 'accessToken'", "bearer: 'accesToken'", at: "calls.me.request.bearer",
            says: "Did you mean accessToken?"),
        InvalidManifest(
            "holds: 'refreshToken'", "holds: 'refreshTokn'", at: "storage.small_refresh.holds",
            says: "refreshToken?"),
        InvalidManifest(
            "refreshToken: ['/refresh'] } }", "refreshToken: ['/refresh'] }, require: ['token'] }",
            at: "calls.login.success.require", says: "not captured"),
        InvalidManifest(
            "value: '{device.uuid}'", "value: '{device.uuid}', fromNow: true",
            at: "storage.small_device", says: "seconds from now"),
        InvalidManifest(
            "value: '{device.uuid}'", "value: 'x', holds: 'user'", at: "storage.small_device",
            says: "one of them"),
    ]) func `a captured value has a place, and a place a value`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "email: '{email}', password", "email: '{emial}', password",
            at: "calls.login.request.json.email", says: "Did you mean email?"),
        InvalidManifest(
            "token: '{refreshToken}'", "token: '{password}'",
            at: "calls.refresh.request.json.token", says: "nothing provides {password}"),
        InvalidManifest(
            "'{device.uuid}'", "'{device.id}'", at: "storage.small_device.value",
            says: "device.uuid"),
        InvalidManifest(
            "path: '/me'", "path: '/{who}'", at: "calls.me.request.path",
            says: "nothing provides {who}"),
        InvalidManifest(
            "'Hello {email}'", "'Hello {mail}'", at: "screens.register.text",
            says: "Did you mean email?"),
        InvalidManifest(
            "message: 'No'", "message: 'No, {statu}'", at: "calls.login.failures.0.message",
            says: "status"),
    ]) func `a variable is provided by something`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "{ same: 'password', message: 'Differs' }", "{ same: 'pasword', message: 'Differs' }",
            at: "screens.login.fields.again.rules.0.same", says: "Did you mean password?"),
        InvalidManifest(
            "onFailure: { clear: ['password'] }", "onFailure: { clear: ['code'] }",
            at: "screens.login.submit.onFailure.clear", says: "no field code"),
        InvalidManifest(
            "message: 'No', field: 'password'", "message: 'No', field: 'user'",
            at: "calls.login.failures.0.field", says: "field user"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', enabled: { filled: ['mail'] },",
            at: "screens.login.submit.enabled.filled", says: "email"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', checks: ['mail'],",
            at: "screens.login.submit.checks", says: "email"),
        InvalidManifest(
            "fields: {\n",
            "rules: [{ fields: ['mail'], required: true, message: 'x' }], fields: {\n",
            at: "screens.login.rules.0.fields", says: "email"),
        InvalidManifest(
            "{ same: 'password', message: 'Differs' }",
            "{ same: 'password', min: 3, message: 'Differs' }",
            at: "screens.login.fields.again.rules.0.min", says: "one thing"),
        InvalidManifest(
            "{ same: 'password', message: 'Differs' }", "{ message: 'x' }",
            at: "screens.login.fields.again.rules.0", says: "tests nothing"),
        InvalidManifest(
            "again: { type: 'password'", "again: { type: 'choice'",
            at: "screens.login.fields.again", says: "no options"),
    ]) func `rules and actions speak of their screen's fields`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "note: 'Here' }", "note: 'Here', points: [{ at: 'mail', lead: 'a', text: 'b' }] }",
            at: "walkthrough.0.points.0.at", says: "email"),
        InvalidManifest(
            "name: 'Small',", "name: 'Small', look: { cover: 'red' },", at: "look.cover",
            says: "#2D1810"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', needs: { build: 'debg' },",
            at: "screens.login.submit.needs.build", says: "debug"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', inert: true,",
            at: "screens.login.submit", says: "inert"),
        InvalidManifest(
            "email: {}, user: {}", "email: { per: 'mail' }, user: {}", at: "memory.email.per",
            says: "email"),
        InvalidManifest(
            "messageAt: ['/message'],", "messageAt: ['/message'], remember: { emial: 'x' },",
            at: "calls.login.remember.emial", says: "email"),
        InvalidManifest("home: {", "'ho me': {", at: "screens.ho me", says: "a letter"),
    ]) func `whatever else is named exists`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }
}
