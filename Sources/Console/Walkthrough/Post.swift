import Apps
import Backend
import Simulator
import Web

/// The mail of a walk's person: read and followed as a person would.
struct Post: Sendable {
    let services: Services
    let walk: Walk

    /// The newest that was not used; mails of one person are few.
    func newest(where isWanted: (Mail) -> Bool = { _ in true }) async throws -> Mail? {
        let now = services.now(in: walk.workspace)
        return try await services.backend.mailbox.list(
            workspace: walk.workspace, to: walk.now.person.email,
            app: services.contract(ofApp: walk.app), limit: 10
        ).items.first { mail in
            mail.usedAt == nil && mail.expiresAt.map { $0 > now } ?? true && isWanted(mail)
        }
    }

    /// Presses what makes the app send another mail, if the screen has
    /// anything of the kind.
    func ask(on screen: Screen) async throws {
        _ = try await services.simulator.askForMail(
            walk.place, on: screen, screen.filled(as: walk.now.person))
    }

    /// Opens the link of the mail a screen waits for.
    func verify(from screen: Screen) async throws {
        let hasLink = { (mail: Mail) in mail.link != nil }
        if try await newest(where: hasLink) == nil { try await ask(on: screen) }
        guard let mail = try await newest(where: hasLink) else { return }
        await follow(mail)
    }

    /// Opens a mail's link, as the browser of a phone would.
    func follow(_ mail: Mail) async {
        let base = services.backendBase
        guard let link = mail.link, link.hasPrefix(base + "/") else { return }
        _ = await services.backend.responder(
            Request(
                method: .get, target: String(link.dropFirst(base.count)),
                headers: [
                    "Host": String(base.drop { $0 != "/" }.dropFirst(2)), "Accept": "text/html",
                ]))
    }
}
