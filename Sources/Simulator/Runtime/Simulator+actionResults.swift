import Apps
import Core
import FoundationEssentials
import Web

extension Simulator {
    /// Clears and stores items, navigates, and shows the success messages.
    func completeAction(_ run: ActionRun, _ screen: Screen, _ action: Action) async throws
        -> ActionResult
    {
        let app = run.app
        let context = try await context(run)
        let variables = context.variables(of: run)
        let values = context.availableValues(after: run)
        let row = action.navigationRules.first { $0.matches(values) }
        var target = row?.destination ?? action.destination
        var linked: String?
        let alert = row?.notice == nil ? action.alert : nil
        var waitsForAlert = alert != nil
        let persisted = try await update(run, captured: run.captured) { persisted, transient, now in
            persisted.clearItems(
                action.areasToClear,
                keys: action.keysToClear + action.keysToBegin + run.finishedKeys, of: app)
            persisted.storeItems(action.namesToStore, of: run, transient, context, at: now)
            // An alert's button navigates; until then the screen stays, unless the action removed
            // its session.
            if screen.requirement == .session, persisted.accessToken(in: app) == nil {
                waitsForAlert = false
            }
            linked = context.with(persisted, transient).linkedScreen(
                insteadOf: target, after: run,
                hasSession: persisted.accessToken(in: app) != nil || action.bypassesSession)
            target = linked ?? target
            if !waitsForAlert, let target, target != persisted.screen {
                persisted.showScreen(target, at: now)
            }
        } then: { transient in
            if !action.areasToClear.isEmpty { transient.clearUser() }
            for key in app.storage where action.keysToClear.contains(key.key) {
                if let name = key.capturedName { transient.capturedValues[name] = nil }
            }
            if run.isSignIn(storing: action.namesToStore) {
                transient.clearPreviousUser(keeping: run.fields)
            }
            transient.addResults(of: run, stored: action.namesToStore)
            transient.resumableAction = nil
            transient.lostSubmit = nil
            let leavesScreen = !waitsForAlert && target != nil && target != screen.id
            if leavesScreen {
                transient.leaveScreen()
            } else {
                transient.clearMessages()
                // A switch in a form of its own sends nothing of the others.
                for field in screen.fields where field.type == .toggle {
                    guard let name = field.prefillName, app.storageKey(holding: name) != nil
                    else { continue }
                    transient.fieldValues[field.name] = nil
                }
            }
            if leavesScreen, !run.isSignIn(storing: action.namesToStore) {
                let loads = target.flatMap { app.screen($0) }?.callsOnLoad ?? []
                transient.dueLoads = Set(loads).subtracting(run.completedCalls)
            }
            if linked != nil { transient.linkedScreen = nil }
            transient.toast = action.toast.map(variables.fill)
            transient.notice = (row?.notice ?? action.notice).map(variables.fill)
            transient.alert = alert.map {
                AppStatus.Alert(
                    title: $0.title, text: variables.fill($0.text), buttonLabel: $0.buttonLabel,
                    targetScreen: waitsForAlert ? target : nil)
            }
            if action.bypassesSession { transient.isSessionBypassed = true }
        }
        return ActionResult(screen: persisted.screen, succeeded: true)
    }

    /// Stores captured values without any other effect; with `showsScreen`, also shows the screen
    /// that the launch table opens for them.
    func storeCaptured(_ run: ActionRun, storing names: [String], showsScreen: Bool = false)
        async throws
    {
        let context = try await context(run)
        let names = names.filter { run.captured[$0] != nil }
        let hasChanges =
            !names.isEmpty || !run.completedCalls.isSubset(of: context.transient.completedCalls)
            || run.captured.contains { context.transient.capturedValues[$0] != $1 }
            || run.absentNames.contains { context.transient.capturedValues[$0] != nil }
            || !run.rememberedValues.isEmpty
        guard hasChanges else { return }
        try await update(run, captured: run.captured) { persisted, transient, now in
            persisted.storeItems(names, of: run, transient, context, at: now)
            if showsScreen, let row = context.with(persisted, transient).launchRow,
                run.app.screen(row.destination) != nil
            {
                persisted.showScreen(row.destination, at: now)
            }
        } then: {
            $0.addResults(of: run, stored: names)
        }
    }

