import Apps
import Backend
import Core
import Simulator
import Traffic
import Web

/// Runs the screen's actions during playback.
extension StatePlayback {
    /// Runs an action with valid input, except for what the attempt's variation changes.
    mutating func runAction(_ name: String, on screen: Screen) async throws -> (
        ActionResult, ScreenCapture
    ) {
        switch attempt.variation {
        case .repeated(let times, let input): try await press(name, on: screen, input, times)
        case .accountEvent(let event): try await apply(event)
        default: break
        }
        let (result, capture) = try await press(name, on: screen, .varied)
        lastMessage = result.matchedFailure?.message ?? ""
        return (result, capture)
    }

    /// Runs the action `times` times, or until it leads to another screen.
    private mutating func press(
        _ name: String, on screen: Screen, _ mode: Attempt.InputMode, _ times: Int
    )
        async throws
    {
        for _ in 0..<times {
            let (result, _) = try await press(name, on: screen, mode, recordsStep: false)
            guard result.screen == screen.id else { break }
        }
        let instruction = "Press \(screen.label(ofAction: name)) " + Format.count(times, "time")
        recordStep(
            mode == .invalid ? instruction + " with invalid input" : instruction, detail: screen.id)
    }

    mutating func press(
        _ name: String, on screen: Screen, _ mode: Attempt.InputMode, recordsStep: Bool = true
    )
        async throws -> (ActionResult, ScreenCapture)
    {
        if screen.kind == .launch, screen.action(name) == nil {
            try await injectFaults()
            let result = try await simulator.launch(instance)
            recordStep("Wait", detail: screen.id)
            return (result, try await captureScreen(of: result.screen))
        }
        let form = try await formInput(for: name, on: screen, mode, recordsStep: recordsStep)
        let prompts = try await answerPrompts(of: name, on: screen, form)
        if mode == .varied { try await injectFaults() }
        let result = try await simulator.runAction(
            instance, screen: screen.id, action: name, form: form, sensor: prompts.sensor,
            pageResult: prompts.pageResult)
        if recordsStep { recordStep("Press \(screen.label(ofAction: name))", detail: screen.id) }
        return (result, try await captureScreen(of: result.screen))
    }

    /// Presses the forms that add to what the screen loads until it has a value for each of
    /// `names`; false if it never has.
    mutating func provide(_ names: [String], on screen: Screen) async throws -> Bool {
        guard let (origin, action) = app.contributions(to: screen).first else { return false }
        for times in 0...Self.maxContributions {
            let values = try await captureScreen().status.availableValues
            if Variables(values).hasValues(for: names) {
                let instruction = "Press \(origin.label(ofAction: action.name)) "
                recordStep(instruction + Format.count(times, "time"), detail: origin.id)
                return true
            }
            guard try await captureScreen(of: origin.id).status.screen == origin.id else {
                return false
            }
            _ = try await press(action.name, on: origin, .valid, recordsStep: false)
        }
        return false
    }

    /// More than a page of a list has elements.
    private static let maxContributions = 24

    /// Captures the confirmation dialog or the biometric prompt of an action.
    mutating func openConfirmation(of name: String, on screen: Screen) async throws
        -> ScreenCapture?
    {
        guard let action = screen.action(name) else { return nil }
        recordStep("Press \(action.displayLabel)", detail: screen.id)
        if action.hasPrompt {
            let result = try await simulator.preparePrompt(
                instance, screen: screen.id, action: name, form: screen.validInput(from: sample),
                returnURL: Self.returnURL)
            guard result.succeeded else { return nil }
        }
        var capture = try await captureScreen()
        capture.confirmingAction = name
        return capture.status.screen == screen.id ? capture : nil
    }

    /// Captures the page that an action opens in the app's browser.
    mutating func openPage(of name: String, on screen: Screen) async throws -> ScreenCapture? {
        guard var capture = try await openConfirmation(of: name, on: screen) else { return nil }
        capture.page = try await simulator.loadOpenedPage(instance)
        recordStep("Continue", detail: capture.status.openedPage?.host ?? screen.id)
        return capture.page == nil ? nil : capture
    }

    /// The answers to an action's prompts before its calls. Its page is not opened, so that the
    /// result is unknown to the backend: what a call does with it can only fail.
    private func answerPrompts(of name: String, on screen: Screen, _ form: [String: String])
        async throws -> (sensor: Device.Biometrics.Result?, pageResult: [String: String]?)
    {
        guard let page = screen.action(name)?.browserPage else {
            return (screen.action(name)?.biometricCheck == nil ? nil : .match, nil)
        }
        _ = try await simulator.preparePrompt(
            instance, screen: screen.id, action: name, form: form, returnURL: Self.returnURL)
        return (nil, [page.resultName: player.world.makeID("unknown")])
    }

    private static let returnURL = "http://127.0.0.1/"

