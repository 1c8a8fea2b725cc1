/// Changes to an account, applied together or not at all.
package struct AccountChange: Sendable, Equatable {
    package var isVerified: Bool?
    package var isDisabled: Bool?
    package var lock: Lock?
    package var password: String?
    package var shouldSignOut = false
    package var accessTokenTTL: TTL?

    package enum Lock: Sendable, Equatable {
        case unlocked
        /// Locked for this many seconds from now.
        case locked(seconds: Int)
    }

    package enum TTL: Sendable, Equatable {
        /// The contract's default.
        case contractDefault
        case seconds(Int)
    }

    package init() {}

    /// The usual lockout time of real servers.
    package static let defaultLockSeconds = 900
    /// At most a year.
    package static let lockSecondsRange = 1...31_536_000
    package static let accessTokenTTLRange = TokenLifetimes.secondsRange

    /// In the order they are applied.
    package var actions: [AdminAction] {
        var result: [AdminAction] = []
        if let verified = isVerified { result.append(verified ? .verify : .unverify) }
        if let disabled = isDisabled { result.append(disabled ? .disable : .enable) }
        switch lock {
        case .unlocked: result.append(.unlock)
        case .locked: result.append(.lock)
        case nil: break
        }
        if password != nil { result.append(.setPassword) }
        if shouldSignOut { result.append(.signOut) }
        return result
    }
}
