import Apps
import Core
import Traffic
import Web

extension Simulator {
    /// Runs an action with the submitted form. While it runs, another submit of it gets the same
    /// result; its form is ignored.
    ///
    /// `sensor` is the result of the action's biometric prompt, if it has one; without it, the
    /// device's setting applies. `pageResult` is the query of the URL to which the action's page
    /// returned, if it has one.
    package func runAction(
        _ instance: AppInstance, screen: String, action: String, form: [String: String],
        sensor: Device.Biometrics.Result? = nil, pageResult: [String: String]? = nil
    ) async throws -> ActionResult {
        let (app, screen, action) = try findAction(action, on: screen, instance)
        let run = ActionRun(try await context(instance, app), .submit)
        return try await runOnce(
            run, screen: screen.id, action: action.name, in: actions,
            ifTerminated: run.terminatedResult
        ) { [self] in try await performAction(run, screen, action, form, sensor, pageResult) }
    }

    func findAction(_ action: String, on screen: String, _ instance: AppInstance) throws(Problem)
        -> (App, Screen, Action)
    {
        let app = try app(instance)
        let screen = try self.screen(screen, of: app)
        guard let found = screen.action(action) else {
            throw Problem.unknown(
                "action", "\(screen.id) has no action \(action.prefix(40)); it has ",
                available: screen.allActions.map(\.name))
        }
        return (app, screen, found)
    }

    /// Validates the input, performs the calls in order, stores their captures and navigates.
    private func performAction(
        _ run: ActionRun, _ screen: Screen, _ action: Action, _ form: [String: String],
        _ sensor: Device.Biometrics.Result?, _ pageResult: [String: String]?
    ) async throws -> ActionResult {
        var run = run
        let context = try await context(run)
        try context.checkAvailability(of: action, on: screen)
        if let other = try await navigateOrRedirect(context, to: screen) {
            return ActionResult(screen: other, succeeded: false)
        }
        // Only the console acts on an app in the background, and thereby opens it.
        try await enterForeground(run.instance)
        guard !action.isInert else { return ActionResult(screen: screen.id, succeeded: true) }
        guard context.offers(action) else {
            return ActionResult(screen: screen.id, succeeded: false)
        }
        let input = FormInput(form, of: action, on: screen, context.transient.fieldValues)
        let label = context.variables().fill(action.label)
        run.startEvent = hub.publish(
            run.instance, .actionSubmitted, "\(label) on \(screen.id)", subject: screen.id,
            details: ["screen": screen.id, "action": action.name, "label": action.label])
        run.fields = screen.variables(input.values)
        run.passwords = input.passwords
        if let lost = context.transient.lostSubmit, lost.values == input.nonSecretValues {
            run.lostCalls = lost.calls
        }
        try beginAction(run, input)
        var errors = screen.check(input.values, for: action)
        let isEnabled = screen.isEnabled(action, input.values)
        if errors.isEmpty, !isEnabled { errors = screen.blockingErrors(input.values, for: action) }
        guard errors.isEmpty, isEnabled else {
            showValidationErrors(run, screen, input, errors)
            return ActionResult(screen: screen.id, succeeded: false)
        }
        if let biometric = action.biometricCheck {
            switch evaluateSensor(biometric, sensor, context, &run) {
            case .passed: break
            case .cancelled: return ActionResult(screen: screen.id, succeeded: false)
            case .failed(let failure):
                return try await failAction(failure, [:], run, screen, action, input)
            }
        }
        if let page = action.browserPage,
            let failure = useResult(pageResult, of: page, screen, action, context, &run)
        {
            return try await failAction(failure, [:], run, screen, action, input)
        }
        run.isKillPending =
            action.name == Action.submitName
            && stateStore.updateTransient(run.instance, { $0.willKillOnNextSubmit }) == true
        if !action.keysToBegin.isEmpty {
            run.itemsBefore = context.persisted.items.filter { action.keysToBegin.contains($0.key) }
            try await update(run) { [run] persisted, transient, now in
                persisted.storeItems(action.keysToBegin, of: run, transient, context, at: now)
            }
        }
        // Faults are injected by the recorder's transport, so an action needs no code for them.
        return try await performCalls(&run, screen, action, input)
    }

