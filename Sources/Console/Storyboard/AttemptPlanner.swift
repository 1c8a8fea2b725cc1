import Apps
import Traffic

/// The ways to try for a state, those a person would go first.
struct AttemptPlanner {
    let app: App
    let screen: Screen
    /// Of the manifest's backends those that are embedded, in order.
    let backends: [String]
    /// The names of the contract's switches, by backend.
    let switches: [String: [String]]

    /// So many are tried before a state counts as out of reach.
    static let attemptLimit = 120

    func attempts(for cause: ScreenState.Cause) -> [Attempt] {
        var all: [Attempt] = []
        for backend in backends {
            for (account, twist) in candidates(for: cause, backend: backend) {
                // What takes long is tried by the shortest way alone.
                let ways = entryPaths(for: account, cause: cause)
                for arrival in twist.isSlow ? Array(ways.prefix(1)) : ways {
                    all.append(
                        Attempt(
                            backend: backend, entryPath: arrival, accountState: account,
                            variation: twist))
                }
            }
        }
        return Array(all.prefix(Self.attemptLimit))
    }

    private typealias Candidate = (Attempt.AccountState?, Attempt.Variation)

    private func candidates(for cause: ScreenState.Cause, backend: String) -> [Candidate] {
        switch cause {
        case .initial, .disabled, .confirm, .fieldError: return accountStates.map { ($0, .none) }
        case .loading(let action):
            let slow = Fault.Draft(.slow, delay: 2)
            return accountStates.map { ($0, hasCalls(action) ? .faults([slow]) : .none) }
        case .network(_, let trouble): return accountStates.map { ($0, trouble.variation) }
        case .unknownFailure:
            return [418, 500].flatMap { status in
                accountStates.map { account -> Candidate in
                    (account, .faults([Self.responseFault(status: status, call: nil)]))
                }
            }
        case .success: return accountStates.map { ($0, .none) } + switchCandidates(backend: backend)
        case .sessionExpired: return [(.verified, .accountEvent(.signedOut))]
        case .failure(_, let call, let index):
            guard let row = failureRow(call: call, index: index) else { return [] }
            return failureCandidates(row, call: call, backend: backend)
        }
    }

    /// The likeliest first.
    private var accountStates: [Attempt.AccountState?] {
        screen.kind == .verify ? [.unverified, nil, .verified] : [.verified, nil, .unverified]
    }

    private func failureCandidates(_ row: Call.Failure, call: String, backend: String)
        -> [Candidate]
    {
        let isServers = !row.status.isEmpty && row.status.allSatisfy { $0 >= 500 }
        guard !isServers else {
            return accountStates.map {
                ($0, .faults([Self.responseFault(status: row.status[0], call: call)]))
            }
        }
        var plays: [Candidate] = [
            (.verified, .none), (nil, .none), (.unverified, .none),
            (.locked, .none), (.disabled, .none),
            (.verified, .faults([Fault.Draft(.accountLocked)])),
        ]
        if hasField(ofKind: .password) {
            plays.append((.verified, .wrongPassword))
            plays += Self.weakPasswords.map { (nil, .password($0)) }
            plays.append((.verified, .repeatedWithWrongInput(11)))
        }
        if hasField(ofKind: .code) {
            plays += Self.codeVariations.map { (.verified, $0) }
            plays += Self.codeVariations.map { (.unverified, $0) }
        }
        if screen.requirement == .session {
            plays += Self.sessionVariations.map { (.verified, $0) }
            plays.append((.unverified, .accountEvent(.deleted)))
        }
        plays += [(nil, .repeated(1)), (.verified, .repeated(11)), (.unverified, .repeated(11))]
        plays += switchCandidates(backend: backend)
        plays += app.settings.flatMap { setting in
            accountStates.map { ($0, .wrongSetting(setting.name)) }
        }
        if row.status.isEmpty, row.expectedValues.isEmpty {
            // Whatever is said, as long as it is a no.
            plays += accountStates.map {
                ($0, .faults([Self.responseFault(status: 418, call: call)]))
            }
        }
        if row.status.contains(429) {
            let limited = Fault.Draft(.rateLimited, call: call)
            plays += accountStates.map { ($0, .faults([limited])) }
        }
        if let status = row.status.first(where: { $0 >= 500 }) {
            plays += accountStates.map {
                ($0, .faults([Self.responseFault(status: status, call: call)]))
            }
        }
        return plays
    }

