import Apps
package import Backend
import Core
import Simulator
import Web

/// Reads the mail of a walkthrough's person and opens its links.
package struct WalkthroughMail: Sendable {
    package let walkthrough: WalkthroughSession

    package init(walkthrough: WalkthroughSession) { self.walkthrough = walkthrough }

    /// The newest unused and unexpired mail; ten are enough for one person.
    package func newestUnused(where isWanted: (Mail) -> Bool = { _ in true }) async throws -> Mail?
    {
        let now = walkthrough.simulator.clocks.now(in: walkthrough.workspace)
        return try await walkthrough.backend.mailbox.list(
            workspace: walkthrough.workspace, to: walkthrough.current.person.email,
            app: walkthrough.contract, limit: 10
        ).items.first { mail in
            mail.usedAt == nil && mail.expiresAt.map { $0 > now } ?? true && isWanted(mail)
        }
    }

    /// Runs the screen's action that requests a mail, if there is one.
    func requestMail(on screen: Screen) async throws {
        _ = try await walkthrough.simulator.requestMail(
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
    package func openLink(of mail: Mail) async {
        let base = walkthrough.backendBase
        guard let link = mail.link, link.hasPrefix(base + "/") else { return }
        _ = await walkthrough.backend.responder(
            Request(
                method: .get, target: String(link.dropFirst(base.count)),
                headers: [
                    "Host": String(base.drop { $0 != "/" }.dropFirst(2)), "Accept": "text/html",
                ]))
    }
}
