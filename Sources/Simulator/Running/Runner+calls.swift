import Apps
import FoundationEssentials
import Surroundings
import Synchronization
import Traffic
import Web

extension Runner {
    /// Makes one call as the app would: retries, and one refresh on a 401.
    ///
    /// Throws a `Problem` if the call cannot be built, and `Dropped` if the
    /// app was killed before the call could be made again.
    func perform(_ name: String, _ run: inout Run) async throws -> Run.End {
        var why = run.why
        var after: String?
        var attempt = 1
        var isRenewed = false
        if case .lost = try await renewAhead(name, run) { return .lost }
        while true {
            let facts = try await facts(run.place, run.app)
            guard let call = run.app.call(name, backend: facts.backend) else {
                // The manifest changed under our feet.
                throw Problem.unknownCall(name)
            }
            if let words = facts.missing(for: call) { return .failure(Trouble(message: words)) }
            let bearer = call.request.token.map { name in
                let fresh = run.captured[name]
                return Bearer(
                    name: name, token: (fresh ?? facts.held()[name])?.text, isStored: fresh == nil)
            }
            if let bearer, bearer.token == nil, !call.bestEffort, run.app.session.lost != nil {
                try await lose(run, bearer)
                return .lost
            }
            let sent: Recorder.Sent
            let last: Int
            do {
                (sent, last) = try await deliver(
                    name, call, facts, &run, why, after: after, attempt: attempt)
            } catch let problem as Problem where call.bestEffort {
                return .failure(Trouble(message: problem.title))
            }
            let answer: Answer
            switch sent.delivery.outcome {
            case .answered(let got): answer = got
            case .failed(let failure):
                return .failure(Trouble(failure, app: run.app, exchange: sent.id))
            }
            let reading = call.read(answer)
            if let bearer, bearer.isStored, !call.bestEffort {
                hear(reading, bearer, name, sent, run.place, facts)
            }
            switch reading {
            case .success(let captured):
                note(captured, of: call, name, facts, &run)
                return .success(captured)
            case .invalid: return .failure(Trouble(invalid: run.app, exchange: sent.id))
            case .failure(let failure, _, let status)
            where bearer?.isStored == true && Self.asksForRenewal(failure, status)
                && mayRenew(call, run.app):
                guard !isRenewed else {
                    try await lose(run, bearer)
                    return .lost
                }
                switch try await renew(run, bearer, after: sent) {
                case .renewed:
                    isRenewed = true
                    if let bearer { run.captured[bearer.name] = nil }
                    (why, after, attempt) = (.retry, sent.id, last + 1)
                case .lost: return .lost
                case .unavailable(let trouble): return .failure(trouble)
                }
            case .failure(let failure?, let message, let status)
            where bearer?.isStored == true && failure.session == .lost:
                let words = run.app.words(
                    for: failure, told: message, status: status, action: nil,
                    variables: facts.variables(captured: run.captured, fields: run.fields))
                try await lose(run, bearer, words: failure.message.map { _ in words })
                return .lost
            case .failure(let failure, let message, let status):
                let words = run.app.words(
                    for: failure, told: message, status: status, action: nil,
                    variables: facts.variables(captured: run.captured, fields: run.fields))
                return .failure(
                    Trouble(
                        failure, message: words, told: call.fieldMessages(in: answer),
                        exchange: sent.id))
            }
        }
    }

    /// A token a call carries, by its name in the manifest.
    struct Bearer: Sendable {
        var name: String
        /// Nil if the device held none.
        var token: String?
        /// Not if this run brought it and nobody stored it yet: then neither
        /// a refresh nor the end of the session is about it, which may be
        /// another person's.
        var isStored = true
    }

    /// Whether an answer means that the token died: a row says so, or no row
    /// speaks of this 401.
    static func asksForRenewal(_ failure: Call.Failure?, _ status: Int) -> Bool {
        failure.map { $0.session == .renew } ?? (status == 401)
    }

    /// An app without a refresh loses its session at a 401, but not because
    /// of a call whose failure is nobody's business.
    private func mayRenew(_ call: Call, _ app: App) -> Bool {
        app.session.refresh != nil || (app.session.lost != nil && !call.bestEffort)
    }

    /// Refreshes first if the token about to be sent dies too soon; nil if
    /// it does not.
    private func renewAhead(_ name: String, _ run: Run) async throws -> Renewal? {
        let ahead = run.app.session.refreshBefore
        guard ahead > 0, run.app.session.refresh != nil else { return nil }
        let facts = try await facts(run.place, run.app)
        guard run.app.call(name, backend: facts.backend)?.request.token == App.accessToken,
            run.captured[App.accessToken] == nil, facts.kept.refreshToken(in: run.app) != nil,
            let bearer = dying(facts)
        else { return nil }
        return try await renew(run, bearer, after: nil)
    }

