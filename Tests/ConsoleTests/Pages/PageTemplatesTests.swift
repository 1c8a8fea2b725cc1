import Core
import Templates
import Testing

@testable import Console

/// The console's pages as the server sends them, before any script runs.
@Suite(.timeLimit(.minutes(10))) struct PageTemplatesTests {
    private let templates: Templates

    init() throws {
        let root = try #require(ProjectRoot.find(from: #filePath))
        templates = try Templates(folders: [.init(path: root + "/templates")])
    }

    private func text(_ name: String, _ model: TemplateModel, layout: String? = nil) throws
        -> String
    {
        let framed = model.merging([
            "csrf": "token-of-this-page", "partURL": "/?part=",
            "frame": layout == "layouts/console" ? TemplateModel.frame() : nil,
        ])
        return String(decoding: try templates.render(name, framed, layout: layout), as: UTF8.self)
    }

    @Test(arguments: [
        ("/tokens", "/tokens?part="),
        ("/traffic/diff?a=exc_1&b=exc_2", "/traffic/diff?a=exc_1&b=exc_2&part="),
    ]) func `the URL of a page's parts keeps its query`(url: String, expected: String) {
        #expect(Page(title: "", navItem: "", url: url, model: [:]).partURL == expected)
    }

    private func pages() throws -> [String: String] {
        let console = "layouts/console"
        return [
            "home": try text("home/home", TemplateModel.home, layout: console),
            "studio": try text("studio/studio", TemplateModel.studio(), layout: console),
            "item": try text("studio/storeditempage", TemplateModel.storedItem(), layout: console),
            "backend": try text(
                "studio/backendpage", TemplateModel.backendSettings, layout: console),
            "sessions": try text(
                "sessions/sessions", TemplateModel.sessions(), layout: console),
            "session": try text("sessions/session", TemplateModel.session(), layout: console),
            "tokens": try text("tokens/tokens", TemplateModel.tokens, layout: console),
            "traffic": try text(
                "traffic/traffic", TemplateModel.traffic(), layout: console),
            "exchange": try text("traffic/exchange", TemplateModel.exchange(), layout: console),
            "mailbox": try text("mailbox/mailbox", TemplateModel.mailbox(), layout: console),
            "empty": try text("mailbox/mailbox", TemplateModel.emptyMailbox, layout: console),
            "confirm": try text("parts/confirmpage", .confirmation, layout: console),
            "problem": try text("errors/problem", TemplateModel.problem(), layout: console),
            "manifest": try text("errors/manifest", TemplateModel.manifestError(), layout: console),
            "key": try text("errors/key", TemplateModel.keyEntry, layout: "layouts/auth"),
        ]
    }

    @Test func `no page contains inline styles or scripts`() throws {
        for (name, page) in try pages() {
            #expect(page.hasPrefix("<!doctype html>"), "\(name)")
            #expect(page.contains("<h1"), "\(name)")
            #expect(page.contains("id=\"main\""), "\(name)")
            for forbidden in [" style=", "<style", "<script>", " onclick="] {
                #expect(!page.contains(forbidden), "\(name): \(forbidden)")
            }
            #expect(!page.contains("{{"), "\(name)")
        }
    }

    @Test func `every POST form contains the CSRF token`() throws {
        for (name, page) in try pages() {
            #expect(
                page.count(of: "method=\"post\"")
                    == page.count(of: "name=\"csrf\" value=\"token-of-this"), "\(name)")
        }
    }

    @Test func `pages load nothing from other origins`() throws {
        for (name, page) in try pages() {
            for attribute in ["src=\"http", "srcset=\"http", "use href=\"http"] {
                #expect(!page.contains(attribute), "\(name)")
            }
            #expect(
                page.count(of: "<link") == page.count(of: "href=\"/assets/")
                    - page.count(of: "<use href=\"/assets/"), "\(name)")
        }
    }

    @Test func `values from backends and users are escaped`() throws {
        let hostile = "\"'><script>alert(1)</script>"
        let pages = [
            try text("studio/studio", TemplateModel.studio(base: hostile)),
            try text("studio/tokens", TemplateModel.studio(unmasked: hostile)),
            try text("studio/storage", TemplateModel.studio(unmasked: hostile)),
            try text("studio/storeditempage", TemplateModel.storedItem(value: hostile)),
            try text("sessions/sessions", TemplateModel.sessions(user: hostile)),
            try text("sessions/session", TemplateModel.session(user: hostile)),
            try text("traffic/rows", TemplateModel.traffic(path: hostile)),
            try text("traffic/exchange", TemplateModel.exchange(body: hostile)),
            try text("mailbox/mailbox", TemplateModel.mailbox(subject: hostile)),
            try text("errors/problem", TemplateModel.problem(detail: hostile)),
            try text("errors/manifest", TemplateModel.manifestError(wrong: hostile)),
        ]
        for page in pages {
            #expect(!page.contains("<script>"))
            #expect(page.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test(arguments: ["state", "tokens", "storage", "exchanges", "mail", "timeline"])
    func `a studio part is the same alone and within its page`(part: String) throws {
        let page = try text("studio/studio", TemplateModel.studio())
        let alone = try text("studio/" + part, TemplateModel.studio())
        #expect(page.contains("data-part=\"\(part)\""))
        #expect(!alone.isEmpty)
        #expect(page.contains(alone))
    }

    @Test func `a masked token has a reveal link, an unmasked one a hide link`() throws {
        let masked = try text("studio/tokens", TemplateModel.studio())
        #expect(masked.contains("eyJhbG…x9Qw"))
        #expect(masked.contains("studio.token.access.reveal"))
        #expect(!masked.contains("class=\"revealed"))
        let unmasked = try text("studio/tokens", TemplateModel.studio(unmasked: "head"))
        #expect(unmasked.contains("studio.token.access.hide"))
        #expect(!unmasked.contains("studio.token.access.reveal"))
    }

    @Test func `the first page disables the link to newer rows`() throws {
        let rows = try text("sessions/rows", TemplateModel.sessions())
        #expect(rows.contains("pager.older"))
        #expect(!rows.contains("pager.newer"))
        #expect(rows.contains("aria-disabled=\"true\""))
    }
}

extension String {
    /// The number of occurrences of `part`, none overlapping.
    fileprivate func count(of part: String) -> Int {
        split(separator: part, omittingEmptySubsequences: false).count - 1
    }
}
