import Apps
import Testing

/// Keys, types and slips of the pen.
@Suite struct ManifestErrorTests {
    @Test func `the manifest the mistakes are made in is right`() throws {
        #expect(try Manifests.app().name == "Small")
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
    ) throws { try mistake.expectError() }

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
    ) throws { try mistake.expectError() }

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