    /// The access token, if it has expired or is about to.
    func dying(_ facts: Facts) -> Bearer? {
        guard let token = facts.kept.accessToken(in: facts.app),
            let expiry = facts.kept.session?.accessToken?.expiresAt,
            expiry.timeIntervalSince(cupboard.clocks.now(in: facts.device.workspace))
                <= Double(facts.app.session.refreshBefore)
        else { return nil }
        return Bearer(name: App.accessToken, token: token)
    }

    private func note(
        _ captured: [String: JSON], of call: Call, _ name: String, _ facts: Facts, _ run: inout Run
    ) {
        run.answered.insert(name)
        for (name, value) in captured { run.captured[name] = value }
        run.remembered += remembered(call, facts, run)
    }

    /// What a call that succeeded leaves in memory.
    func remembered(_ call: Call, _ facts: Facts, _ run: Run) -> [(
        name: String, key: String, value: JSON
    )] {
        let variables = facts.variables(captured: run.captured, fields: run.fields)
        return call.remember.map { name, text in
            let per = run.app.memory.first { $0.name == name }?.per
            let key = per.flatMap { field in
                variables[field]?.text.map { run.app.memoryKey($0, of: field) }
            }
            return (name, key ?? "", .string(variables.fill(text)))
        }
    }

    // MARK: Attempts

    /// Sends until an answer, or until the retries are used up; answers the
    /// last attempt and its number.
    func deliver(
        _ name: String, _ call: Call, _ facts: Facts, _ run: inout Run,
        _ why: ExchangeContext.Cause, after: String?, attempt: Int,
        condition: Condition.Draft? = nil
    ) async throws -> (Recorder.Sent, attempt: Int) {
        let network = run.app.network
        let request = try call.request(
            base: facts.base,
            variables: facts.variables(captured: run.captured, fields: run.fields),
            timeout: .seconds(network.timeout))
        let app = run.app
        let passing = run.captured.filter { app.isToken($0.key) }.compactMap(\.value.text)
        var context = ExchangeContext(
            workspace: run.place.workspace, app: run.place.app, device: run.place.device,
            backend: facts.backend, call: name, cause: why, causeEvent: run.cause,
            causeExchange: after, attempt: attempt, passwords: run.passwords,
            tokens: facts.secrets + passing, tokensIn: { call.tokens(in: $0, of: app) },
            condition: condition)
        context.accessToken =
            (run.captured[App.accessToken] ?? facts.shown.held[App.accessToken])?.text
            ?? facts.kept.accessToken(in: app)
        if name == app.session.refresh {
            context.refreshToken =
                (run.captured[App.refreshToken] ?? facts.shown.held[App.refreshToken])?.text
                ?? facts.kept.refreshToken(in: app)
        }
        var retries = 0
        while true {
            let sent = await recorder.send(request, as: context)
            run.exchange = sent.id
            run.event = sent.event
            guard retries < call.retries ?? network.retries, network.retries(sent) else {
                return (sent, context.attempt)
            }
            let pause = network.backoff * Double(1 << min(retries, 10)) * jitter
            if !isHurried(run.place.workspace) { try? await world.sleep(.seconds(pause)) }
            guard cupboard.isAlive(run.place, run.life) else { throw Cupboard.Dropped() }
            retries += 1
            context.attempt += 1
            context.cause = why == .refresh ? .refresh : .retry
            context.causeEvent = sent.event
            context.causeExchange = sent.id
        }
    }

    private func isHurried(_ workspace: String) -> Bool {
        hurried.withLock { $0.contains(workspace) }
    }

    /// Between 0.75 and 1.25, so that many clients do not come back at once.
    private var jitter: Double { 0.75 + Double(world.random(1).first ?? 128) / 510 }
}

extension Network {
    /// Whether an attempt that ended like this is made again.
    fileprivate func retries(_ sent: Recorder.Sent) -> Bool {
        switch sent.delivery.outcome {
        case .answered(let answer): answer.status >= 500 && retryOn.contains(.serverError)
        case .failed(let failure):
            switch failure.kind {
            case .timeout: retryOn.contains(.timeout)
            case .connection, .nameLookup: retryOn.contains(.connection)
            default: false
            }
        }
    }
}

extension RequestTemplate {
    /// The name of the token it carries: its bearer, or the access token
    /// where it stands elsewhere in it.
    var token: String? { bearer ?? (carries(App.accessToken) ? App.accessToken : nil) }
}

extension Call {
    /// The tokens an answer brings.
    fileprivate func tokens(in answer: Answer, of app: App) -> [String] {
        guard case .success(let captured) = read(answer) else { return [] }
        return captured.filter { app.isToken($0.key) }.compactMap(\.value.text)
    }
}

extension Problem {
    static func unknownCall(_ name: String) -> Problem {
        Problem(
            status: 409, code: "unknown-call", title: "The app's manifest has changed",
            detail: "It has no call \(name) any more. Relaunch the app.")
    }
}
