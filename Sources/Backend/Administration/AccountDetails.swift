package import FoundationEssentials

extension EmbeddedBackend {
    /// An account as an administrator sees it.
    package struct AccountDetails: Sendable, Equatable {
        package var id: String
        /// Its position among the workspace's accounts, for paging.
        package var sequence: Int64
        package var contract: String
        package var workspace: String
        package var email: String?
        /// Nil except for device accounts.
        package var deviceID: String?
        package var displayName: String?
        package var state: State
        package var emailVerifiedAt: Date?
        package var disabledAt: Date?
        /// When its lock ends or ended.
        package var lockedUntil: Date?
        package var hasPassword: Bool
        package var createdAt: Date
        package var lastLoginAt: Date?
        /// Sessions that are not revoked.
        package var activeSessionCount: Int
        /// In seconds; nil for the contract's default.
        package var accessTokenTTL: Int?

        /// If several apply, the first.
        package enum State: String, Sendable, CaseIterable {
            case disabled, locked, unverified, verified
        }

        /// The address, or the device for a device account.
        package var label: String { email ?? deviceID.map { "device \($0.prefix(8))" } ?? id }
    }

    /// An account's session at the server.
    package struct AccountSession: Sendable, Equatable {
        package var id: String
        /// How many refresh tokens were issued; 0 for a session without one.
        package var generation: Int
        package var createdAt: Date
        package var refreshedAt: Date?
        package var revokedAt: Date?
        package var revocationReason: String?
    }
}

extension Account {
    func state(at now: Timestamp) -> EmbeddedBackend.AccountDetails.State {
        if disabledAt != nil { return .disabled }
        if isLocked(at: now) { return .locked }
        return isVerified ? .verified : .unverified
    }

    package func isLocked(at now: Timestamp) -> Bool { lockedUntil.map { now < $0 } ?? false }
}

extension EmbeddedBackend.AccountSession {
    init(_ session: BackendSession) {
        id = session.id
        generation = session.generation
        createdAt = session.createdAt.date
        refreshedAt = session.refreshedAt?.date
        revokedAt = session.revokedAt?.date
        revocationReason = session.revocationReason
    }
}