    /// Captures the error of a field with invalid input.
    mutating func causeFieldError(_ field: String, message: String, on screen: Screen) async throws
        -> ScreenCapture?
    {
        guard let input = screen.invalidInput(field: field, message: message, from: sample) else {
            return nil
        }
        let name = screen.fields.first { $0.name == field }?.label ?? field
        recordStep("Enter invalid \(name.uncapitalizedWords)", detail: screen.id)
        guard let action = input.action else {
            var capture = try await captureScreen()
            capture.status.fieldValues.merge(input.values) { $1 }
            capture.status.fieldErrors = screen.checkWhileTyping(input.values)
            recordStep("Stop typing", detail: screen.id)
            return capture
        }
        let result = try await simulator.runAction(
            instance, screen: screen.id, action: action, form: input.values)
        recordStep("Press \(screen.label(ofAction: action))", detail: screen.id)
        let capture = try await captureScreen(of: result.screen)
        return capture.status.fieldErrors[field] == message ? capture : nil
    }

    /// Captures the screen while the action's first call is in flight.
    mutating func captureLoading(of name: String, on screen: Screen) async throws -> ScreenCapture?
    {
        let form = try await formInput(for: name, on: screen, .varied, recordsStep: true)
        let prompts = try await answerPrompts(of: name, on: screen, form)
        try await injectFaults()
        // A call is reported when it has ended; that it was sent is reported by its injected fault.
        let notifications = player.faults.faultNotifications(in: instance.workspace)
        let (results, continuation) = AsyncThrowingStream.makeStream(of: Bool.self)
        let listener = Task {
            for await _ in notifications {
                continuation.yield(true)
                return
            }
        }
        defer { listener.cancel() }
        // The result of the action is not awaited: the capture is complete before it.
        Task { [simulator, instance] in
            do {
                _ = try await simulator.runAction(
                    instance, screen: screen.id, action: name, form: form,
                    sensor: prompts.sensor, pageResult: prompts.pageResult)
                continuation.yield(false)
            } catch { continuation.finish(throwing: error) }
        }
        var isInFlight = false
        for try await isFaultApplied in results {
            isInFlight = isFaultApplied
            break
        }
        guard isInFlight else { return nil }
        recordStep("Press \(screen.label(ofAction: name))", detail: screen.id)
        var capture = try await captureScreen(of: screen.id)
        // While the form waits, the browser still shows the typed input.
        capture.status.fieldValues.merge(form) { $1 }
        capture.loadingAction = name
        // The confirmation stays open until the response arrives.
        if screen.action(name)?.confirmation != nil { capture.confirmingAction = name }
        return capture
    }

    /// Ends the session on the server, then captures the screen once the app has noticed.
    mutating func loseSession(on screen: Screen) async throws -> ScreenCapture? {
        try await signIn()
        var currentScreen = try await endSession()
        for other in app.screens where currentScreen != screen.id && other.requirement == .session {
            currentScreen = try await captureScreen(of: other.id).status.screen
            recordStep("Go to \(other.id)", detail: currentScreen)
        }
        let capture = try await captureScreen(of: screen.id)
        return capture.status.failure != nil ? capture : nil
    }

    // MARK: Forms

    /// The form input for `action`.
    private mutating func formInput(
        for action: String, on screen: Screen, _ mode: Attempt.InputMode, recordsStep: Bool
    ) async throws -> [String: String] {
        let variation = mode == .varied ? attempt.variation : .none
        var persona = sample
        if mode == .invalid || variation == .wrongPassword { persona.password += "-mistyped" }
        if action == Action.submitName, screen.fields.contains(where: { $0.type == .code }) {
            let code = try await currentCode(on: screen, persona)
            persona.code =
                mode == .invalid || variation == .wrongCode ? "000000" : code ?? persona.code
        }
        var form = screen.validInput(from: persona)
        if case .choice(_, let field, let value) = state.cause { form[field] = value }
        if case .registered(let choice) = attempt.entryPath, choice.screen == screen.id {
            form[choice.field] = choice.value
        }
        if case .password(let password) = variation {
            for field in screen.fields where field.type == .password { form[field.name] = password }
        }
        if recordsStep, !screen.fields.isEmpty {
            let names = screen.fields.filter { !form[$0.name, default: ""].isEmpty }.map(\.label)
            recordStep("Fill \(names.joined(separator: ", "))", detail: screen.id)
        }
        return form
    }

    /// The code of the account's authenticator app, or of the newest mail; requests a mail if there
    /// is neither.
    private mutating func currentCode(on screen: Screen, _ persona: SamplePersona) async throws
        -> String?
    {
        if let accountID,
            let account = try await backend.account(accountID, workspace: instance.workspace),
            let code = account.authenticatorCodes.values.first
        {
            return code
        }
        func newestCode() async throws -> String? {
            try await backend.mailbox.newestCode(
                to: sample.email, from: contract, in: instance.workspace)
        }
        if let code = try await newestCode() { return code }
        let input = screen.validInput(from: persona)
        guard let action = try await simulator.requestMail(instance, on: screen, input) else {
            return nil
        }
        recordStep("Press \(action.displayLabel)", detail: screen.id)
        return try await newestCode()
    }
}
