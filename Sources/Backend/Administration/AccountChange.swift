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

/// An account to create on the embedded backend.
package struct AccountDraft: Sendable, Equatable {
    /// Generated if nil.
    package var email: String?
    /// Generated if nil and the contract requires one.
    package var password: String?
    package var state: State
    /// The name shown on screens; derived from the address if nil.
    package var displayName: String?
    /// The lifetime of its access tokens in seconds; nil for the contract's default.
    package var accessTokenTTL: Int?

    /// The account's initial state.
    package enum State: String, Sendable, CaseIterable {
        /// A verification mail was sent but not used.
        case unverified
        case verified
        /// Verified, and locked for a limited time.
        case locked
    }

    package init(
        email: String? = nil, password: String? = nil, state: State = .verified,
        displayName: String? = nil, accessTokenTTL: Int? = nil
    ) {
        self.email = email
        self.password = password
        self.state = state
        self.displayName = displayName
        self.accessTokenTTL = accessTokenTTL
    }

    /// First and last name, for servers that store both.
    package static func splitName(of displayName: String) -> (first: String, last: String) {
        let words = displayName.split(separator: " ", maxSplits: 1)
        return (
            words.first.map(String.init) ?? displayName, words.count > 1 ? String(words[1]) : "Doe"
        )
    }

    /// Derives a name from the local part: `nora.j@example.com` gives `Nora J`.
    static func defaultDisplayName(of address: EmailAddress) -> String {
        let words = address.text.prefix { $0 != "@" }.split { !$0.isLetter && !$0.isNumber }.map {
            $0.prefix(1).uppercased() + $0.dropFirst()
        }
        return words.isEmpty ? "Test User" : words.joined(separator: " ")
    }
}
