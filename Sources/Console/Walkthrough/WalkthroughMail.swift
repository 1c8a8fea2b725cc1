import Apps
import Backend
import Simulator
import Web

/// The mail of a walk's person: read and followed as a person would.
struct WalkthroughMail: Sendable {
    let services: Services
    let walkthrough: WalkthroughSession

    /// The newest that was not used; mails of one person are few.
    func newestUnused(where isWanted: (Mail) -> Bool = { _ in true }) async throws -> Mail? {
        let now = services.now(in: walkthrough.workspace)
        return try await services.backend.mailbox.list(
            workspace: walkthrough.workspace, to: walkthrough.current.person.email,
            app: services.contract(ofApp: walkthrough.app), limit: 10
        ).items.first { mail in
            mail.usedAt == nil && mail.expiresAt.map { $0 > now } ?? true && isWanted(mail)
        }
    }

    /// Presses what makes the app send another mail, if the screen has
    /// anything of the kind.
    func requestMail(on screen: Screen) async throws {
        _ = try await services.simulator.requestMail(
            walkthrough.instance, on: screen, screen.validInput(from: walkthrough.current.person))
    }

    /// Opens the link of the mail a screen waits for.
    func openVerificationLink(from screen: Screen) async throws {
        let hasLink = { (mail: Mail) in mail.link != nil }
        if try await newestUnused(where: hasLink) == nil { try await requestMail(on: screen) }
        guard let mail = try await newestUnused(where: hasLink) else { return }
        await openLink(of: mail)
    }

    /// Opens a mail's link, as the browser of a phone would.
    func openLink(of mail: Mail) async {
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
