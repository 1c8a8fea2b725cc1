import Apps
import Traffic

/// The ways to try for a state, those a person would go first.
struct AttemptList {
    let app: App
    let screen: Screen
    /// Of the manifest's backends those that are embedded, in order.
    let backends: [String]
    /// The names of the contract's switches, by backend.
    let switches: [String: [String]]

    /// So many are tried before a state counts as out of reach.
    static let most = 120

    func attempts(for cause: ScreenState.Cause) -> [Attempt] {
        var all: [Attempt] = []
        for backend in backends {
            for (account, twist) in plays(for: cause, backend) {
                // What takes long is tried by the shortest way alone.
                let ways = arrivals(account, cause)
                for arrival in twist.isLong ? Array(ways.prefix(1)) : ways {
                    all.append(
                        Attempt(backend: backend, arrival: arrival, account: account, twist: twist))
                }
            }
        }
        return Array(all.prefix(Self.most))
    }

    private typealias Play = (Attempt.Account?, Attempt.Twist)

    private func plays(for cause: ScreenState.Cause, _ backend: String) -> [Play] {
        switch cause {
        case .initial, .disabled, .confirm, .fieldError: return accounts.map { ($0, .none) }
        case .loading(let action):
            let slow = Condition.Draft(.slow, delay: 2)
            return accounts.map { ($0, hasCalls(action) ? .conditions([slow]) : .none) }
        case .network(_, let trouble): return accounts.map { ($0, trouble.twist) }
        case .unknownFailure:
            return [418, 500].flatMap { status in
                accounts.map { account -> Play in (account, .conditions([Self.answer(status, nil)]))
                }
            }
        case .success: return accounts.map { ($0, .none) } + turned(backend)
        case .sessionLost: return [(.verified, .meanwhile(.signedOut))]
        case .failure(_, let call, let index):
            guard let row = row(call, index) else { return [] }
            return failing(row, call, backend)
        }
    }

    /// The likeliest first.
    private var accounts: [Attempt.Account?] {
        screen.kind == .verify ? [.unverified, nil, .verified] : [.verified, nil, .unverified]
    }

    private func failing(_ row: Call.Failure, _ call: String, _ backend: String) -> [Play] {
        let isServers = !row.status.isEmpty && row.status.allSatisfy { $0 >= 500 }
        guard !isServers else {
            return accounts.map { ($0, .conditions([Self.answer(row.status[0], call)])) }
        }
        var plays: [Play] = [
            (.verified, .none), (nil, .none), (.unverified, .none),
            (.locked, .none), (.disabled, .none),
            (.verified, .conditions([Condition.Draft(.accountLocked)])),
        ]
        if has(.password) {
            plays.append((.verified, .wrongPassword))
            plays += Self.weak.map { (nil, .password($0)) }
            plays.append((.verified, .wrongAgain(11)))
        }
        if has(.code) {
            plays += Self.withoutCode.map { (.verified, $0) }
            plays += Self.withoutCode.map { (.unverified, $0) }
        }
        if screen.needs == .session {
            plays += Self.withoutSession.map { (.verified, $0) }
            plays.append((.unverified, .meanwhile(.deleted)))
        }
        plays += [(nil, .again(1)), (.verified, .again(11)), (.unverified, .again(11))]
        plays += turned(backend)
        plays += app.settings.flatMap { setting in accounts.map { ($0, .misset(setting.name)) } }
        if row.status.isEmpty, row.where.isEmpty {
            // Whatever is said, as long as it is a no.
            plays += accounts.map { ($0, .conditions([Self.answer(418, call)])) }
        }
        if row.status.contains(429) {
            let limited = Condition.Draft(.rateLimited, call: call)
            plays += accounts.map { ($0, .conditions([limited])) }
        }
        if let status = row.status.first(where: { $0 >= 500 }) {
            plays += accounts.map { ($0, .conditions([Self.answer(status, call)])) }
        }
        return plays
    }

