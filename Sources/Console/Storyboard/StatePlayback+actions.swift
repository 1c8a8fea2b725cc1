import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// What a rehearsal does on its screen.
extension StatePlayback {
    /// How something is pressed.
    enum InputMode { case valid, invalid, varied }

    /// Presses an action with everything in its place, but for what the
    /// attempt twists.
    func runAction(_ name: String, on screen: Screen) async throws -> (
        ActionResult, StateRecording.ScreenCapture
    ) {
        switch attempt.variation {
        case .repeated(let times): try await press(name, on: screen, .valid, times)
        case .repeatedWithWrongInput(let times): try await press(name, on: screen, .invalid, times)
        case .accountEvent(let fate): try await apply(fate)
        default: break
        }
        let (result, capture) = try await press(name, on: screen, .varied)
        lastMessage = result.matchedFailure?.message ?? ""
        return (result, capture)
    }

    /// Presses it so often, or until it leads away.
    private func press(_ name: String, on screen: Screen, _ manner: InputMode, _ times: Int)
        async throws
    {
        for _ in 0..<times {
            let (result, _) = try await press(name, on: screen, manner, recordsStep: false)
            guard result.screen == screen.id else { break }
        }
        let what = "Press \(actionLabel(name, on: screen)) " + Format.count(times, "time")
        recordStep(manner == .invalid ? what + ", wrongly" : what, detail: screen.id)
    }

    func press(_ name: String, on screen: Screen, _ manner: InputMode, recordsStep: Bool = true)
        async throws -> (ActionResult, StateRecording.ScreenCapture)
    {
        if screen.kind == .launch, screen.action(name) == nil {
            try await injectFaults()
            let result = try await simulator.launch(instance)
            recordStep("Wait", detail: screen.id)
            return (result, try await captureScreen(of: result.screen))
        }
        let form = try await formInput(for: name, on: screen, manner, recordsStep: recordsStep)
        if manner == .varied { try await injectFaults() }
        let result = try await simulator.runAction(
            instance, screen: screen.id, action: name, form: form,
            sensor: screen.action(name)?.biometricCheck == nil ? nil : .match)
        if recordsStep { recordStep("Press \(actionLabel(name, on: screen))", detail: screen.id) }
        return (result, try await captureScreen(of: result.screen))
    }

    /// The sensor's question, or the app's own.
    func openConfirmation(of name: String, on screen: Screen) async throws -> StateRecording
        .ScreenCapture?
    {
        guard let action = screen.action(name) else { return nil }
        recordStep("Press \(action.displayLabel)", detail: screen.id)
        if action.biometricCheck != nil {
            let result = try await simulator.preparePrompt(
                instance, screen: screen.id, action: name, form: screen.validInput(from: sample))
            guard result.succeeded else { return nil }
        }
        var capture = try await captureScreen()
        capture.confirmingAction = name
        return capture.status.screen == screen.id ? capture : nil
    }

    /// A field that somebody got wrong.
    func causeFieldError(_ field: String, message: String, on screen: Screen) async throws
        -> StateRecording.ScreenCapture?
    {
        guard let mistake = screen.invalidInput(field: field, message: message, from: sample) else {
            return nil
        }
        let name = screen.fields.first { $0.name == field }?.label ?? field
        recordStep("Get \(name) wrong", detail: screen.id)
        guard let action = mistake.action else {
            var capture = try await captureScreen()
            capture.status.fieldValues.merge(mistake.values) { $1 }
            capture.status.fieldErrors = screen.checkWhileTyping(mistake.values)
            recordStep("Stop typing", detail: screen.id)
            return capture
        }
        let result = try await simulator.runAction(
            instance, screen: screen.id, action: action, form: mistake.values)
        recordStep("Press \(actionLabel(action, on: screen))", detail: screen.id)
        let capture = try await captureScreen(of: result.screen)
        return capture.status.fieldErrors[field] == message ? capture : nil
    }