    /// Performs the calls and handles their results.
    private func performCalls(
        _ run: inout ActionRun, _ screen: Screen, _ action: Action, _ input: FormInput
    ) async throws -> ActionResult {
        let context = try await context(run)
        var completed: [String: TransientAppState.ResumableAction.CompletedCall] = [:]
        if let failed = context.transient.resumableAction, failed.screen == screen.id,
            failed.action == action.name
        {
            completed = failed.calls
        }
        var failure: CallFailure?
        let finishingCalls = run.prepareFinish(of: action, context)
        calls: for name in action.calls + finishingCalls
        where !run.app.isCallMissing(name, backend: context.backend) {
            var completedCall = TransientAppState.ResumableAction.CompletedCall()
            var callsToPerform = [name]
            // A call that was completed before with fields that still apply is not repeated, or
            // replaced by others, unless the backend lacks one of them.
            if let earlier = completed[name],
                let replacements = action.resumeRules[name]?.replacementCalls(
                    before: earlier.fields, now: input.values),
                !replacements.contains(where: {
                    run.app.isCallMissing($0, backend: context.backend)
                })
            {
                (completedCall, callsToPerform) = (earlier, replacements)
            }
            run.captured.merge(completedCall.captured) { $1 }
            for call in callsToPerform {
                let isBestEffort =
                    run.app.call(call, backend: context.backend)?.isBestEffort ?? false
                do {
                    switch try await performCall(call, &run) {
                    case .success(let captured): completedCall.captured.merge(captured) { $1 }
                    case .failure(let callFailure):
                        if isBestEffort { continue calls }
                        failure = callFailure
                        break calls
                    case .sessionExpired:
                        if isBestEffort { continue calls }
                        let current = try await self.context(run)
                        return ActionResult(screen: current.persisted.screen, succeeded: false)
                    }
                } catch let terminated as AppTerminated {
                    publishDropped(run, call)
                    throw terminated
                }
            }
            completedCall.fields = action.resumeRules[name]?.decidingValues(input.values) ?? [:]
            completed[name] = completedCall
        }
        // An action that sent nothing is killed now.
        try await killIfPending(&run)
        do {
            if let failure, !action.ignoresCallFailures {
                return try await failAction(failure, completed, run, screen, action, input)
            }
            return try await completeAction(run, screen, action)
        } catch let terminated as AppTerminated {
            publishDropped(run, action.calls.last ?? action.name)
            throw terminated
        }
    }

    /// Kills the app if its submit was to be killed.
    func killIfPending(_ run: inout ActionRun) async throws {
        guard run.isKillPending else { return }
        run.isKillPending = false
        try await relaunch(run.instance, isKill: true)
    }

    /// Clears the previous messages and remembers the field values that the app's memory declares.
    private func beginAction(_ run: ActionRun, _ input: FormInput) throws {
        let isRunning: Void? = updateTransient(run) { transient in
            transient.clearMessages()
            transient.toast = nil
            transient.fieldValues = input.nonSecretValues
            transient.rememberFields(of: run)
        }
        if isRunning == nil { throw AppTerminated() }
    }

    /// Shows validation errors below the fields; no request is sent.
    private func showValidationErrors(
        _ run: ActionRun, _ screen: Screen, _ input: FormInput, _ errors: [String: String]
    ) {
        updateTransient(run) { transient in
            transient.fieldValues = input.values
            transient.fieldErrors = errors
        }
        for field in screen.fields {
            guard let message = errors[field.name] else { continue }
            hub.publish(
                run.instance, .ruleFailed, "\(field.label): \(message)", subject: screen.id,
                cause: run.startEvent, details: ["field": field.name])
        }
    }

    // MARK: Navigation

    /// Opens `screen`, or returns the screen that the app shows instead.
    func navigateOrRedirect(_ context: ActionContext, to screen: Screen) async throws -> String? {
        switch NavigationDecision(context, to: screen) {
        case .stay: return nil
        case .navigate:
            try await navigate(context, to: screen)
            return nil
        case .redirect(let other):
            if other == context.app.launchScreenID, context.persisted.screen != other,
                let start = context.app.screen(other)
            {
                try await navigate(context, to: start)
            }
            return other
        }
    }

    /// Switches to a tab of the current screen and carries over its field values, except passwords;
    /// returns the screen shown then.
    package func switchTab(_ instance: AppInstance, to screen: String, form: [String: String])
        async throws -> String
    {
        let context = try await context(instance)
        let screen = try self.screen(screen, of: context.app)
        if let from = context.app.screen(context.persisted.screen), from.id != screen.id,
            screen.tabs.contains(from.id)
        {
            stateStore.updateTransient(instance, launchID: context.transient.launchID) {
                transient in
                for field in from.fields where field.type != .password {
                    transient.fieldValues[field.name] = form[field.name]
                }
            }
        }
        return try await navigateOrRedirect(context, to: screen) ?? screen.id
    }

    /// Follows a link to another screen. Messages and field values are cleared, except values of
    /// fields that an adjacent tab also has.
    func navigate(_ context: ActionContext, to screen: Screen) async throws {
        var from = ""
        try await stateStore.update(
            context.instance, context.app, launchID: context.transient.launchID
        ) { persisted, _, now in
            from = persisted.screen
            if from != screen.id { persisted.showScreen(screen.id, at: now) }
        } then: { transient in
            guard from != screen.id else { return }
            var values: [String: String] = [:]
            if screen.tabs.contains(from) {
                for field in screen.fields where field.type != .password {
                    values[field.name] = transient.fieldValues[field.name]
                }
            }
            transient.leaveScreen()
            if transient.linkedScreen == screen.id { transient.linkedScreen = nil }
            transient.fieldValues = values
            transient.dueLoads = Set(screen.callsOnLoad)
        }
    }
}
