import Apps
import Backend
import Core
import Simulator
import Web

/// Reads the mail of the walkthrough's person and opens its links.
extension WalkthroughSession {
    /// The newest unused and unexpired mail; ten are enough for one person.
    func newestUnusedMail(where isWanted: (Mail) -> Bool = { _ in true }) async throws -> Mail? {
        let now = simulator.clocks.now(in: workspace)
        return try await backend.mailbox.list(
            workspace: workspace, to: current.person.email, app: contract, limit: 10
        ).items.first { mail in
            mail.usedAt == nil && mail.expiresAt.map { $0 > now } ?? true && isWanted(mail)
        }
    }

    /// Opens the link of the newest mail, as the device's browser would; returns false if there is
    /// none.
    package func openMail() async throws -> Bool {
        guard let mail = try await newestUnusedMail(where: { $0.link != nil }) else { return false }
        await openLink(of: mail)
        return true
    }

    /// Runs the screen's action that requests a mail, if there is one.
    func requestMail(on screen: Screen) async throws {
        _ = try await simulator.requestMail(
            instance, on: screen, screen.validInput(from: current.person))
    }

    /// Opens the link of the mail that the screen waits for.
    func openVerificationLink(from screen: Screen) async throws {
        if try await newestUnusedMail(where: { $0.link != nil }) == nil {
            try await requestMail(on: screen)
        }
        _ = try await openMail()
    }

    /// Opens a mail's link, as a browser would.
    private func openLink(of mail: Mail) async {
        guard let link = mail.link, link.hasPrefix(backendBase + "/") else { return }
        _ = await backend.responder(
            Request(
                method: .get, target: String(link.dropFirst(backendBase.count)),
                headers: [
                    "Host": String(backendBase.drop { $0 != "/" }.dropFirst(2)),
                    "Accept": "text/html",
                ]))
    }
}