    /// In the middle of an action: its first call is on the way, and the
    /// screen waits.
    func captureLoading(of name: String, on screen: Screen) async throws -> StateRecording
        .ScreenCapture?
    {
        let form = try await formInput(for: name, on: screen, .varied, recordsStep: true)
        try await injectFaults()
        // A call tells when it has ended; that it left, its condition tells.
        let strikes = services.faults.faultNotifications(in: instance.workspace)
        let (news, tell) = AsyncThrowingStream.makeStream(of: Bool.self)
        let listening = Task {
            for await _ in strikes {
                tell.yield(true)
                return
            }
        }
        defer { listening.cancel() }
        // What comes of it after the stop is nobody's any more.
        Task { [simulator, instance] in
            do {
                _ = try await simulator.runAction(
                    instance, screen: screen.id, action: name, form: form,
                    sensor: screen.action(name)?.biometricCheck == nil ? nil : .match)
                tell.yield(false)
            } catch { tell.finish(throwing: error) }
        }
        var isUnderWay = false
        for try await isStruck in news {
            isUnderWay = isStruck
            break
        }
        guard isUnderWay else { return nil }
        recordStep("Press \(actionLabel(name, on: screen))", detail: screen.id)
        recordStep("Stop here", detail: "stops here")
        var capture = try await captureScreen(of: screen.id)
        // What was typed stands in the browser while it waits.
        capture.status.fieldValues.merge(form) { $1 }
        capture.loadingAction = name
        // Its question stays until the answer is there.
        if screen.action(name)?.confirmation != nil { capture.confirmingAction = name }
        return capture
    }

    /// The server has ended the session; the app finds out.
    func loseSession(on screen: Screen) async throws -> StateRecording.ScreenCapture? {
        try await signIn()
        var there = try await endSession()
        for other in app.screens where there != screen.id && other.requirement == .session {
            there = try await captureScreen(of: other.id).status.screen
            recordStep("Go to \(other.id)", detail: there)
        }
        let capture = try await captureScreen(of: screen.id)
        return capture.status.failure != nil ? capture : nil
    }

    // MARK: Forms

    private func actionLabel(_ name: String, on screen: Screen) -> String {
        screen.action(name)?.displayLabel ?? name
    }

    /// What is typed before `action` is pressed.
    private func formInput(
        for action: String, on screen: Screen, _ manner: InputMode, recordsStep isNoted: Bool
    )
        async throws -> [String: String]
    {
        var typist = sample
        var isWrong = manner == .invalid
        if manner == .varied {
            switch attempt.variation {
            case .wrongPassword: typist.password += "-mistyped"
            case .wrongCode: isWrong = true
            default: break
            }
        } else if isWrong {
            typist.password += "-mistyped"
        }
        let takesCode = screen.fields.contains { $0.type == .code }
        if takesCode, action == Action.submitName {
            let code = try await mailedCode(on: screen, typist)
            typist.code = isWrong ? "000000" : code ?? typist.code
        }
        var form = screen.validInput(from: typist)
        if manner == .varied, case .password(let password) = attempt.variation {
            for field in screen.fields where field.type == .password { form[field.name] = password }
        }
        if isNoted, !screen.fields.isEmpty {
            let names = screen.fields.filter { !form[$0.name, default: ""].isEmpty }.map(\.label)
            recordStep("Fill \(names.joined(separator: ", "))", detail: screen.id)
        }
        return form
    }

    /// The code of the last mail; one is asked for if there is none.
    private func mailedCode(on screen: Screen, _ typist: SamplePersona) async throws -> String? {
        let mailbox = services.backend.mailbox
        // A mail is there before the answer to who asked for it.
        let newest = { [instance, contract] in
            try await mailbox.waitForMail(
                workspace: instance.workspace, to: typist.email, app: contract, purpose: nil,
                since: nil, timeout: .zero)?.code
        }
        if let code = try await newest() { return code }
        guard
            let pressed = try await simulator.requestMail(
                instance, on: screen, screen.validInput(from: typist))
        else { return nil }
        recordStep("Press \(pressed.displayLabel)", detail: screen.id)
        return try await newest()
    }
}
