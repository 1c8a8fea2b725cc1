import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct MailboxAPITests {
    /// A fixture in which one user per name registered and was sent a mail.
    private func makeFixture(registering names: [String]) async throws -> FoyerFixture {
        let fixture = try await FoyerFixture()
        for name in names { _ = try await fixture.registered("\(name)@example.com") }
        return fixture
    }

    private func recipients(_ list: JSON) -> [String] {
        guard case .array(let items)? = list["items"] else { return [] }
        return items.compactMap { $0["to"]?.string }
    }

    @Test func `mail is filtered by app, also for apps that share a contract`() async throws {
        let fixture = try await makeFixture(registering: ["nora"])
        for app in ["mystica", "mystica-instant"] {
            let list = await fixture.ask(.get, "/api/mailbox?app=\(app)")
            #expect(list.json["total"] == 1)
            let mail = await fixture.ask(.get, "/api/mailbox/wait?timeout=0&app=\(app)")
            #expect(mail.status == 200)
        }
        let other = await fixture.ask(.get, "/api/mailbox?app=bob")
        #expect(other.json["total"] == 0)
    }

    @Test func `the mailbox is paged by key, newest first`() async throws {
        let fixture = try await makeFixture(registering: ["a", "b", "c", "d", "e"])
        var pages: [[String]] = []
        var after = ""
        while pages.count < 4 {
            let list = await fixture.ask(.get, "/api/mailbox?limit=2" + after).json
            #expect(list["total"] == 5)
            pages.append(recipients(list))
            guard let next = list["next"]?.string else { break }
            after = "&after=\(next)"
        }
        #expect(
            pages == [
                ["e@example.com", "d@example.com"], ["c@example.com", "b@example.com"],
                ["a@example.com"],
            ])
    }

    @Test func `an exactly full page is the last one`() async throws {
        let fixture = try await makeFixture(registering: ["a", "b"])
        let list = await fixture.ask(.get, "/api/mailbox?limit=2").json
        #expect(recipients(list).count == 2)
        #expect(list["next"] == .null)
    }

    @Test func `a new mail does not shift the next page`() async throws {
        let fixture = try await makeFixture(registering: ["a", "b", "c"])
        let first = await fixture.ask(.get, "/api/mailbox?limit=2").json
        let next = try #require(first["next"]?.string)
        _ = try await fixture.registered("d@example.com")
        let second = await fixture.ask(.get, "/api/mailbox?limit=2&after=\(next)").json
        #expect(recipients(second) == ["a@example.com"])
        #expect(second["total"] == 4)
    }

    @Test func `a filter applies to every page`() async throws {
        let fixture = try await makeFixture(registering: ["a", "b"])
        let newest = await fixture.ask(.get, "/api/mailbox?limit=1").json
        let next = try #require(newest["next"]?.string)
        let found = await fixture.ask(.get, "/api/mailbox?to=A@example.com&after=\(next)").json
        #expect(recipients(found) == ["a@example.com"])
        let none = await fixture.ask(.get, "/api/mailbox?to=b@example.com&after=\(next)").json
        #expect(recipients(none) == [])
        #expect(none["next"] == .null)
    }

    @Test(arguments: ["x", "0", "-1", ""]) func `an invalid cursor is rejected by name`(
        after: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.get, "/api/mailbox?after=\(after)")
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["parameter"]?.string == "after")
    }
}
