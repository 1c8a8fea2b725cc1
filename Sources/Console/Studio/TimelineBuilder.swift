import FoundationEssentials
import Surroundings

/// Lays the newest events out in four lanes, burst after burst.
struct TimelineBuilder {
    /// The timeline of one app on one device, oldest first.
    let events: [Event]
    let app: String

    /// Bursts drawn; older ones are on the sessions' and traffic pages.
    private static let burstLimit = 8
    private static let markLimit = 14

    /// One mark, before it has a place.
    private struct Draft {
        var event: Event
        var shape: TimelineModel.Shape
        var lane: Int
        var label: String
        var count = 1
    }

    func build() -> TimelineModel {
        let drawn = Burst.cut(events).map { ($0, drafts($0)) }
            .filter { !$0.1.isEmpty }.suffix(Self.burstLimit)
        var x = 16
        var bursts: [TimelineModel.Burst] = []
        var gaps: [TimelineModel.Gap] = []
        var before: Date?
        for (burst, drafts) in drawn {
            guard let first = burst.events.first else { continue }
            if let before {
                let silence = first.at.timeIntervalSince(before)
                gaps.append(.init(x: x + 16, text: Words.span(silence)))
                x += 48
            }
            before = burst.events.last?.at
            let isNewest = bursts.count == drawn.count - 1
            let (model, end) = lay(burst, drafts, from: x, newest: isNewest)
            bursts.append(model)
            x = end
        }
        let newest = bursts.last.map { burst in
            TimelineModel.Plate(
                x: burst.x - 8, w: x - burst.x + 8, rectW: x - burst.x + 7)
        }
        return TimelineModel(
            anyEvents: !bursts.isEmpty, width: max(x + 16, 320),
            newest: newest, gaps: gaps, bursts: bursts)
    }

    // MARK: What is drawn of a burst

    private func drafts(_ burst: Burst) -> [Draft] {
        var drafts: [Draft] = []
        for event in burst.events {
            guard let draft = draft(event) else { continue }
            // Writes that follow each other are one mark with a number.
            if draft.lane == 2, let last = drafts.last, last.lane == 2,
                last.event.kind == event.kind
            {
                drafts[drafts.count - 1].count += 1
                drafts[drafts.count - 1].label = String(last.count + 1)
                continue
            }
            drafts.append(draft)
        }
        return Array(drafts.suffix(Self.markLimit))
    }

    private func draft(_ event: Event) -> Draft? {
        switch event.kind {
        case .screen:
            Draft(
                event: event, shape: .screen, lane: 0,
                label: event.subject ?? "screen")
        case .ruleFailed:
            Draft(event: event, shape: .refused, lane: 0, label: "rule")
        case .exchange:
            exchange(event)
        case .stored:
            Draft(event: event, shape: .storage, lane: 2, label: "1")
        case .forgotten:
            Draft(event: event, shape: .storage, lane: 2, label: "deleted")
        case .revealed:
            Draft(event: event, shape: .storage, lane: 2, label: "revealed")
        case .sessionChanged where event.facts["by"] == "hand":
            Draft(event: event, shape: .condition, lane: 2, label: "expired")
        case .mail:
            Draft(event: event, shape: .mail, lane: 3, label: "mail")
        case .mailUsed:
            Draft(event: event, shape: .mail, lane: 3, label: "link used")
        default:
            nil
        }
    }

    private func exchange(_ event: Event) -> Draft {
        let status = event.facts["status"].flatMap { Int($0) }
        let refused = status.map { $0 >= 400 } ?? true
        return Draft(
            event: event, shape: refused ? .refused : .call, lane: 1,
            label: status.map(String.init) ?? "no answer")
    }

    // MARK: Where it stands

    private static let lanes = [39, 61, 83, 105]

    private func lay(
        _ burst: Burst, _ drafts: [Draft], from start: Int, newest: Bool
    ) -> (TimelineModel.Burst, end: Int) {
        let first = burst.events[0]
        var marks: [TimelineModel.Mark] = []
        var x = start + 6
        for (index, draft) in drafts.enumerated() {
            let isLast = index == drafts.count - 1
            var mark = mark(draft, x: x)
            if newest, isLast, draft.shape == .screen { mark.shape = .current }
            marks.append(mark)
            x += 34 + draft.label.count * 6
        }
        let title = burst.title
        let heading = start + title.count * 7 + 72
        let model = TimelineModel.Burst(
            isNewest: newest, x: start, title: title,
            time: Words.clock(first.at), causes: causes(marks, drafts),
            marks: marks)
        return (model, max(x, heading))
    }

    private func mark(_ draft: Draft, x: Int) -> TimelineModel.Mark {
        let event = draft.event
        let y = Self.lanes[draft.lane]
        let end = event.facts["total"].flatMap { Double($0) }
            .map(Words.milliseconds) ?? ""
        let cause = event.facts["cause"].map { cause in
            cause == "refresh" ? "silent refresh" : cause
        }
        let when = [cause, Words.clockMilliseconds(event.at)]
            .compactMap(\.self).joined(separator: ", ")
        let then = draft.count > 1 ? "\(draft.count) keys" : ""
        return TimelineModel.Mark(
            id: String(event.id), shape: draft.shape, x: x, y: y,
            useX: x - 8, useY: y - 8, labelX: x + 10, labelY: y + 4,
            label: draft.label, href: href(event),
            spoken: [event.title, end, when, then].filter { !$0.isEmpty }
                .joined(separator: ", "),
            what: event.title, end: end, when: when, then: then)
    }

    private func href(_ event: Event) -> String {
        guard let subject = event.subject else { return Links.studio(app) }
        return switch event.kind {
        case .exchange: Links.exchange(subject)
        case .mail, .mailUsed: Links.mail(subject)
        case .sessionBegan, .sessionChanged, .sessionEnded:
            Links.session(subject)
        default: Links.studio(app)
        }
    }

    /// A line from each mark's cause, or from the one before it.
    private func causes(
        _ marks: [TimelineModel.Mark], _ drafts: [Draft]
    ) -> [TimelineModel.Cause] {
        marks.indices.dropFirst().compactMap { index in
            let to = marks[index]
            let named = drafts[index].event.cause.flatMap { cause in
                drafts[..<index].firstIndex { $0.event.id == cause }
            }
            let from = marks[named ?? index - 1]
            if from.y == to.y {
                // Between two of one lane the line would cross the label.
                return nil
            }
            let down = to.y > from.y
            let sign = down ? 1 : -1
            return TimelineModel.Cause(
                d: "M\(from.x) \(from.y + 9 * sign)V\(to.y - 6 * sign)"
                    + "a6 6 0 0 \(down ? 0 : 1) 6 \(6 * sign)H\(to.x - 11)")
        }
    }
}
