import Apps
import Traffic

/// Lists the attempts to try for a state, the likeliest first.
struct AttemptPlanner {
    let state: StoryboardState
    /// The manifest's embedded backends in its order, with the names of their contracts' switches.
    let backends: [(id: String, switches: [String])]

    /// A state counts as unreachable after this many attempts.
    static let attemptLimit = 120

    private var app: App { state.app }
    /// The screen of the state's action.
    private var screen: Screen { state.actingScreen }

    func attempts() -> [Attempt] {
        let all = backends.flatMap { backend, switches in
            candidates(switches).flatMap { account, variation in
                // Slow variations are tried on the first entry path only.
                entryPaths(for: account).prefix(variation.isSlow ? 1 : .max).map {
                    Attempt(
                        backend: backend, entryPath: $0, accountState: account,
                        variation: variation)
                }
            }
        }
        return Array(all.prefix(Self.attemptLimit))
    }

    private typealias Candidate = (Attempt.AccountState?, Attempt.Variation)

    private func candidates(_ switches: [String]) -> [Candidate] {
        let flippedSwitches = switches.flatMap { anyAccount(.flippedSwitch($0)) }
        switch state.cause {
        case .initial, .disabled, .confirm, .page, .fieldError: return anyAccount(.none)
        case .loading:
            let hasCalls = state.action?.calls.isEmpty == false
            return anyAccount(hasCalls ? .faults([Fault.Draft(.slow, delay: 2)]) : .none)
        case .network(_, let failure): return anyAccount(failure.variation)
        case .unknownFailure:
            return [418, 500].flatMap { anyAccount(Self.responseFault(status: $0, call: nil)) }
        case .success: return anyAccount(.none) + flippedSwitches
        case .choice:
            return [(nil, .none)] + switches.map { (nil, .flippedSwitch($0)) }
        case .bypass: return [(nil, .none)]
        case .contribution: return [(.verified, .none)]
        case .loadFailure(let call):
            let fault = Self.responseFault(status: 500, call: call)
            return [(.verified, fault), (nil, fault)]
        case .sessionExpired: return [(.verified, .accountEvent(.signedOut))]
        case .failure(_, let call, _):
            guard let row = state.failureRow else { return [] }
            return failureCandidates(row, call: call, flippedSwitches)
        }
    }

    /// The variation with each state of the account, the likeliest first.
    private func anyAccount(_ variation: Attempt.Variation) -> [Candidate] {
        let accounts: [Attempt.AccountState?] =
            screen.kind == .verify ? [.unverified, nil, .verified] : [.verified, nil, .unverified]
        let needsFactor =
            screen.requirement == .session && app.screens.contains(where: \.asksForSecondFactor)
        return (accounts + (needsFactor ? [.secondFactor] : [])).map { ($0, variation) }
    }

    private func failureCandidates(
        _ row: Call.Failure, call: String, _ flippedSwitches: [Candidate]
    ) -> [Candidate] {
        switch row.circumstance {
        case .loss:
            // The backend handles the first request, whose response does not arrive.
            let lost = Fault.Draft(.reset, call: call, times: 1, phase: .after)
            return [(nil, .faults([lost])), (.verified, .faults([lost]))]
        case .refresh:
            return anyAccount(Self.responseFault(status: row.status.first ?? 401, call: call))
        case nil: break
        }
        let isServerError = !row.status.isEmpty && row.status.allSatisfy { $0 >= 500 }
        guard !isServerError else {
            return anyAccount(Self.responseFault(status: row.status[0], call: call))
        }
        var candidates: [Candidate] = [
            (.verified, .none), (nil, .none), (.unverified, .none),
            (.locked, .none), (.disabled, .none),
            (.verified, .faults([Fault.Draft(.accountLocked)])),
        ]
        if hasField(ofKind: .password) {
            candidates.append((.verified, .wrongPassword))
            candidates += Self.weakPasswords.map { (nil, .password($0)) }
            candidates.append((.verified, .repeated(11, .invalid)))
        }
        if hasField(ofKind: .code) {
            candidates += Self.codeVariations.map { (.verified, $0) }
            candidates += Self.codeVariations.map { (.unverified, $0) }
        }
        if screen.requirement == .session {
            candidates += Self.sessionVariations.map { (.verified, $0) }
            candidates.append((.unverified, .accountEvent(.deleted)))
        }
        candidates += [
            (nil, .repeated(1, .valid)), (.verified, .repeated(11, .valid)),
            (.unverified, .repeated(11, .valid)),
        ]
        candidates += flippedSwitches
        candidates += app.settings.flatMap { anyAccount(.wrongSetting($0.name)) }
        if row.status.isEmpty, row.expectedValues.isEmpty {
            // The row matches any failure response.
            candidates += anyAccount(Self.responseFault(status: 418, call: call))
        }
        if row.status.contains(429) {
            candidates += anyAccount(.faults([Fault.Draft(.rateLimited, call: call)]))
        }
        if let status = row.status.first(where: { $0 >= 500 }) {
            candidates += anyAccount(Self.responseFault(status: status, call: call))
        }
        return candidates
    }

    private func hasField(ofKind kind: Field.Kind) -> Bool {
        screen.fields.contains { $0.type == kind }
    }

    /// Passwords that some contracts reject.
    private static let weakPasswords = ["Password1", "x"]