    /// Shows the failure of an action. The field values stay, except those that the manifest
    /// clears.
    func failAction(
        _ failure: CallFailure,
        _ completedCalls: [String: TransientAppState.ResumableAction.CompletedCall],
        _ run: ActionRun, _ screen: Screen, _ action: Action, _ input: FormInput
    ) async throws -> ActionResult {
        let app = run.app
        let context = try await context(run)
        let variables = context.variables(of: run)
        let message = app.failureText(failure.message, action: action, variables: variables)
        let shownFailure = AppStatus.Failure(
            message: message, title: action.onFailure.title,
            presentation: action.onFailure.presentation, exchange: failure.exchange)
        // Drops messages for fields of other screens that make the same call.
        let fieldErrors = failure.fieldMessages.filter { name, _ in
            screen.fields.contains { $0.name == name }
        }.mapValues { app.failureText($0, action: action, variables: variables) }
        let persisted = try await update(run) { persisted, _, now in
            if completedCalls.isEmpty, failure.isRejection {
                // The backend did not begin what the action stored as begun.
                for key in action.keysToBegin { persisted.items[key] = run.itemsBefore[key] }
            }
            if let target = failure.targetScreen, target != persisted.screen {
                persisted.showScreen(target, at: now)
            }
        } then: { transient in
            transient.lostSubmit =
                run.lostCalls.isEmpty
                ? nil
                : TransientAppState.LostSubmit(
                    calls: run.lostCalls, values: input.nonSecretValues)
            if let target = failure.targetScreen, target != screen.id {
                transient.leaveScreen()
                transient.failure = shownFailure
            } else {
                transient.fieldValues = input.values
                for name in action.onFailure.fieldsToClear { transient.fieldValues[name] = "" }
                transient.fieldErrors = fieldErrors
                if fieldErrors.isEmpty { transient.failure = shownFailure }
            }
            for (name, key, value) in run.rememberedValues {
                transient.remember(name, for: key, value)
            }
            transient.resumableAction =
                action.resumeRules.isEmpty || completedCalls.isEmpty
                ? nil
                : TransientAppState.ResumableAction(
                    screen: screen.id, action: action.name, calls: completedCalls)
        }
        publishFailure(message, kind: failure.kind, exchange: failure.exchange, run)
        return ActionResult(failure, on: persisted.screen)
    }
}

extension ActionRun {
    /// Whether it signs the user in by storing an access token.
    func isSignIn(storing names: [String]) -> Bool {
        names.contains(App.accessTokenName) && captured[App.accessTokenName] != nil
    }
}

extension PersistedAppState {
    /// Stores the items that an action or a launch row names.
    ///
    /// A sign-in replaces the session completely: a value it did not bring is removed, unless the
    /// value says that it is the same account's.
    mutating func storeItems(
        _ names: [String], of run: ActionRun, _ transient: TransientAppState,
        _ context: ActionContext, at now: Date
    ) {
        let app = context.app
        let variables = context.variables(of: run)
        let signsIn = run.isSignIn(storing: names)
        for name in names {
            guard let key = app.storageKey(holding: name) else { continue }
            if key.requiresBiometrics, !context.device.biometrics.isReady { continue }
            guard hasConsent(for: key, of: app) else { continue }
            if !key.fields.isEmpty {
                if let json = run.fieldsObject(key.fields) {
                    items[key.key] = StorageItem(key, json, at: now)
                }
            } else if let template = key.value {
                items[key.key] = StorageItem(key, .string(variables.fill(template)), at: now)
            } else if let value = run.captured[name] ?? run.fields[name]
                ?? transient.capturedValues[name], value != .null
            {
                items[key.key] = StorageItem(key, value, at: now)
            } else if signsIn, !isOwned(key, by: run) {
                items[key.key] = nil
            }
        }
        removeItemsWithoutConsent(of: app)
    }

    /// Whether the value of `key` says that it is about the account that `run` signs in.
    private func isOwned(_ key: StorageKey, by run: ActionRun) -> Bool {
        guard !key.ownerPointers.isEmpty, let value = items[key.key]?.json else { return false }
        return key.ownerPointers.allSatisfy { field, pointers in
            run.app.isSame(value.value(atFirstOf: pointers), run.fields[field], as: field)
        }
    }
}

extension TransientAppState {
    /// Remembers submitted values that the app keeps in memory.
    mutating func rememberFields(of run: ActionRun) {
        for memory in run.app.memory where memory.perField == nil {
            if let value = run.fields[memory.name] { capturedValues[memory.name] = value }
        }
    }

    /// Remembers captured values; stored ones are not kept twice.
    mutating func capture(_ captured: [String: JSON], isStored: (String) -> Bool) {
        for (name, value) in captured {
            // Not `isStored(name) ? nil : value`: that nil would be JSON's null.
            if isStored(name) {
                capturedValues.removeValue(forKey: name)
            } else {
                capturedValues[name] = value
            }
        }
    }

    /// Remembers captured values that were not stored.
    mutating func addResults(of run: ActionRun, stored: [String]) {
        let app = run.app
        completedCalls.formUnion(run.completedCalls)
        // The backend no longer has them.
        for name in run.absentNames { capturedValues[name] = nil }
        capture(run.captured) { stored.contains($0) && app.storageKey(holding: $0) != nil }
        for (name, key, value) in run.rememberedValues {
            if app.memory.first(where: { $0.name == name })?.perField == nil {
                capturedValues[name] = value
            } else {
                remember(name, for: key, value)
            }
        }
    }
}
