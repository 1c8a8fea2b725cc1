import Core
import Web

@testable import Backend

/// Administration, and users without an address.
extension SocotoClient {
    static let phone = "+4915112345678"

    @discardableResult func administrate(
        _ method: Web.Method, _ path: String, _ body: JSON? = nil
    ) async -> Reply {
        await send(method, "/auth/v1" + path, body, bearer: serviceKey)
    }

    /// The id of a confirmed user whom an administrator created.
    @discardableResult func addUser(_ email: String = SocotoClient.email) async throws -> String {
        let reply = await administrate(
            .post, "/admin/users",
            [
                "email": .string(email), "password": .string(Self.password), "email_confirm": true,
            ])
        return reply.json["id"]?.string ?? ""
    }

    /// Signs up with a number, confirms it and so signs in.
    @discardableResult func createPhoneUser() async throws -> Reply {
        await send(
            .post, "/auth/v1/signup",
            ["phone": .string(Self.phone), "password": .string(Self.password)])
        return await verifyPhone("sms", try await code(to: Self.phone))
    }

    func verifyPhone(_ type: String, _ code: String, _ phone: String = SocotoClient.phone) async
        -> Reply
    {
        await send(
            .post, "/auth/v1/verify",
            ["type": .string(type), "phone": .string(phone), "token": .string(code)])
    }

    /// The code of the newest message.
    func code(to recipient: String) async throws -> String {
        let page = try await fixture.backend.mailbox.list(workspace: workspace, to: recipient)
        return page.items.first?.code ?? "no message"
    }

    /// The link of the newest message.
    func link(to recipient: String) async throws -> String {
        let page = try await fixture.backend.mailbox.list(workspace: workspace, to: recipient)
        return page.items.first?.link ?? "no message"
    }
}
