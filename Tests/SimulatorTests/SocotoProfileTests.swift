import Support
import Testing
import Web

@testable import Simulator

/// Socoto's profile form: one row of the table `profiles`.
@Suite(.timeLimit(.minutes(10))) struct SocotoProfileTests {
    private static let save = "PATCH /rest/v1/profiles"

    private static let row = """
        {"id":"u1","full_name":"Maya Okafor","bio":"Bread","avatar_url":"asset:sun","role":"user",\
        "preferences":{"categories":["food"],"notifications_enabled":true}}
        """

    private static let input = [
        "photo": "asset:leaf", "fullName": " Maya O. ", "bio": "", "phone": "+49 40 1234567",
        "location": "Hamburg", "marketing": "on",
    ]

    @Test func `SOC-45 the form starts with the row`() async throws {
        let phone = try await SupabaseWire.signedIn(.json(200, Self.row))
        let values = try #require(try await phone.open("edit").shown).fieldValues
        #expect(
            values == [
                "photo": "asset:sun", "fullName": "Maya Okafor", "bio": "Bread",
                "notifications": "true",
            ])
    }

    @Test func `SOC-45 saving sends the row and shows the response`() async throws {
        let phone = try await SupabaseWire.signedIn(.json(200, Self.row))
        _ = try await phone.open("edit")
        let saved = #"{"id":"u1","full_name":"Maya O.","bio":"","location":"Hamburg"}"#
        phone.stub.script(Self.save, .json(200, saved))
        let result = try await phone.act("edit", "submit", Self.input)
        #expect(result == ActionResult(screen: "profile", succeeded: true))
        let now = try await phone.now
        #expect(now.notice == "Profile saved")
        #expect(now.availableValues["profile"] == (try JSON(parsing: saved)))
        // The role and the address are not sent.
        let request = try #require(phone.stub.sent(Self.save).first)
        #expect(request.url.hasSuffix("/rest/v1/profiles?id=eq.u1"))
        #expect(request.bearer == SupabaseWire.accessToken(1))
        #expect(request.headers["Prefer"] == "return=representation")
        #expect(
            request.text == """
                {"full_name":"Maya O.","bio":"","phone_number":"+49 40 1234567",\
                "location":"Hamburg","avatar_url":"asset:leaf","preferences":{\
                "categories":["food"],"notifications_enabled":false,\
                "location_sharing_enabled":false,"marketing_emails_enabled":true}}
                """)
    }

    @Test func `SOC-45 what another client emptied is not in the form`() async throws {
        let phone = try await SupabaseWire.signedIn(.json(200, Self.row))
        phone.stub.always(SupabaseWire.profiles, SupabaseWire.profile)
        _ = try await phone.simulator.refreshScreen(phone.instance, screen: "profile")
        let values = try #require(try await phone.open("edit").shown).fieldValues
        #expect(values == ["photo": "asset:person", "fullName": "Maya Okafor"])
    }

    @Test func `SOC-45 a photo that is none of the choices is kept`() async throws {
        let phone = try await SupabaseWire.signedIn(.json(200, Self.row))
        _ = try await phone.open("edit")
        phone.stub.script(Self.save, .json(200, Self.row))
        _ = try await phone.act("edit", "submit", Self.input.filter { $0.key != "photo" })
        let body = try #require(phone.stub.sent(Self.save).first).text
        #expect(!body.contains("avatar_url"))
    }

    @Test(
        arguments: [
            (.failure(.connection), "The Internet connection appears to be offline."),
            (SupabaseWire.noProfile, "There is no profile to change."),
            (.json(403, #"{"code":"42501","message":"permission denied"}"#), "permission denied"),
        ] as [(StubTransport.Reply, String)])
    func `SOC-46 a failure is shown and the input kept`(
        response: StubTransport.Reply, message: String
    ) async throws {
        let phone = try await SupabaseWire.signedIn(.json(200, Self.row))
        _ = try await phone.open("edit")
        phone.stub.script(Self.save, response)
        let result = try await phone.act("edit", "submit", Self.input)
        #expect(result == ActionResult(screen: "edit", succeeded: false))
        let now = try await phone.now
        #expect(now.failure?.message == "Saving failed: \(message)")
        #expect(now.fieldValues["location"] == "Hamburg")
        // A toggle that was switched off stays off.
        #expect(now.fieldValues["notifications"] == "")
        #expect(now.availableValues["profile"]?["full_name"] == "Maya Okafor")
    }

    @Test func `SOC-46 without a profile there is no form`() async throws {
        let phone = try await SupabaseWire.signedIn(SupabaseWire.noProfile)
        #expect(try await phone.open("edit").redirected == "profile")
    }
}
