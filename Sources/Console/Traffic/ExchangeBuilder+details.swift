import Apps
import Core
import FoundationEssentials
import Inspection
import Simulator
import Templates
import Traffic
import Web

/// The details of an exchange: what caused it, and where it was sent.
extension ExchangeBuilder {
    /// The cause, call, attempt, fault, backend and session.
    func details(_ device: Device?) async throws -> [DetailModel] {
        let event = exchange.causeEvent.flatMap { cause in
            services.hub.event(cause, in: exchange.workspace)
        }
        var preceding: DetailModel?
        if let id = exchange.causeExchange {
            let cause = try await services.exchanges.detail(id, in: exchange.workspace)?.exchange
            let base = services.baseURL(of: exchange)
            preceding = DetailModel(
                "After",
                cause.map { $0.method + " " + Format.path($0.pathAndQuery, below: base) }
                    ?? "Deleted", url: cause.map { Links.exchange($0.id) })
        }
        let backend = app?.backends.first { $0.id == exchange.backend }
        let details = [
            DetailModel("Cause", ExchangeRowModel.causeChip(exchange.cause).text),
            event.map { DetailModel("Triggered by", $0.title) }, preceding,
            DetailModel(
                "Call", exchange.call,
                url: Links.url(Links.traffic, [("app", exchange.app), ("call", exchange.call)])),
            resendLabel(exchange.cause) == nil
                ? DetailModel("Attempt", String(exchange.attempt)) : nil,
            DetailModel("Fault", exchange.fault ?? "None"),
            exchange.ruleLabel.map { DetailModel("Rule", $0) },
            DetailModel("Backend", backend?.label ?? exchange.backend),
            detail.remoteAddress.map { DetailModel("Remote address", $0) },
            device.flatMap { device in
                deviceURL(device).map { DetailModel("Device", device.label, url: $0) }
            },
            try await session().map {
                DetailModel("Session", $0.userLabel, url: Links.session($0.id))
            },
        ]
        return details.compactMap(\.self)
    }

    /// The device's session in this app at that time; a sign-in call belongs to the session it
    /// created.
    private func session() async throws -> Session? {
        var query = SessionQuery(workspace: exchange.workspace)
        query.app = exchange.app
        query.device = exchange.device
        let end = exchange.startedAt.addingTimeInterval(exchange.timings.total / 1_000 + 1)
        return try await services.simulator.sessions(query).page.items.first { session in
            session.createdAt <= end && (session.endedAt ?? .distantFuture) >= exchange.startedAt
        }
    }
}

/// The attempts at a call, and the story of an exchange: what caused it, what it caused, and what the
/// user saw.
extension ExchangeBuilder {
    /// The exchanges among `related` with this one's call, oldest first; empty if it is the only
    /// one.
    func attempts(among related: [Exchange]) -> [TemplateModel] {
        let attempts = related.filter { $0.call == exchange.call && $0.method == exchange.method }
        guard attempts.count > 1 else { return [] }
        return zip(1..., attempts).map { number, item in
            var parts = ["\(number) of \(attempts.count)"]
            if let label = resendLabel(item.cause) { parts.append(label) }
            parts.append(item.status.map(String.init) ?? "no response")
            return [
                "attempt": parts.joined(separator: ", "),
                "attemptURL": item.id == exchange.id ? nil : Links.exchange(item.id),
            ]
        }
    }

    /// How it was sent from the console; such an exchange is no attempt by the app.
    private func resendLabel(_ cause: ExchangeContext.Cause) -> String? {
        switch cause {
        case .replay: "resent"
        case .manual: "edited and resent"
        default: nil
        }
    }

    // MARK: Event chain

    /// The events that led to this exchange, the exchange, what followed, and what the user saw, by
    /// time. `related` have the same root cause, oldest first; their events may have been pruned.
    func storySteps(_ related: [Exchange]) -> [TemplateModel] {
        let (hub, workspace) = (services.hub, exchange.workspace)
        let ended = hub.newestEvent(.exchangeEnded, of: exchange.id, in: workspace)
        let events = ended.map { EventGraph(around: $0, in: hub).chain(of: $0).map(\.event) } ?? []
        let outcome = outcome(related.filter { $0.sequence > exchange.sequence })
        let stored = Dictionary(related.map { ($0.id, $0) }) { first, _ in first }
        let told = Set(events.filter { $0.kind == .exchangeEnded }.compactMap(\.subject))
        var steps: [(at: Date, model: TemplateModel)] = []
        for event in events where outcome?.events.contains(event.id) != true {
            guard event.kind == .exchangeEnded, let entry = event.subject.flatMap({ stored[$0] })
            else {
                steps.append((event.at, step(event)))
                continue
            }
            steps.append((event.at, step(entry)))
        }
        let others = stored[exchange.id] == nil ? [exchange] : []
        for entry in related + others where !told.contains(entry.id) {
            let end = entry.startedAt.addingTimeInterval(entry.timings.total / 1_000)
            steps.append((end, step(entry)))
        }
        return steps.sorted { $0.at < $1.at }.map(\.model) + [outcome?.step].compactMap(\.self)
    }

    private func step(_ event: Event) -> TemplateModel {
        [
            "kind": "event", "shape": event.shape,
            "stepTitle": event.displayTitle(
                below: services.backendRootPaths(in: exchange.workspace)),
            "stepURL": event.href, "stepNote": Format.timeOfDayMilliseconds(event.at),
            "stepAt": event.at.iso8601,
        ]
    }

