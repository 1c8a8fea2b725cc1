import Apps
import Testing

/// References from one part of a manifest to another.
@Suite(.timeLimit(.minutes(10))) struct ManifestReferenceTests {
    @Test(arguments: [
        InvalidManifest(
            "messagePointers: ['/message']", "fieldMessagePointers: { emial: '/email/0' }",
            at: "calls.login.fieldMessagePointers.emial", message: "email"),
        InvalidManifest(
            "messagePointers: ['/message']", "fieldMessagePointers: { email: 'email' }",
            at: "calls.login.fieldMessagePointers.email", message: "slash"),
        InvalidManifest(
            "{ base: 'http://localhost:3000' }",
            "{ base: 'http://localhost:3000', settings: { kee: 'x' } }",
            at: "backends.local.settings.kee", message: "Unknown setting"),
        InvalidManifest(
            "{ base: 'http://localhost:3000' }",
            "{ base: 'http://localhost:3000', settings: { key: 'embedded:anonKey' } }",
            at: "backends.local.settings.key", message: "embedded"),
        InvalidManifest(
            "links: { out: 'login' }", "links: { out: 'logn' }", at: "screens.home.links.out",
            message: "Did you mean login?"),
        InvalidManifest(
            "'small_device'], go: 'home'", "'small_device'], go: 'hme'",
            at: "screens.login.submit.go", message: "Did you mean home?"),
        InvalidManifest(
            "'small_device'], go: 'home'", "'small_device'], go: 'hoem'",
            at: "screens.login.submit.go", message: "Did you mean home?"),
        InvalidManifest(
            "call: 'me', go: 'home'", "call: 'me', go: 'map'", at: "launch.0.go",
            message: "Unknown screen map"),
        InvalidManifest(
            "{ go: 'login' },", "{ go: 'entry' },", at: "launch.1.go",
            message: "Unknown screen entry"),
        InvalidManifest(
            "offline: 'stay'", "offline: 'sty'", at: "launch.0.onFailure.offline",
            message: "Unknown screen sty"),
        InvalidManifest(
            "['keychain'], go: 'login'", "['keychain'], go: 'lgin'", at: "session.expired.go",
            message: "Did you mean login?"),
        InvalidManifest(
            "links: { out: 'login' }",
            "actions: { lock: { label: 'Lock', confirm: { text: 'Sure?', "
                + "yes: 'Yes', no: 'No' }, biometric: { reason: 'r', failed: 'f' } } }",
            at: "screens.home.actions.lock.confirm", message: "biometric is one"),
        InvalidManifest(
            "links: { out: 'login' }",
            "actions: { lock: { label: 'Lock', biometric: { reason: 'r', failed: 'f' }, "
                + "browser: { path: '/lock', returns: 'code', failed: 'f' } } }",
            at: "screens.home.actions.lock.biometric", message: "browser is one"),
        InvalidManifest(
            "json: { email: '{email}'", "json: { email: '{browser.code}'",
            at: "calls.login.request.json.email",
            message: "Unknown variable {browser.code}"),
        InvalidManifest(
            "walkthrough: [{ screen: 'login'", "walkthrough: [{ screen: 'x'",
            at: "walkthrough.0.screen", message: "Unknown screen x"),
        InvalidManifest(
            "message: 'No', field: 'password'", "go: 'nowhere'", at: "calls.login.failures.0.go",
            message: "Unknown screen nowhere"),
        InvalidManifest(
            "kind: 'form', title: 'Login', tabs: ['login', 'register']",
            "kind: 'form', title: 'Login', tabs: ['login', 'regster']", at: "screens.login.tabs.1",
            message: "Did you mean register?"),
        InvalidManifest(
            "kind: 'form', title: 'Login', tabs: ['login', 'register']",
            "kind: 'form', title: 'Login', tabs: ['register']", at: "screens.login.tabs",
            message: "Add 'login'."),
        InvalidManifest(
            "holds: 'accessToken' }", "holds: 'accessToken', biometric: 'face' }",
            at: "storage.small_token.biometric", message: "No storage key holds face"),
        InvalidManifest(
            "value: '{device.uuid}' }", "value: '{device.uuid}', biometric: 'accessToken' }",
            at: "storage.small_device.biometric", message: "Only a key with holds can be locked"),
        InvalidManifest(
            "{ stored:", "{ locked: ['accessToken'], stored:", at: "launch.0.locked",
            message: "No cold start locks accessToken"),
        InvalidManifest(
            "links: { out: 'login' }",
            "actions: { open: { label: 'Open', biometric: { reason: 'r', failed: 'f', "
                + "unlock: true } } }",
            at: "screens.home.actions.open.biometric.unlock", message: "No storage key is locked"),
        InvalidManifest(
            "retries: 1", "retries: 1, offlineWhen: 'offlne'", at: "network.offlineWhen",
            message: "No storage key holds offlne"),
        InvalidManifest(
            "kind: 'home'", "kind: 'home', keyboardBar: 'Done'", at: "screens.home.keyboardBar",
            message: "A keyboard bar without fields"),
    ]) func `a reference to a missing screen, field or setting is refused`(mistake: InvalidManifest)
        throws
    {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "calls: ['login']", "calls: ['logn']", at: "screens.login.submit.calls",
            message: "Did you mean login?"),
        InvalidManifest(
            "calls: ['login']", "calls: ['login'], resume: { logn: ['email'] }",
            at: "screens.login.submit.resume.logn", message: "Did you mean login?"),
        InvalidManifest(
            "calls: ['login']",
            "calls: ['login'], resume: { login: "
                + "{ fields: ['email'], changed: { password: 'logn' } } }",
            at: "screens.login.submit.resume.login.changed.password", message: "Did you mean login?"
        ),
        InvalidManifest(
            "load: ['me']", "load: ['my']", at: "screens.home.load", message: "Did you mean me?"),
        InvalidManifest(
            "call: 'me'", "call: 'mine'", at: "launch.0.call", message: "Unknown call mine"),
        InvalidManifest(
            "refresh: 'refresh', ", "refresh: 'refrsh', ", at: "session.refresh",
            message: "Did you mean refresh?"),
        InvalidManifest(
            "base: 'http://localhost:3000' }",
            "base: 'http://localhost:3000', calls: { logi: { request:"
                + " { method: 'GET', path: '/' } } } }", at: "backends.local.calls.logi",
            message: "Did you mean login?"),
    ]) func `a reference to a missing call is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "user: ['/']", "usr: ['/']", at: "calls.me.success.capture.usr",
            message: "Did you mean user?"),
        InvalidManifest(
            "small_refresh: { area: 'keychain', holds: 'refreshToken' },", "",
            at: "calls.login.success.capture.refreshToken", message: "memory holds refreshToken"),
        InvalidManifest(
            "store: ['accessToken', 'small_device']", "store: ['token']",
            at: "screens.login.submit.store", message: "No storage key holds"),
        InvalidManifest(
            "stored: ['accessToken']", "stored: ['acessToken']", at: "launch.0.stored",
            message: "Did you mean accessToken?"),
        InvalidManifest(
            "stored: ['accessToken']", "where: { acessToken: 'x' }",
            at: "launch.0.where.acessToken", message: "Did you mean accessToken?"),
        InvalidManifest(
            "type: 'email', ", "type: 'email', prefill: 'emial', ",
            at: "screens.login.fields.email.prefill", message: "No storage key or memory holds"),
        InvalidManifest(
            "bearer: 'accessToken'", "bearer: 'accesToken'", at: "calls.me.request.bearer",
            message: "Did you mean accessToken?"),
        InvalidManifest(
            "holds: 'refreshToken'", "holds: 'refreshTokn'", at: "storage.small_refresh.holds",
            message: "refreshToken?"),
        InvalidManifest(
            "refreshToken: ['/refresh'] } }", "refreshToken: ['/refresh'] }, require: ['token'] }",
            at: "calls.login.success.require", message: "not captured"),
        InvalidManifest(
            "value: '{device.uuid}'", "value: '{device.uuid}', fromNow: true",
            at: "storage.small_device", message: "seconds from now"),
        InvalidManifest(
            "value: '{device.uuid}'", "value: 'x', holds: 'user'", at: "storage.small_device",
            message: "one of them"),
    ]) func `captured values and storage keys must match each other`(mistake: InvalidManifest)
        throws
    {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "email: '{email}', password", "email: '{emial}', password",
            at: "calls.login.request.json.email", message: "Did you mean email?"),
        InvalidManifest(
            "token: '{refreshToken}'", "token: '{password}'",
            at: "calls.refresh.request.json.token", message: "Unknown variable {password}"),
        InvalidManifest(
            "'{device.uuid}'", "'{device.id}'", at: "storage.small_device.value",
            message: "device.uuid"),
        InvalidManifest(
            "path: '/me'", "path: '/{who}'", at: "calls.me.request.path",
            message: "Unknown variable {who}"),
        InvalidManifest(
            "'Hello {email}'", "'Hello {mail}'", at: "screens.register.text",
            message: "Did you mean email?"),
        InvalidManifest(
            "message: 'No'", "message: 'No, {statu}'", at: "calls.login.failures.0.message",
            message: "status"),
    ]) func `an unknown variable is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "{ same: 'password', message: 'Differs' }", "{ same: 'pasword', message: 'Differs' }",
            at: "screens.login.fields.again.rules.0.same", message: "Did you mean password?"),
        InvalidManifest(
            "onFailure: { clear: ['password'] }", "onFailure: { clear: ['code'] }",
            at: "screens.login.submit.onFailure.clear", message: "no field code"),
        InvalidManifest(
            "message: 'No', field: 'password'", "message: 'No', field: 'user'",
            at: "calls.login.failures.0.field", message: "field user"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', enabled: { filled: ['mail'] },",
            at: "screens.login.submit.enabled.filled", message: "email"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', checks: ['mail'],",
            at: "screens.login.submit.checks", message: "email"),
        InvalidManifest(
            "fields: {\n",
            "rules: [{ fields: ['mail'], required: true, message: 'x' }], fields: {\n",
            at: "screens.login.rules.0.fields", message: "email"),
        InvalidManifest(
            "{ same: 'password', message: 'Differs' }",
            "{ same: 'password', min: 3, message: 'Differs' }",
            at: "screens.login.fields.again.rules.0.min", message: "one test"),
        InvalidManifest(
            "{ same: 'password', message: 'Differs' }", "{ message: 'x' }",
            at: "screens.login.fields.again.rules.0", message: "needs a test"),
        InvalidManifest(
            "again: { type: 'password'", "again: { type: 'choice'",
            at: "screens.login.fields.again", message: "needs options"),
    ]) func `rules and actions must refer to fields of their screen`(mistake: InvalidManifest)
        throws
    {
        try mistake.expectError()
    }

    @Test(arguments: [
        InvalidManifest(
            "note: 'Here' }", "note: 'Here', points: [{ at: 'mail', lead: 'a', text: 'b' }] }",
            at: "walkthrough.0.points.0.at", message: "email"),
        InvalidManifest(
            "name: 'Small',", "name: 'Small', look: { cover: 'red' },", at: "look.cover",
            message: "#2D1810"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', needs: { build: 'debg' },",
            at: "screens.login.submit.needs.build", message: "debug"),
        InvalidManifest(
            "submit: { label: 'Login',", "submit: { label: 'Login', inert: true,",
            at: "screens.login.submit", message: "inert"),
        InvalidManifest(
            "email: {}, user: {}", "email: { per: 'mail' }, user: {}", at: "memory.email.per",
            message: "email"),
        InvalidManifest(
            "messagePointers: ['/message'],",
            "messagePointers: ['/message'], remember: { emial: 'x' },",
            at: "calls.login.remember.emial", message: "email"),
        InvalidManifest("home: {", "'ho me': {", at: "screens.ho me", message: "a letter"),
    ]) func `other invalid references and values are refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }
}