    /// Ways to make a code fail.
    private static let codeVariations: [Attempt.Variation] = [
        .wrongCode, .faults([Fault.Draft(.codeExpired)]), .repeated(1, .valid),
        .repeated(11, .invalid),
    ]

    /// Ways to make a signed-in session fail.
    private static let sessionVariations: [Attempt.Variation] = [
        .accountEvent(.signedOut), .accountEvent(.tokenExpired), .accountEvent(.deleted),
        .accountEvent(.disabled), .accountEvent(.locked), .faults([Fault.Draft(.wrongKey)]),
    ]

    private static func responseFault(status: Int, call: String?) -> Attempt.Variation {
        .faults([Fault.Draft(.status, call: call, status: status, body: "{}")])
    }

    // MARK: Entry paths

    private func entryPaths(for account: Attempt.AccountState?) -> [Attempt.EntryPath] {
        let canSignIn = app.asksForEmail ? account != nil : account == .verified
        if state.cause == .sessionExpired { return [.signedIn] }
        let registered =
            account == nil ? app.signInChoices.map(Attempt.EntryPath.registered) : []
        if case .loadFailure = state.cause {
            return account == nil ? registered : [.signedIn, .relaunched]
        }
        if screen.kind == .launch {
            return canSignIn && state.cause != .initial ? [.signedIn, .direct] : [.direct]
        }
        if app.lockingAction(for: screen) != nil { return [.locked] }
        let viaActions = app.entryPaths(to: screen.id)
        if screen.requirement == .session {
            return (canSignIn ? [.signedIn] : []) + viaActions + registered
        }
        if screen.kind == .verify {
            return (account == .unverified ? [.signedIn] : []) + viaActions + [.direct]
        }
        if hasField(ofKind: .code) { return viaActions + [.direct] }
        let usesBiometrics = state.action?.biometricCheck?.storageKey != nil
        return usesBiometrics && account != nil ? [.sessionEnded, .direct] : [.direct]
    }
}

extension Attempt.Variation {
    fileprivate var isSlow: Bool {
        if case .repeated(let times, _) = self { times > 1 } else { false }
    }
}

extension ScreenState.NetworkFailure {
    fileprivate var variation: Attempt.Variation {
        switch self {
        case .offline: .faults([Fault.Draft(.offline)])
        case .timeout: .faults([Fault.Draft(.timeout, delay: 0.05)])
        // An unreachable backend counts as offline on a phone, so the TLS handshake must fail
        // instead.
        case .connection: .forcedTLS
        case .invalidResponse: .faults([Fault.Draft(.status, status: 200, body: "<!doctype html>")])
        }
    }
}

extension App {
    /// The actions of other screens that can lead to `target`.
    fileprivate func entryPaths(to target: String) -> [Attempt.EntryPath] {
        screens.filter { $0.id != target && $0.kind != .launch }.flatMap { screen in
            screen.allActions.filter { action in !action.isInert && leads(action, to: target) }.map
            { .viaAction(screen: screen.id, action: $0.name) }
        }
    }

    private func leads(_ action: Action, to target: String) -> Bool {
        action.destination == target || action.navigationRules.contains { $0.destination == target }
            || action.allCalls.contains { name in
                calls[name]?.failures.contains { $0.destination == target } ?? false
            }
    }
}

/// One combination of backend, account, entry path and input that may bring a screen into a state.
struct Attempt: Sendable, Hashable {
    /// The id of one of the manifest's embedded backends.
    var backend: String
    var entryPath: EntryPath
    /// The state of the account under the sample email on the backend; nil means there is none.
    var accountState: AccountState?
    var variation: Variation = .none

    /// How playback navigates to the screen.
    enum EntryPath: Sendable, Hashable {
        /// A fresh device opens the screen.
        case direct
        /// After a sign-in.
        case signedIn
        /// After a sign-in and a cold start.
        case relaunched
        /// After a sign-in whose session the server has ended.
        case sessionEnded
        /// After a sign-in, the user's consent to the lock, and a cold start.
        case locked
        /// After a registration with that option, and a sign-in to the confirmed account.
        case registered(SignInChoice)
        /// By running an action of another screen.
        case viaAction(screen: String, action: String)
    }

    enum AccountState: String, Sendable, Hashable {
        case verified, unverified, locked, disabled
        /// Verified, with an authenticator app.
        case secondFactor = "second factor"
    }

    /// How the attempt deviates from plain valid input.
    enum Variation: Sendable, Hashable {
        case none
        case wrongPassword
        case password(String)
        case wrongCode
        /// Injected before the last press.
        case faults([Fault.Draft])
        /// The action was run this many times before, with valid or invalid input.
        case repeated(Int, InputMode)
        /// The account changes before the last press.
        case accountEvent(AccountEvent)
        /// Inverts a switch of the contract.
        case flippedSwitch(String)
        /// From the last press on, the app connects to the plain-HTTP backend with TLS.
        case forcedTLS
        /// The named setting of the app has a wrong value.
        case wrongSetting(String)
    }

    /// How a form is filled: `varied` applies the attempt's variation.
    enum InputMode: Sendable, Hashable { case valid, invalid, varied }

    enum AccountEvent: String, Sendable, Hashable {
        case signedOut, deleted, disabled, locked
        /// Expires the access token on the device; the account itself is unchanged.
        case tokenExpired = "expired"
    }
}
