import Apps
import Core
import Traffic
import Web

extension Runner {
    /// Runs an action. While it runs, another submit of it gets the same result.
    func runAction(
        _ instance: AppInstance, _ app: App, _ screen: Screen, _ action: Action,
        form: [String: String], sensor: Device.Biometrics.Result? = nil
    ) async throws -> ActionResult {
        let launchID = try await context(instance, app).transient.launchID
        let key = RunKey(
            instance: instance, launchID: launchID, screen: screen.id, action: action.name)
        let terminated = ActionResult(screen: app.launchScreenID, succeeded: false)
        return try await runOnce(key, in: actions, ifTerminated: terminated) { [self] in
            try await performAction(instance, app, screen, action, form, sensor, launchID)
        }
    }

    /// Validates the input, performs the calls in order, stores their captures and navigates.
    private func performAction(
        _ instance: AppInstance, _ app: App, _ screen: Screen, _ action: Action,
        _ form: [String: String], _ sensor: Device.Biometrics.Result?, _ launchID: Int
    ) async throws -> ActionResult {
        let context = try await context(instance, app)
        try context.checkAvailability(of: action, on: screen)
        if let other = try await navigateOrRedirect(context, to: screen) {
            return ActionResult(screen: other, succeeded: false)
        }
        guard !action.isInert else { return ActionResult(screen: screen.id, succeeded: true) }
        let input = FormInput(form, of: action, on: screen, context.transient.fieldValues)
        let label = context.variables().fill(action.label)
        let submitEvent = publish(
            instance, .actionSubmitted, "\(label) on \(screen.id)", subject: screen.id,
            details: ["screen": screen.id, "action": action.name, "label": action.label])
        try beginAction(instance, app, screen, input, launchID)
        let errors = screen.check(input.values, for: action)
        guard errors.isEmpty else {
            showValidationErrors(instance, screen, input, errors, launchID, cause: submitEvent)
            return ActionResult(screen: screen.id, succeeded: false)
        }
        guard screen.isEnabled(action, input.values) else {
            showValidationErrors(
                instance, screen, input, screen.blockingErrors(input.values, for: action), launchID,
                cause: submitEvent)
            return ActionResult(screen: screen.id, succeeded: false)
        }
        var run = ActionRun(
            instance: instance, app: app, launchID: launchID, initiator: .submit,
            startEvent: submitEvent)
        run.fields = screen.variables(input.values)
        run.passwords = input.passwords
        if let biometric = action.biometricCheck {
            switch evaluateSensor(biometric, sensor, context, &run) {
            case .passed: break
            case .cancelled: return ActionResult(screen: screen.id, succeeded: false)
            case .failed(let failure):
                return try await failAction(failure, [:], &run, screen, action, input)
            }
        }
        run.isKillPending =
            action.name == Action.submitName
            && stateStore.updateTransient(instance, { $0.willKillOnNextSubmit }) == true
        // Faults are injected by the recorder's transport, so an action needs no code for them.
        return try await performCalls(&run, screen, action, input)
    }

    /// Performs the calls and handles their results.
    private func performCalls(
        _ run: inout ActionRun, _ screen: Screen, _ action: Action, _ input: FormInput
    ) async throws -> ActionResult {
        let context = try await context(run.instance, run.app)
        var completed =
            context.transient.resumableAction?.completedCalls(by: action, on: screen) ?? [:]
        var failure: CallFailure?
        calls: for name in action.calls where !run.app.isCallMissing(name, backend: context.backend)
        {
            let (earlier, callsToPerform) = run.app.resumePlan(
                name, completed[name], action, input, backend: context.backend)
            run.captured.merge(earlier.captured) { $1 }
            var completedCall = earlier
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
                        let current = try await self.context(run.instance, run.app)
                        return ActionResult(screen: current.persisted.screen, succeeded: false)
                    }
                } catch let terminated as DeviceStateStore.AppTerminated {
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
                return try await failAction(failure, completed, &run, screen, action, input)
            }
            return try await completeAction(run, screen, action)
        } catch let terminated as DeviceStateStore.AppTerminated {
            publishDropped(run, action.calls.last ?? action.name)
            throw terminated
        }
    }

    /// Kills the app if its submit was to be killed.
    func killIfPending(_ run: inout ActionRun) async throws {
        guard run.isKillPending else { return }
        run.isKillPending = false
        try await coldStart(run.instance, run.app, isKill: true)
    }

    /// Clears the previous messages and remembers the field values that the app's memory declares.
    private func beginAction(
        _ instance: AppInstance, _ app: App, _ screen: Screen, _ input: FormInput, _ launchID: Int
    ) throws {
        let fields = screen.variables(input.values)
        let isRunning: Void? = stateStore.updateTransient(instance, launchID: launchID) {
            transient in
            transient.clearMessages()
            transient.toast = nil
            transient.fieldValues = input.nonSecretValues
            for memory in app.memory where memory.perField == nil {
                if let value = fields[memory.name] { transient.capturedValues[memory.name] = value }
            }
        }
        if isRunning == nil { throw DeviceStateStore.AppTerminated() }
    }

    /// Shows validation errors below the fields; no request is sent.
    private func showValidationErrors(
        _ instance: AppInstance, _ screen: Screen, _ input: FormInput, _ errors: [String: String],
        _ launchID: Int, cause: Int64
    ) {
        stateStore.updateTransient(instance, launchID: launchID) { transient in
            transient.fieldValues = input.values
            transient.fieldErrors = errors
        }
        for field in screen.fields {
            guard let message = errors[field.name] else { continue }
            publish(
                instance, .ruleFailed, "\(field.label): \(message)", subject: screen.id,
                cause: cause, details: ["field": field.name])
        }
    }

    /// Opens `screen`, or returns the screen that the app shows instead.
    func navigateOrRedirect(_ context: ActionContext, to screen: Screen) async throws -> String? {
        let app = context.app
        let instance = AppInstance(
            workspace: context.device.workspace, device: context.device.id, app: app.id)
        switch NavigationDecision(context, to: screen) {
        case .stay: return nil
        case .navigate:
            try await navigate(instance, app, to: screen, launchID: context.transient.launchID)
            return nil
        case .redirect(let other):
            if other == app.launchScreenID, context.persisted.screen != other,
                let start = app.screen(other)
            {
                try await navigate(instance, app, to: start, launchID: context.transient.launchID)
            }
            return other
        }
    }

    /// Switches to another tab and carries over the field values, except passwords.
    func switchTab(_ instance: AppInstance, _ app: App, to screen: Screen, _ form: [String: String])
        async throws -> String
    {
        let context = try await context(instance, app)
        if let from = app.screen(context.persisted.screen), from.id != screen.id,
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
    func navigate(_ instance: AppInstance, _ app: App, to screen: Screen, launchID: Int)
        async throws
    {
        let now = stateStore.now(in: instance)
        var from = ""
        try await stateStore.update(instance, app, launchID: launchID) { persisted, _ in
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
            transient.fieldValues = values
        }
    }
}
