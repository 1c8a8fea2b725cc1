import Backend
package import Core
import FoundationEssentials
import Simulator
import Web

/// Compares a session on its device, in its token and at its server, field by field.
package struct SessionComparison: Sendable {
    package let sources: SessionSources

    package init(sources: SessionSources) { self.sources = sources }

    /// Every field that some source has, the state first.
    package var fields: [ComparedField] {
        let core = [
            state, user, email, emailVerified, sessionID, accessTokenExpiry, issuedAt, generation,
            signature,
        ]
        return (core + otherFields).filter { $0.id == "state" || $0.hasValue }
    }

    package var discrepancies: [(field: ComparedField, discrepancy: Discrepancy)] {
        fields.compactMap { field in field.discrepancy.map { (field, $0) } }
    }

    /// Number of discrepancies that mark the session in lists.
    package var discrepancyCount: Int { discrepancies.filter(\.discrepancy.isCounted).count }

    // MARK: User and email

    private var user: ComparedField {
        ComparedField(
            id: "user", name: "User",
            deviceValue: .text(sources.deviceValue(ClaimAliases.user)?.scalarText, isCode: true),
            tokenValue: .text(
                sources.tokenValue(ClaimAliases.claimedUser)?.scalarText, isCode: true),
            serverValue: serverValue(ClaimAliases.user, isCode: true) { $0.account?.id }
        ).explained(
            .userMismatch, "User IDs don't match.",
            fix: "Sign in again to store the values of one user.")
    }

    private var email: ComparedField {
        ComparedField(
            id: "email", name: "Email",
            deviceValue: .text(sources.deviceValue(ClaimAliases.email)?.scalarText),
            tokenValue: .text(sources.tokenValue(ClaimAliases.email)?.scalarText),
            serverValue: serverValue(ClaimAliases.email) { $0.account?.email }
        ).explained(
            .emailMismatch, "The email address changed after this value was stored.",
            fix: renewal("update it"))
    }

    /// The server's value: read directly from the embedded backend, or from the last response.
    private func serverValue(
        _ names: [String], isCode: Bool = false, _ embeddedValue: (ServerSessionState) -> String?
    ) -> SourceValue {
        if let sessionState = sources.serverState {
            return .text(embeddedValue(sessionState), isCode: isCode)
        }
        guard sources.lastResponse != nil else { return .unknown("Not checked") }
        return .text(sources.lastResponse(names)?.scalarText, isCode: isCode)
    }

    private var emailVerified: ComparedField {
        func flag(_ json: JSON?) -> SourceValue {
            (json?.bool ?? json?.scalarText.flatMap(Bool.init)).map { .text(String($0)) } ?? .none
        }
        var field = ComparedField(
            id: "emailVerified", name: "Email verified",
            deviceValue: flag(sources.deviceValue(ClaimAliases.verified)),
            tokenValue: flag(sources.tokenValue(ClaimAliases.verified)))
        if sources.serverState == nil {
            field.serverValue = flag(sources.lastResponse(ClaimAliases.verified))
        } else if let account = sources.serverState?.account, account.email != nil {
            let since = account.emailVerifiedAt.map { " since \(formatTime($0.date))" } ?? ""
            let word = String(account.emailVerifiedAt != nil)
            field.serverValue = .content(word, shownAs: word + since)
        }
        return field.outlier == .device
            ? field.explained(
                .staleEmailVerification, "The stored value is outdated.",
                fix: "The app updates it when it next loads the account.")
            : field.explained(
                .staleEmailVerification, "The claim is outdated.", fix: renewal("update it"))
    }

    // MARK: Other stored values

    /// Stored values that the token or the server has under the same name.
    private var otherFields: [ComparedField] {
        let handledNames = Set(
            ClaimAliases.user + ClaimAliases.email + ClaimAliases.verified + ClaimAliases.session
                + ["user"])
        return sources.storedValues.sorted { $0.key < $1.key }.compactMap { name, value in
            guard !handledNames.contains(name), let text = value.scalarText else { return nil }
            let names = [name, Self.snakeCased(name)]
            let field = ComparedField(
                id: name, name: name, deviceValue: .text(text),
                tokenValue: .text(sources.tokenValue(names)?.scalarText),
                serverValue: .text(sources.lastResponse(names)?.scalarText))
            guard field.tokenValue != .none || field.serverValue != .none else { return nil }
            return field.explained(
                .valueMismatch, "The value changed after it was stored.",
                fix: "The app updates it when it next loads it.")
        }
    }

    /// Converts `displayName` to `display_name`.
    private static func snakeCased(_ name: String) -> String {
        name.reduce(into: "") { out, letter in
            if letter.isUppercase { out += "_" }
            out += letter.lowercased()
        }
    }
}

/// What the parts of the comparison share.
extension SessionComparison {
    var session: Session { sources.session }
    var isEmbedded: Bool { sources.serverState != nil }

    var canRefresh: Bool {
        sources.hasRefreshToken && sources.serverState?.session?.revokedAt == nil
    }

    /// How to get newer tokens, in order to `purpose`.
    func renewal(_ purpose: String) -> String {
        (canRefresh ? "Refresh to " : "Sign in again to ") + purpose + "."
    }

    /// A time of day, with the date unless it is today.
    func formatTime(_ date: Date) -> String { Format.dateTime(date) }
}

/// Compares sessions with their servers after changes and stores the results for the lists.
///
/// Reading a list or a page starts no comparison: it only waits until pending ones are done.
package final class SessionChecker: Sendable {
    private let reader: SessionSourcesReader
    private let world: World

    package init(reader: SessionSourcesReader, world: World) {
        self.reader = reader
        self.world = world
    }

    /// Follows all changes from now on, and those that an earlier run of the process did not check.
    package func start() {
        let checks = reader.simulator.sessionChecks
        checks.start { [weak self] workspace, batch in await self?.check(workspace, batch) }
        reader.backend.observeEndedSessions { checks.enqueueServerChange(in: $0) }
        Task { [backend = reader.backend, world] in
            do {
                for workspace in try await backend.workspacesWithEndedSessions() {
                    checks.enqueueServerChange(in: workspace)
                }
            } catch { world.log("sessions: check at start failed: \(type(of: error))") }
        }
    }

    private func check(_ workspace: String, _ batch: SessionCheckQueue.Batch) async {
        if batch.hasServerChanged {
            await logErrors(workspace) { try await self.reader.processEndedSessions(in: workspace) }
        }
        for instance in batch.instances {
            await logErrors(workspace) { [reader] in
                guard let session = try await reader.simulator.currentSession(instance) else {
                    return
                }
                try await reader.recordFinding(session)
            }
        }
    }

    /// Logs an error. The session is checked again with the next change.
    private func logErrors(_ workspace: String, _ work: () async throws -> Void) async {
        do { try await work() } catch {
            // A deleted workspace is no error.
            guard reader.simulator.hasWorkspace(workspace) else { return }
            world.log("sessions: comparing \(workspace) with its server failed: \(type(of: error))")
        }
    }
}
