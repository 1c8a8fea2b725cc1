import Support
import Testing
import Web

@testable import Console

/// The form that sends a request again says what is wrong in its own words.
@Suite(.timeLimit(.minutes(10))) struct ResendPagesTests {
    private func send(_ changes: [String: String], _ house: WholeHouse) async throws -> String {
        let device = await house.device()
        await house.submitted(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: device)
        let id = try await house.exchange("call=login")
        let response = await house.site.responder(
            Request(
                method: .post, target: "/traffic/\(id)/resend",
                headers: [
                    "Host": "127.0.0.1:7070", "Accept": "text/html",
                    "Authorization": "Bearer \(WholeHouse.key)",
                    "Content-Type": "application/x-www-form-urlencoded",
                ], body: Array(Form.encode(changes.map { ($0.key, $0.value) }).utf8)))
        #expect(response.status == 400)
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("method", "G3T", "The method must be a word in upper case"),
        ("path", "auth", "The path must begin with one slash."),
        ("path", "/a b", "The path holds characters no address holds."),
        ("path", "https://evil.example/", "The path leads to another server"),
        ("headers", "no colon", "A line is a name, a colon and a value"),
        (
            "path", "/" + String(repeating: "x", count: 20_000),
            "The path is too long: an address may have 16,384 bytes, and this has 20,0"
        ),
    ]) func `what is wrong stands beside its field, without pointers`(
        field: String, value: String, words: String
    ) async throws {
        let page = try await send([field: value, "password": "x"], WholeHouse())
        let error = page.split(separator: "\n").first {
            $0.contains("data-testid=\"resend.\(field).error\"")
        }
        #expect(error?.contains(words) == true, "\(error ?? "")")
        #expect(!page.contains("/edit/"))
        #expect(!page.contains("resend.fault"))
    }

    @Test func `a password that is missing is asked for in its field`() async throws {
        let page = try await send([:], WholeHouse())
        #expect(page.contains("The password is missing: "))
        #expect(page.contains("resend.password.error"))
        #expect(!page.contains("/password"))
    }
}
