import Core
import Crypto
import Support
import Testing
import Web

@testable import Simulator

/// A sign-in at a provider: the page that an action opens, its result and its end.
@Suite(.timeLimit(.minutes(10))) struct BrowserPageTests {
    /// A phone on the sign-in screen whose Google button was pressed, and the opened page.
    private func pressed() async throws -> (Phone, OpenedPage) {
        let phone = try await SupabaseWire.phone()
        _ = try await phone.open("signin")
        let result = try await phone.simulator.preparePrompt(
            phone.instance, screen: "signin", action: "google", form: [:],
            returnURL: "http://127.0.0.1:7070/back")
        #expect(result == ActionResult(screen: "signin", succeeded: true))
        return (phone, try #require(try await phone.now.openedPage))
    }

    private func end(_ phone: Phone, _ result: [String: String]) async throws -> ActionResult {
        try await phone.simulator.runAction(
            phone.instance, screen: "signin", action: "google", form: [:], pageResult: result)
    }

    @Test func `SOC-72 the page's result is exchanged once, with the proof key's secret`()
        async throws
    {
        let (phone, page) = try await pressed()
        #expect(page.url.hasPrefix("https://project.supabase.co/auth/v1/authorize?"))
        let query = URLParts(page.url).query ?? ""
        let items = Dictionary(
            uniqueKeysWithValues: try RequestTarget(parsing: "/?\(query)").query.map {
                ($0.name, $0.value)
            })
        #expect(items["provider"] == "google")
        #expect(items["redirect_to"] == "http://127.0.0.1:7070/back")
        #expect(phone.stub.requests.isEmpty)

        phone.stub.script(SupabaseWire.token, SupabaseWire.session(1))
        phone.stub.script(SupabaseWire.profiles, SupabaseWire.profile)
        let result = try await end(phone, ["code": "c-1"])
        #expect(result == ActionResult(screen: "profile", succeeded: true))
        let body = try JSON(parsing: phone.stub.sent(SupabaseWire.token)[0].text)
        let verifier = try #require(body["code_verifier"]?.string)
        #expect(body["auth_code"] == "c-1")
        #expect(
            items["code_challenge"]
                == Base64URL.encode(Hex.decode(Digest.sha256(verifier))))
        #expect(try await phone.now.openedPage == nil)
    }

    @Test(arguments: [
        (["error_description": "The user denied access"], "The user denied access"),
        ([:], "The sign-in was not completed."),
    ]) func `a page that ends without a result shows its reason`(
        _ result: [String: String], _ reason: String
    ) async throws {
        let (phone, _) = try await pressed()
        #expect(try await end(phone, result).screen == "signin")
        #expect(try await phone.now.failure?.message == "Sign in failed: \(reason)")
        #expect(phone.stub.requests.isEmpty)
    }

    @Test func `a cold start forgets the proof key, so that a late result is not used`()
        async throws
    {
        let (phone, _) = try await pressed()
        _ = try await phone.relaunch()
        _ = try await phone.open("signin")
        #expect(try await !end(phone, ["code": "c-1"]).succeeded)
        #expect(phone.stub.requests.isEmpty)
    }
}