    private func switchCandidates(backend: String) -> [Candidate] {
        (switches[backend] ?? []).flatMap { name in accountStates.map { ($0, .flippedSwitch(name)) }
        }
    }

    private func hasField(ofKind kind: Field.Kind) -> Bool {
        screen.fields.contains { $0.type == kind }
    }

    /// Passwords that servers have something against.
    private static let weakPasswords = ["Password1", "x"]

    /// What goes wrong with a code.
    private static let codeVariations: [Attempt.Variation] = [
        .wrongCode, .faults([Fault.Draft(.codeExpired)]), .repeated(1), .repeatedWithWrongInput(11),
    ]

    /// What goes wrong with somebody who is signed in.
    private static let sessionVariations: [Attempt.Variation] = [
        .accountEvent(.signedOut), .accountEvent(.tokenExpired), .accountEvent(.deleted),
        .accountEvent(.disabled), .accountEvent(.locked),
        .faults([Fault.Draft(.wrongKey)]),
    ]

    private static func responseFault(status: Int, call: String?) -> Fault.Draft {
        Fault.Draft(.status, call: call, status: status, body: "{}")
    }

    private func failureRow(call: String, index: Int) -> Call.Failure? {
        let rows = app.calls[call]?.failures ?? []
        return rows.indices.contains(index) ? rows[index] : nil
    }

    private func hasCalls(_ action: String) -> Bool {
        screen.action(action)?.calls.isEmpty == false
    }

    // MARK: Ways in

    private func entryPaths(for account: Attempt.AccountState?, cause: ScreenState.Cause)
        -> [Attempt
        .EntryPath]
    {
        let signs = app.asksForEmail ? account != nil : account == .verified
        if cause == .sessionExpired { return [.signedIn] }
        if screen.kind == .launch {
            let isPlain = cause == .initial
            return (signs && !isPlain ? [.signedIn] : []) + [.direct]
        }
        var ways: [Attempt.EntryPath] = []
        let leading = app.entryPaths(to: screen.id)
        if screen.requirement == .session { return (signs ? [.signedIn] : []) + leading }
        if screen.kind == .verify {
            if account == .unverified { ways.append(.signedIn) }
            return ways + leading + [.direct]
        }
        ways.append(.direct)
        if screen.fields.contains(where: { $0.type == .code }) {
            ways = leading + ways
        } else if usesBiometrics(cause), account != nil {
            ways = [.sessionEnded] + ways
        }
        return ways
    }

    private func usesBiometrics(_ cause: ScreenState.Cause) -> Bool {
        guard let action = cause.action else { return false }
        return screen.action(action)?.biometricCheck?.storageKey != nil
    }
}

extension Attempt.Variation {
    fileprivate var isSlow: Bool {
        switch self {
        case .repeated(let times), .repeatedWithWrongInput(let times): times > 1
        default: false
        }
    }
}

extension ScreenState.Cause {
    /// The action it is about.
    var action: String? {
        switch self {
        case .loading(let action), .disabled(let action), .failure(let action, _, _),
            .unknownFailure(let action), .network(let action, _), .confirm(let action),
            .success(let action, _):
            action
        case .initial, .fieldError, .sessionExpired: nil
        }
    }
}

extension ScreenState.NetworkFailure {
    fileprivate var variation: Attempt.Variation {
        switch self {
        case .offline: .faults([Fault.Draft(.offline)])
        case .timeout: .faults([Fault.Draft(.timeout, delay: 0.05)])
        // No server, or one that is lost, is offline to a phone.
        case .connection: .forcedTLS
        case .invalidResponse:
            .faults([Fault.Draft(.status, status: 200, body: "<!doctype html>")])
        }
    }
}

extension App {
    /// Whether it asks for people; one that does not signs in by itself.
    var asksForEmail: Bool {
        screens.contains { screen in screen.fields.contains { $0.type == .email } }
    }

    /// What leads to a screen when it is pressed elsewhere.
    fileprivate func entryPaths(to target: String) -> [Attempt.EntryPath] {
        screens.filter { $0.id != target && $0.kind != .launch }.flatMap { screen in
            screen.allActions.filter { action in !action.isInert && leads(action, to: target) }.map
            {
                .viaAction(screen: screen.id, action: $0.name)
            }
        }
    }

    private func leads(_ action: Action, to target: String) -> Bool {
        action.destination == target || action.navigationRules.contains { $0.destination == target }
            || action.allCalls.contains { name in
                calls[name]?.failures.contains { $0.destination == target } ?? false
            }
    }
}
