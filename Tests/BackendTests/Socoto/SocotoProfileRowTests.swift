import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoProfileRowTests {
    @Test(arguments: [
        (#"{"role":null,"user_type":"business_owner"}"#, "business_owner"),
        (#"{"role":"admin","user_type":"business_owner"}"#, "admin"),
        (#"{"role":null,"user_type":null}"#, "user"),
    ]) func `the sign-up trigger treats null as absent`(_ data: String, _ role: String)
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        await client.signUp(data: try JSON(parsing: data))
        let reply = await client.send(
            .get, "/rest/v1/profiles?select=role", bearer: client.serviceKey)
        #expect(reply.text == #"[{"role":"\#(role)"}]"#)
    }
}
