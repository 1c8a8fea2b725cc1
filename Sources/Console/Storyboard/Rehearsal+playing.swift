import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// What a rehearsal does on its screen.
extension Rehearsal {
    /// How something is pressed.
    enum Manner { case plainly, wrongly, twisted }

    /// Presses an action with everything in its place, but for what the
    /// attempt twists.
    func play(_ name: String, on screen: Screen) async throws -> (Outcome, Scene.Shot) {
        switch attempt.twist {
        case .again(let times): try await press(name, on: screen, .plainly, times)
        case .wrongAgain(let times): try await press(name, on: screen, .wrongly, times)
        case .meanwhile(let fate): try await befall(fate)
        default: break
        }
        let (outcome, shot) = try await press(name, on: screen, .twisted)
        heard = outcome.row?.message ?? ""
        return (outcome, shot)
    }

    /// Presses it so often, or until it leads away.
    private func press(_ name: String, on screen: Screen, _ manner: Manner, _ times: Int)
        async throws
    {
        for _ in 0..<times {
            let (outcome, _) = try await press(name, on: screen, manner, isNoted: false)
            guard outcome.screen == screen.id else { break }
        }
        let what = "Press \(label(name, on: screen)) " + Words.count(times, "time")
        note(manner == .wrongly ? what + ", wrongly" : what, screen.id)
    }

    func press(_ name: String, on screen: Screen, _ manner: Manner, isNoted: Bool = true)
        async throws -> (Outcome, Scene.Shot)
    {
        if screen.kind == .launch, screen.action(name) == nil {
            try await trouble()
            let outcome = try await simulator.launch(place)
            note("Wait", screen.id)
            return (outcome, try await shot(of: outcome.screen))
        }
        let form = try await form(of: name, on: screen, manner, isNoted)
        if manner == .twisted { try await trouble() }
        let outcome = try await simulator.act(
            place, screen: screen.id, action: name, form: form,
            sensor: screen.action(name)?.biometric == nil ? nil : .match)
        if isNoted { note("Press \(label(name, on: screen))", screen.id) }
        return (outcome, try await shot(of: outcome.screen))
    }

    /// The sensor's question, or the app's own.
    func ask(_ name: String, on screen: Screen) async throws -> Scene.Shot? {
        guard let action = screen.action(name) else { return nil }
        note("Press \(action.said)", screen.id)
        if action.biometric != nil {
            let outcome = try await simulator.prompt(
                place, screen: screen.id, action: name, form: screen.filled(as: sample))
            guard outcome.succeeded else { return nil }
        }
        var shot = try await shot()
        shot.confirming = name
        return shot.situation.screen == screen.id ? shot : nil
    }

    /// A field that somebody got wrong.
    func mistake(_ field: String, _ message: String, on screen: Screen) async throws -> Scene.Shot?
    {
        guard let mistake = screen.breaking(field: field, message: message, as: sample) else {
            return nil
        }
        let name = screen.fields.first { $0.name == field }?.label ?? field
        note("Get \(name) wrong", screen.id)
        guard let action = mistake.action else {
            var shot = try await shot()
            shot.situation.values.merge(mistake.values) { $1 }
            shot.situation.fieldErrors = screen.checkTyping(mistake.values)
            note("Stop typing", screen.id)
            return shot
        }
        let outcome = try await simulator.act(
            place, screen: screen.id, action: action, form: mistake.values)
        note("Press \(label(action, on: screen))", screen.id)
        let shot = try await shot(of: outcome.screen)
        return shot.situation.fieldErrors[field] == message ? shot : nil
    }

    /// In the middle of an action: its first call is on the way, and the
    /// screen waits.
    func stop(in name: String, on screen: Screen) async throws -> Scene.Shot? {
        let form = try await form(of: name, on: screen, .twisted, true)
        try await trouble()
        // A call tells when it has ended; that it left, its condition tells.
        let strikes = services.conditions.strikes(in: place.workspace)
        let (news, tell) = AsyncThrowingStream.makeStream(of: Bool.self)
        let listening = Task {
            for await _ in strikes {
                tell.yield(true)
                return
            }
        }
        defer { listening.cancel() }
        // What comes of it after the stop is nobody's any more.
        Task { [simulator, place] in
            do {
                _ = try await simulator.act(
                    place, screen: screen.id, action: name, form: form,
                    sensor: screen.action(name)?.biometric == nil ? nil : .match)
                tell.yield(false)
            } catch { tell.finish(throwing: error) }
        }
        var isUnderWay = false
        for try await isStruck in news {
            isUnderWay = isStruck
            break
        }
        guard isUnderWay else { return nil }
        note("Press \(label(name, on: screen))", screen.id)
        note("Stop here", "stops here")
        var shot = try await shot(of: screen.id)
        // What was typed stands in the browser while it waits.
        shot.situation.values.merge(form) { $1 }
        shot.loading = name
        // Its question stays until the answer is there.
        if screen.action(name)?.confirm != nil { shot.confirming = name }
        return shot
    }

    /// The server has ended the session; the app finds out.
    func lose(on screen: Screen) async throws -> Scene.Shot? {
        try await signIn()
        var there = try await endSession()
        for other in app.screens where there != screen.id && other.needs == .session {
            there = try await shot(of: other.id).situation.screen
            note("Go to \(other.id)", there)
        }
        let shot = try await shot(of: screen.id)
        return shot.situation.failure != nil ? shot : nil
    }

    // MARK: Forms

    private func label(_ name: String, on screen: Screen) -> String {
        screen.action(name)?.said ?? name
    }

    /// What is typed before `action` is pressed.
    private func form(of action: String, on screen: Screen, _ manner: Manner, _ isNoted: Bool)
        async throws -> [String: String]
    {
        var typist = sample
        var isWrong = manner == .wrongly
        if manner == .twisted {
            switch attempt.twist {
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
        var form = screen.filled(as: typist)
        if manner == .twisted, case .password(let password) = attempt.twist {
            for field in screen.fields where field.type == .password { form[field.name] = password }
        }
        if isNoted, !screen.fields.isEmpty {
            let names = screen.fields.filter { !form[$0.name, default: ""].isEmpty }.map(\.label)
            note("Fill \(names.joined(separator: ", "))", screen.id)
        }
        return form
    }

    /// The code of the last mail; one is asked for if there is none.
    private func mailedCode(on screen: Screen, _ typist: Sample) async throws -> String? {
        let mailbox = services.backend.mailbox
        // A mail is there before the answer to who asked for it.
        let newest = { [place, contract] in
            try await mailbox.wait(
                workspace: place.workspace, to: typist.email, app: contract, purpose: nil,
                since: nil, timeout: .zero)?.code
        }
        if let code = try await newest() { return code }
        guard
            let pressed = try await simulator.askForMail(
                place, on: screen, screen.filled(as: typist))
        else { return nil }
        note("Press \(pressed.said)", screen.id)
        return try await newest()
    }
}
