import Apps
import Testing

/// Links in labels, and errors shown while typing.
@Suite(.timeLimit(.minutes(10))) struct LabelLinkTests {
    private static let againField = "again: { type: 'password', label: 'Again',"

    @Test func `a part of a label can be a link`() throws {
        let app = try Manifests.app(
            (
                Self.againField,
                "terms: { type: 'toggle', label: 'I accept the Terms, fully',"
                    + " link: { text: 'Terms', href: 'https://a.example/t' } },"
                    + " policy: { type: 'toggle', label: 'Policy',"
                    + " link: 'https://a.example/p' }, " + Self.againField
            ))
        let fields = try #require(app.screen("login")?.fields)
        let links = fields.compactMap(\.link)
        #expect(links.map(\.href) == ["https://a.example/t", "https://a.example/p"])
        #expect(links.map(\.text) == ["Terms", nil])
    }

    @Test(arguments: [
        InvalidManifest(
            againField,
            "terms: { type: 'toggle', label: 'I accept',"
                + " link: { text: 'Terms', href: 'https://a.example/t' } }, " + againField,
            at: "screens.login.fields.terms.link", message: "not part"),
        InvalidManifest(
            againField,
            "terms: { type: 'toggle', label: 'Terms',"
                + " link: { text: 'Terms', href: 'javascript:x' } }, " + againField,
            at: "screens.login.fields.terms.link.href", message: "https://"),
        InvalidManifest(
            againField,
            "first: { type: 'text', label: 'First', purpose: 'first-name' }, " + againField,
            at: "screens.login.fields.first.purpose", message: "Invalid purpose"),
    ]) func `an invalid link or an unknown purpose is refused`(mistake: InvalidManifest) throws {
        try mistake.expectError()
    }

    @Test func `a field compared with an empty one has no error while typing`() throws {
        let app = try Manifests.app(("message: 'Differs' }", "message: 'Differs', live: true }"))
        let login = try #require(app.screen("login"))
        #expect(login.checkWhileTyping(["again": "a"]).isEmpty)
        #expect(login.checkWhileTyping(["password": "b"]).isEmpty)
        #expect(login.checkWhileTyping(["again": "a", "password": "b"]) == ["again": "Differs"])
    }

    @Test func `of two rules broken while typing, the first gives the error`() throws {
        let app = try Manifests.app(
            (
                "submit: { label: 'Login'",
                "rules: [{ fields: ['email'], min: 9, message: 'Short',"
                    + " live: true }, { fields: ['email'], max: 1,"
                    + " message: 'Long', live: true }], submit: { label: 'Login'"
            ))
        let login = try #require(app.screen("login"))
        #expect(login.checkWhileTyping(["email": "ab"])["email"] == "Short")
    }
}
