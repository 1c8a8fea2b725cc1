/// What is to change of an account; all of it happens, or nothing does.
package struct AccountChange: Sendable, Equatable {
    package var verified: Bool?
    package var disabled: Bool?
    package var lock: Lock?
    package var password: String?
    package var signsOut = false
    package var accessTokenTTL: TTL?

    package enum Lock: Sendable, Equatable {
        case open
        /// For so many seconds from now.
        case locked(seconds: Int)
    }

    package enum TTL: Sendable, Equatable {
        /// As the contract has it.
        case contract
        case seconds(Int)
    }

    package init() {}

    /// As long as most servers lock somebody out for.
    package static let usualLock = 900
    /// At most a year.
    package static let locks = 1...31_536_000
    package static let accessTokenTTLs = TokenLives.seconds

    /// In the order they are done.
    package var acts: [AccountAct] {
        var acts: [AccountAct] = []
        if let verified { acts.append(verified ? .verify : .unverify) }
        if let disabled { acts.append(disabled ? .disable : .enable) }
        switch lock {
        case .open: acts.append(.unlock)
        case .locked: acts.append(.lock)
        case nil: break
        }
        if password != nil { acts.append(.password) }
        if signsOut { acts.append(.signOut) }
        return acts
    }
}
