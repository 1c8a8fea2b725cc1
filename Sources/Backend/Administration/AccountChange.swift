/// What is to change of an account; all of it happens, or nothing does.
package struct AccountChange: Sendable, Equatable {
    package var isVerified: Bool?
    package var isDisabled: Bool?
    package var lock: Lock?
    package var password: String?
    package var shouldSignOut = false
    package var accessTokenTTL: TTL?

    package enum Lock: Sendable, Equatable {
        case unlocked
        /// For so many seconds from now.
        case locked(seconds: Int)
    }

    package enum TTL: Sendable, Equatable {
        /// As the contract has it.
        case contractDefault
        case seconds(Int)
    }

    package init() {}

    /// As long as most servers lock somebody out for.
    package static let defaultLockSeconds = 900
    /// At most a year.
    package static let lockSecondsRange = 1...31_536_000
    package static let accessTokenTTLRange = TokenLifetimes.secondsRange

    /// In the order they are done.
    package var actions: [AdminAction] {
        var acts: [AdminAction] = []
        if let verified = isVerified { acts.append(verified ? .verify : .unverify) }
        if let disabled = isDisabled { acts.append(disabled ? .disable : .enable) }
        switch lock {
        case .unlocked: acts.append(.unlock)
        case .locked: acts.append(.lock)
        case nil: break
        }
        if password != nil { acts.append(.setPassword) }
        if shouldSignOut { acts.append(.signOut) }
        return acts
    }
}
