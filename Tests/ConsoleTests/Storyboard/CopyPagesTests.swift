import Apps
import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct CopyPagesTests {
    private static let apps = ["bob", "clarity", "mystica", "mystica-instant", "socoto", "wall"]

    @Test(arguments: apps) func `the copy deck contains every text of the manifest`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let manifest = try #require(fixture.catalog.app(app))
        let texts = try #require(fixture.catalog.app(app)).texts
        let deck = Set(texts.map(\.text))
        let calls = Array(manifest.calls.values) + manifest.backends.flatMap(\.calls.values)
        for message in calls.flatMap(\.failures).compactMap(\.message) {
            #expect(deck.contains(message), "\(message)")
        }
        for screen in manifest.screens {
            var expected = [screen.title, screen.text, screen.fallbackText]
            for field in screen.fields {
                expected += [field.label, field.placeholder]
                expected += field.rules.map(\.message) + field.strengthLabels
                expected += field.options.flatMap { [$0.label, $0.text] }
            }
            expected += screen.rules.map(\.rule.message)
            expected += screen.links.map(\.label)
            for action in screen.allActions {
                expected += [
                    action.label, action.hint, action.toast, action.notice,
                    action.confirmation?.title,
                    action.confirmation?.text, action.confirmation?.confirmLabel,
                    action.confirmation?.cancelLabel,
                    action.alert?.title, action.alert?.text, action.biometricCheck?.reason,
                    action.biometricCheck?.failureMessage, action.onFailure.title,
                    action.onFailure.text,
                ]
                expected += action.navigationRules.map(\.notice)
            }
            for text in expected.compactMap(\.self) where !text.isEmpty {
                #expect(deck.contains(text), "\(screen.id): \(text)")
            }
        }
        let messages = manifest.network.messages
        for text in [
            messages.offline, messages.timeout, messages.connection, messages.invalidResponse,
            messages.serverError,
        ] { #expect(deck.contains(text)) }
    }

    @Test(arguments: apps) func `the line number of a text points to it in the manifest`(
        app: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let file = FoyerFixture.root + "/templates/apps/\(app)/app.json5"
        let lines = String(
            decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self
        ).split(separator: "\n", omittingEmptySubsequences: false)
        for text in try #require(fixture.catalog.app(app)).texts {
            guard let line = text.line else { continue }
            // A quote in a text is written with a backslash.
            let written = lines[line - 1].replacing("\\", with: "")
            #expect(written.contains(text.text), "\(line): \(text.text)")
        }
    }

    @Test(arguments: apps) func `every link of the copy deck is a state of a screen`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let manifest = try #require(fixture.catalog.app(app))
        let page = await fixture.page("/storyboard/\(app)/copy")
        #expect(page.status == 200)
        let links = page.text.split(separator: "href=\"/storyboard/\(app)/").dropFirst().map {
            $0.prefix { $0 != "\"" && $0 != "?" }
        }.filter { $0.contains("/") }
        #expect(!links.isEmpty)
        for link in Set(links) {
            let parts = link.split(separator: "/", maxSplits: 1)
            let screen = try #require(manifest.screen(String(parts[0])))
            #expect(manifest.states(of: screen).contains(String(parts[1])))
        }
    }

    @Test func `the copy deck can be searched and filtered`() async throws {
        let fixture = try await FoyerFixture()
        let all = await fixture.page("/storyboard/bob/copy")
        #expect(all.text.contains("Please enter a valid email address"))
        #expect(all.text.contains("login, error.email"))
        #expect(all.text.contains("Don&#39;t have an account?"))
        let found = await fixture.page("/storyboard/bob/copy.csv?q=VALID+email")
        #expect(found.text.contains("Please enter a valid email address"))
        #expect(!found.text.contains("Build Better Together"))
        // The page contains the other rows as hidden, so that a script can filter without a request.
        let page = await fixture.page("/storyboard/bob/copy?q=VALID+email")
        let rows = page.text.split(separator: "<li class=\"copy-row\"")
        func isHidden(_ text: String) -> [Bool] {
            rows.filter { $0.contains("data-copy-row=\"\(text)\"") }.map {
                $0.contains("\"copy.row\" hidden>")
            }
        }
        #expect(isHidden("Build Better Together").contains(true))
        #expect(!isHidden("Build Better Together").contains(false))
        let valid = isHidden("Please enter a valid email address")
        #expect(valid.contains(false))
        #expect(!valid.contains(true))
        let kind = await fixture.page("/storyboard/bob/copy?kind=rule&screen=login&source=manifest")
        #expect(kind.text.contains("Please enter a valid email address"))
        #expect(!kind.text.contains("First name is too short"))
        let none = await fixture.page("/storyboard/bob/copy?q=nobody-says-so")
        #expect(none.text.contains("No matching texts"))
        #expect(await fixture.page("/storyboard/nowhere/copy").status == 404)
        #expect(await fixture.page("/storyboard/bob/copy?x=1").status == 400)
    }

    @Test(arguments: [
        ("copy?source=nobody", 400), ("copy?kind=nothing", 400),
        ("copy.csv?kind=nothing", 400), ("copy?screen=nowhere", 404),
        ("copy?source=&kind=&screen=", 200),
    ])
    func `unknown filters are rejected and empty ones ignored`(
        address: String, status: Int
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/bob/" + address)
        #expect(page.status == status)
    }

    @Test func `the filtered copy deck is exported as CSV`() async throws {
        let fixture = try await FoyerFixture()
        let csv = await fixture.page("/storyboard/bob/copy.csv?kind=rule")
        #expect(csv.headers["Content-Disposition"] == "attachment; filename=\"bob-copy.csv\"")
        let lines = csv.text.components(separatedBy: "\r\n")
        #expect(lines[0] == "text,kind,file,line,path,screens,characters")
        #expect(lines.count > 5)
        #expect(lines.last == "")
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.contains(",rule,app.json5,") })
    }

    @Test(arguments: [
        ("plain", "plain"), ("a, b", "\"a, b\""),
        ("say \"yes\"", "\"say \"\"yes\"\"\""), ("=1+1", "'=1+1"),
        ("+49", "'+49"), ("-1", "'-1"), ("@x", "'@x"),
        ("=\"a\"", "\"'=\"\"a\"\"\""), ("a\nb", "\"a\nb\""),
        (" a", "\" a\""), ("", ""),
    ])
    func `a CSV field is quoted and never starts a formula`(
        value: String, field: String
    ) {
        #expect(CSV.escape(value) == field)
    }
}
