package import FoundationEssentials

extension EmbeddedBackend {
    /// An account as whoever runs the server sees it.
    package struct AccountDetails: Sendable, Equatable {
        package var id: String
        /// Its place among the workspace's accounts, for paging.
        package var sequence: Int64
        package var contract: String
        package var workspace: String
        package var email: String?
        /// Nil but for accounts that are a device's.
        package var deviceID: String?
        package var displayName: String?
        package var state: State
        package var emailVerifiedAt: Date?
        package var disabledAt: Date?
        /// When a lock ends, over or not.
        package var lockedUntil: Date?
        package var hasPassword: Bool
        package var createdAt: Date
        package var lastLoginAt: Date?
        /// How many sessions of it last.
        package var activeSessionCount: Int
        /// In seconds; nil for the contract's own rule.
        package var accessTokenTTL: Int?

        /// How it stands; of several the first.
        package enum State: String, Sendable, CaseIterable {
            case disabled, locked, unverified, verified
        }

        /// The address, or the device whose account it is.
        package var label: String { email ?? deviceID.map { "device \($0.prefix(8))" } ?? id }
    }

    /// A session of an account at the server.
    package struct AccountSession: Sendable, Equatable {
        package var id: String
        /// How often its refresh token was handed out, 0 without one.
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

    /// Whether it is locked out for a while yet.
    func isLocked(at now: Timestamp) -> Bool { lockedUntil.map { now < $0 } ?? false }
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
