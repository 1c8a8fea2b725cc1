import Apps
import Testing

/// Labels a part of which is a link, and what is told while typing.
@Suite(.timeLimit(.minutes(10))) struct LabelLinkTests {
    private static let again = "again: { type: 'password', label: 'Again',"

    @Test func `a part of a label can be its link`() throws {
        let app = try Manifests.app(
            (
                Self.again,
                "terms: { type: 'toggle', label: 'I accept the Terms, fully',"
                    + " link: { text: 'Terms', href: 'https://a.example/t' } },"
                    + " policy: { type: 'toggle', label: 'Policy',"
                    + " link: 'https://a.example/p' }, " + Self.again
            ))
        let fields = try #require(app.screen("login")?.fields)
        let links = fields.compactMap(\.link)
        #expect(links.map(\.href) == ["https://a.example/t", "https://a.example/p"])
        #expect(links.map(\.text) == ["Terms", nil])
    }

    @Test(arguments: [
        InvalidManifest(
            again,
            "terms: { type: 'toggle', label: 'I accept',"
                + " link: { text: 'Terms', href: 'https://a.example/t' } }, " + again,
            at: "screens.login.fields.terms.link", says: "no part"),
        InvalidManifest(
            again,
            "terms: { type: 'toggle', label: 'Terms',"
                + " link: { text: 'Terms', href: 'javascript:x' } }, " + again,
            at: "screens.login.fields.terms.link.href", says: "https://"),
        InvalidManifest(
            again, "first: { type: 'text', label: 'First', purpose: 'first-name' }, " + again,
            at: "screens.login.fields.first.purpose", says: "a browser knows"),
    ]) func `a link that is no part of it, or no page, is refused`(mistake: InvalidManifest) throws
    {
        try mistake.expectError()
    }

    @Test func `nothing to compare with is no difference yet`() throws {
        let app = try Manifests.app(("message: 'Differs' }", "message: 'Differs', live: true }"))
        let login = try #require(app.screen("login"))
        #expect(login.checkWhileTyping(["again": "a"]).isEmpty)
        #expect(login.checkWhileTyping(["password": "b"]).isEmpty)
        #expect(login.checkWhileTyping(["again": "a", "password": "b"]) == ["again": "Differs"])
    }

    @Test func `of two rules broken while typing the first is told`() throws {
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
