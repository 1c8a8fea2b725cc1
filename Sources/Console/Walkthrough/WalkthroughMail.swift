import Apps
import Backend
import Simulator
import Web

/// Reads the mail of a walkthrough's person and opens its links.
struct WalkthroughMail: Sendable {
    let services: Services
    let walkthrough: WalkthroughSession

    /// The newest unused and unexpired mail; ten are enough for one person.
    func newestUnused(where isWanted: (Mail) -> Bool = { _ in true }) async throws -> Mail? {
        let now = services.now(in: walkthrough.workspace)
        return try await services.backend.mailbox.list(
            workspace: walkthrough.workspace, to: walkthrough.current.person.email,
            app: services.appCatalog.contract(ofApp: walkthrough.app), limit: 10
        ).items.first { mail in
            mail.usedAt == nil && mail.expiresAt.map { $0 > now } ?? true && isWanted(mail)
        }
    }

    /// Runs the screen's action that requests a mail, if there is one.
    func requestMail(on screen: Screen) async throws {
        _ = try await services.simulator.requestMail(
            walkthrough.instance, on: screen, screen.validInput(from: walkthrough.current.person))
    }

    /// Opens the link of the mail that the screen waits for.
    func openVerificationLink(from screen: Screen) async throws {
        let hasLink = { (mail: Mail) in mail.link != nil }
        if try await newestUnused(where: hasLink) == nil { try await requestMail(on: screen) }
        guard let mail = try await newestUnused(where: hasLink) else { return }
        await openLink(of: mail)
    }

    /// Opens a mail's link, as a browser would.
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
