extension App {
    /// The states of `target` that other screens lead to: with a failure's message, with another
    /// choice than the initial one, without the session it needs, or with what a form added.
    func arrivals(at target: Screen) -> [ScreenState] {
        failureArrivals(at: target) + choiceArrivals(at: target) + bypassArrivals(at: target)
            + contributions(to: target).map { origin, action in
                ScreenState(
                    name: "\(origin.id).\(action.name)", cause: .contribution(action: action.name),
                    origin: origin.id)
            }
    }

    /// The forms that add to a list of `target`: with a session they lead there, where a call loads
    /// the list whose further pages another call appends.
    package func contributions(to target: Screen) -> [(origin: Screen, action: Action)] {
        let appended = Set(calls.values.flatMap(\.success.appendedNames))
        let loaded = target.callsOnLoad.compactMap { calls[$0] }.flatMap {
            $0.success.capturePointers.keys
        }
        guard !appended.isDisjoint(with: loaded) else { return [] }
        return screens.compactMap { origin in
            guard origin != target, origin.requirement == .session,
                let submit = origin.submitAction, submit.destination == target.id
            else { return nil }
            return (origin, submit)
        }
    }

    /// The states of `screen` while a call that loads it fails.
    ///
    /// A call that the launch makes too has failed there already: its failure leads here or keeps
    /// the app on the launch screen.
    func loadStates(of screen: Screen) -> [ScreenState] {
        let arrivalRows = launch.filter { row in
            (row.onFailure["failed"] ?? "stay") == screen.id
        }
        return screen.callsOnLoad.filter { call in
            !arrivalRows.contains { $0.calls.contains(call) }
        }.map { ScreenState(name: "unloaded.\($0)", cause: .loadFailure(call: $0)) }
    }

    /// Failures of another screen's action, or of the launch, that lead to `target`. Two with the
    /// same message look the same to the user.
    private func failureArrivals(at target: Screen) -> [ScreenState] {
        var messages: Set<String> = []
        var states: [ScreenState] = []
        func add(_ origin: Screen, _ name: String, _ cause: ScreenState.Cause, message: String?) {
            let name = "\(origin.id).\(name)"
            guard messages.insert(message ?? name).inserted else { return }
            states.append(ScreenState(name: name, cause: cause, origin: origin.id))
        }
        for origin in screens where origin != target {
            for action in origin.allActions where !action.isInert && !action.ignoresCallFailures {
                for call in action.calls where calls[call]?.isBestEffort == false {
                    for (index, failure) in (calls[call]?.failures ?? []).enumerated()
                    where failure.destination == target.id && !failure.treatAsSuccess {
                        add(
                            origin, "failure.\(call).\(index + 1)",
                            .failure(action: action.name, call: call, index: index),
                            message: failure.message)
                    }
                }
            }
        }
        guard let start = screens.first(where: { $0.kind == .launch }), start != target else {
            return states
        }
        for row in launch {
            let names = requiredCalls(of: row)
            guard !names.isEmpty else { continue }
            for name in names {
                for (index, failure) in (calls[name]?.failures ?? []).enumerated()
                where failure.sessionEffect == nil && !failure.treatAsSuccess {
                    let destination = failure.kind.flatMap { row.onFailure[$0] }
                    guard (destination ?? failure.destination) == target.id else { continue }
                    add(
                        start, "failure.\(name).\(index + 1)",
                        .failure(action: Self.launchActionName, call: name, index: index),
                        message: failure.message)
                }
            }
            for failure in ScreenState.NetworkFailure.allCases
            where (row.onFailure[failure.rawValue] ?? row.onFailure["failed"]) == target.id {
                add(
                    start, failure.rawValue, .network(action: Self.launchActionName, failure),
                    message: network.messages.message(for: failure))
            }
            if row.onFailure["failed"] == target.id {
                add(
                    start, "failed", .unknownFailure(action: Self.launchActionName),
                    message: network.messages.serverError)
            }
        }
        return states
    }

    /// After a sign-in with another option of a choice.
    private func choiceArrivals(at target: Screen) -> [ScreenState] {
        guard target.requirement == .session else { return [] }
        return signInChoices.compactMap { choice in
            guard let submit = screen(choice.screen)?.submitAction, choice.screen != target.id,
                submit.destination == target.id
                    || submit.navigationRules.contains(where: { $0.destination == target.id })
            else { return nil }
            return ScreenState(
                name: "\(choice.screen).\(choice.field).\(choice.value)",
                cause: .choice(action: submit.name, field: choice.field, value: choice.value),
                origin: choice.screen)
        }
    }

    /// The options of the forms that sign in, other than each choice's initial one.
    package var signInChoices: [SignInChoice] {
        screens.flatMap { screen -> [SignInChoice] in
            guard let submit = screen.submitAction, submit.namesToStore.contains("accessToken")
            else { return [] }
            return screen.fields.filter { $0.type == .choice }.flatMap { field in
                field.options.filter { $0.value != field.initialValue }.map {
                    SignInChoice(screen: screen.id, field: field.name, value: $0.value)
                }
            }
        }
    }

    /// A screen that needs a session, after an action that opens it without one.
    private func bypassArrivals(at target: Screen) -> [ScreenState] {
        guard target.requirement == .session else { return [] }
        return screens.filter { $0 != target }.flatMap { origin in
            origin.allActions.filter { $0.bypassesSession && !$0.isInert }.map { action in
                ScreenState(
                    name: "\(origin.id).\(action.name)", cause: .bypass(action: action.name),
                    origin: origin.id)
            }
        }
    }

    /// The calls of a launch row whose failure it handles.
    func requiredCalls(of row: LaunchRow) -> [String] {
        let refresh = row.refreshesExpiredToken ? [session.refreshCall].compactMap(\.self) : []
        return refresh + row.calls.filter { calls[$0]?.isBestEffort == false }
    }

    /// The action of the states that the launch table leads to.
    package static let launchActionName = "launch"
}

/// An option of a choice on a screen whose form signs in.
package struct SignInChoice: Sendable, Hashable {
    package var screen: String
    package var field: String
    package var value: String
}

extension Network.Messages {
    package func message(for failure: ScreenState.NetworkFailure) -> String {
        switch failure {
        case .offline: offline
        case .timeout: timeout
        case .connection: connection
        case .invalidResponse: invalidResponse
        }
    }
}