    private func turned(_ backend: String) -> [Play] {
        (switches[backend] ?? []).flatMap { name in accounts.map { ($0, .switched(name)) } }
    }

    private func has(_ kind: Field.Kind) -> Bool { screen.fields.contains { $0.type == kind } }

    /// Passwords that servers have something against.
    private static let weak = ["Password1", "x"]

    /// What goes wrong with a code.
    private static let withoutCode: [Attempt.Twist] = [
        .wrongCode, .conditions([Condition.Draft(.codeExpired)]), .again(1), .wrongAgain(11),
    ]

    /// What goes wrong with somebody who is signed in.
    private static let withoutSession: [Attempt.Twist] = [
        .meanwhile(.signedOut), .meanwhile(.expired), .meanwhile(.deleted),
        .meanwhile(.disabled), .meanwhile(.locked),
        .conditions([Condition.Draft(.wrongKey)]),
    ]

    private static func answer(_ status: Int, _ call: String?) -> Condition.Draft {
        Condition.Draft(.status, call: call, status: status, body: "{}")
    }

    private func row(_ call: String, _ index: Int) -> Call.Failure? {
        let rows = app.calls[call]?.failures ?? []
        return rows.indices.contains(index) ? rows[index] : nil
    }

    private func hasCalls(_ action: String) -> Bool {
        screen.action(action)?.calls.isEmpty == false
    }

    // MARK: Ways in

    private func arrivals(_ account: Attempt.Account?, _ cause: ScreenState.Cause) -> [Attempt
        .Arrival]
    {
        let signs = app.knowsPeople ? account != nil : account == .verified
        if cause == .sessionLost { return [.signedIn] }
        if screen.kind == .launch {
            let isPlain = cause == .initial
            return (signs && !isPlain ? [.signedIn] : []) + [.straight]
        }
        var ways: [Attempt.Arrival] = []
        let leading = app.ways(to: screen.id)
        if screen.needs == .session { return (signs ? [.signedIn] : []) + leading }
        if screen.kind == .verify {
            if account == .unverified { ways.append(.signedIn) }
            return ways + leading + [.straight]
        }
        ways.append(.straight)
        if screen.fields.contains(where: { $0.type == .code }) {
            ways = leading + ways
        } else if usesSensor(cause), account != nil {
            ways = [.returned] + ways
        }
        return ways
    }

    private func usesSensor(_ cause: ScreenState.Cause) -> Bool {
        guard let action = cause.action else { return false }
        return screen.action(action)?.biometric?.fill != nil
    }
}

extension Attempt.Twist {
    fileprivate var isLong: Bool {
        switch self {
        case .again(let times), .wrongAgain(let times): times > 1
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
        case .initial, .fieldError, .sessionLost: nil
        }
    }
}

extension ScreenState.Trouble {
    fileprivate var twist: Attempt.Twist {
        switch self {
        case .offline: .conditions([Condition.Draft(.offline)])
        case .timeout: .conditions([Condition.Draft(.timeout, delay: 0.05)])
        // No server, or one that is lost, is offline to a phone.
        case .connection: .misled
        case .invalidResponse:
            .conditions([Condition.Draft(.status, status: 200, body: "<!doctype html>")])
        }
    }
}

extension App {
    /// Whether it asks for people; one that does not signs in by itself.
    var knowsPeople: Bool {
        screens.contains { screen in screen.fields.contains { $0.type == .email } }
    }

    /// What leads to a screen when it is pressed elsewhere.
    fileprivate func ways(to target: String) -> [Attempt.Arrival] {
        screens.filter { $0.id != target && $0.kind != .launch }.flatMap { screen in
            screen.allActions.filter { action in !action.inert && leads(action, to: target) }.map {
                .through(screen: screen.id, action: $0.name)
            }
        }
    }

    private func leads(_ action: Action, to target: String) -> Bool {
        action.go == target || action.goWhen.contains { $0.go == target }
            || action.everyCall.contains { name in
                calls[name]?.failures.contains { $0.go == target } ?? false
            }
    }
}