    private func step(_ entry: Exchange) -> TemplateModel {
        let tone = ExchangeRowModel.tone(entry.status)
        let isThis = entry.id == exchange.id
        return [
            "kind": isThis ? "this" : "call", "shape": tone == "bad" ? "failed" : "call",
            "isThis": isThis,
            "stepTitle": entry.method + " "
                + Exchange.elidingTokens(
                    Format.path(entry.pathAndQuery, below: services.baseURL(of: entry))),
            "isCall": true, "stepURL": isThis ? nil : Links.exchange(entry.id),
            "status": entry.status.map(String.init) ?? "No response", "statusTone": tone,
            "stepNote": isThis ? "This request" : stepNote(entry),
        ]
    }

    private func stepNote(_ entry: Exchange) -> String {
        let delay = entry.startedAt.timeIntervalSince(exchange.startedAt)
        var parts = [
            ExchangeRowModel.causeChip(entry.cause).text,
            Format.milliseconds(delay.magnitude * 1_000) + (delay < 0 ? " earlier" : " later"),
        ]
        if entry.attempt > 1 { parts.append("retry \(entry.attempt)") }
        return parts.joined(separator: ", ")
    }

    // MARK: Outcome

    /// What the user saw in the end; nil if the events have been pruned, or if another call was
    /// sent first.
    private func outcome(_ following: [Exchange]) -> (events: Set<Int64>, step: TemplateModel)? {
        let (hub, workspace) = (services.hub, exchange.workspace)
        let last = following.last ?? exchange
        guard let ended = hub.newestEvent(.exchangeEnded, of: last.id, in: workspace) else {
            return nil
        }
        let calls = Set([exchange.id] + following.map(\.id))
        // A failure names its exchange, which need not be the one that ended last: a failed refresh
        // is reported for the call that needed it.
        let effects = hub.events(in: workspace, after: exchange.causeEvent ?? 0) {
            $0.cause == ended.id
                || $0.kind == .actionFailed && $0.subject.map(calls.contains) == true
        }
        let screen = effects.last { $0.kind == .screenShown }
        let failed = effects.last { $0.kind == .actionFailed }
        guard let finalEvent = failed ?? screen else { return nil }
        let isSessionLost = effects.contains {
            $0.kind == .sessionEnded && $0.details["state"] == "revoked"
        }
        let elapsed = finalEvent.at.timeIntervalSince(exchange.startedAt)
        var parts: [String] = []
        if let failed, screen != nil {
            parts.append("Error shown: “\(failed.title)”")
        } else if isSessionLost {
            parts.append("Session expired")
        } else if failed == nil, isFixed(by: last) {
            parts.append("Invisible to the user")
        }
        parts.append(Format.milliseconds(max(0, elapsed) * 1_000) + " total")
        return (
            Set([failed, screen].compactMap { $0?.id }),
            [
                "kind": failed != nil || isSessionLost ? "bad" : "end",
                "shape": (screen ?? finalEvent).shape,
                "stepTitle": screen.map { "\($0.subject ?? "screen") shown" } ?? finalEvent.title,
                "stepURL": (screen ?? finalEvent).href, "stepNote": parts.joined(separator: ", "),
            ]
        )
    }

    /// Whether this exchange failed and `last` succeeded, so that the user saw no failure.
    private func isFixed(by last: Exchange) -> Bool {
        !isSuccessful(exchange) && last.id != exchange.id && isSuccessful(last)
    }

    private func isSuccessful(_ entry: Exchange) -> Bool { entry.status.map { $0 < 400 } ?? false }
}

/// Why a server rejected a request (`traffic/rejection`).
extension ExchangeBuilder {
    /// The embedded backend's checks, or inferred ones.
    func rejectionModel(_ rejection: Rejection) -> TemplateModel {
        switch rejection.origin {
        case .fault(let label): faultModel(label)
        case .server: checksModel("Checks in server order", rejection, isExact: true)
        case .inferred: checksModel("Inferred by Foyer", rejection, isExact: false)
        }
    }

    private func checksModel(_ note: String, _ rejection: Rejection, isExact: Bool)
        -> TemplateModel
    {
        [
            "rejectionNote": note, "checks": rejection.checks.map(checkModel),
            "cause": RejectionMessage.cause(
                rejection.checks.first { $0.state == .failed }, status: exchange.status ?? 0,
                isExact: isExact, fault: exchange.fault, fill: detail.masked),
        ]
    }

    /// A response made by Foyer, which no server's checks explain. The fault label contains the
    /// backend's original outcome, if the request was sent.
    private func faultModel(_ label: String) -> TemplateModel {
        guard let range = label.firstRange(of: " after ") else {
            let cause =
                "Foyer generated this response: the fault \(label) was applied before "
                + "sending the request."
            return ["rejectionNote": "Not sent", "cause": cause]
        }
        let originalOutcome = label[range.upperBound...].prefix { $0 != "," && $0 != ";" }
        let cause =
            "The backend responded with \(originalOutcome). Foyer replaced the "
            + "response: the fault \(label) was applied."
        return ["rejectionNote": "Not the backend's response", "cause": cause]
    }

    private func checkModel(_ check: ExchangeCheck) -> TemplateModel {
        let icon: String? =
            switch check.state {
            case .passed: "check"
            case .failed: "cross"
            case .skipped, .unknown: nil
            }
        let stateText = check.state.rawValue.capitalizedFirst
        let evidence = detail.masked(check.evidence)
        return [
            "checkTitle": check.title, "state": check.state.rawValue, "stateText": stateText,
            "checkIcon": icon,
            "evidence": evidence.isEmpty && icon == nil ? stateText : evidence,
        ]
    }
}
