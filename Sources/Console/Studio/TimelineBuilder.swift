import FoundationEssentials
import Surroundings
import Web

/// Lays the newest events out in four lanes, burst after burst.
struct TimelineBuilder {
    /// The timeline of one app on one device, oldest first.
    let events: [Event]
    let app: String
    /// Where its calls go.
    let base: String

    /// Bursts drawn; older ones are on the sessions' and traffic pages.
    private static let burstLimit = 8
    private static let markLimit = 14
    private static let lanes = [39, 61, 83, 105]

    /// The event of the screen the phone is on, in whichever burst.
    private var shown: Int64? { events.last { $0.kind == .screen }?.id }

    func build() -> TimelineModel {
        let starts = events.filter { $0.kind == .launched }.map(\.id)
        let drawn = Burst.cut(events).map {
            ($0, Array(TimelineDraft.drafts($0).suffix(Self.markLimit)))
        }.filter { !$0.1.isEmpty }.suffix(Self.burstLimit)
        var x = 16
        var bursts: [TimelineModel.Burst] = []
        var gaps: [TimelineModel.Gap] = []
        var before: Date?
        for (burst, drafts) in drawn {
            guard let first = burst.events.first else { continue }
            if let before {
                let silence = first.at.timeIntervalSince(before)
                if silence >= 1 {
                    gaps.append(.init(x: x + 16, text: Words.span(silence)))
                    x += 48
                } else {
                    x += 20
                }
            }
            before = burst.events.last?.at
            let isNewest = bursts.count == drawn.count - 1
            let (model, end) = lay(
                burst, drafts, from: x, newest: isNewest,
                title: burst.title(isLater: starts.first.map { $0 < first.id } ?? false))
            bursts.append(model)
            x = end
        }
        let newest = bursts.last.map { burst in
            TimelineModel.Plate(x: burst.x - 8, w: x - burst.x + 8, rectW: x - burst.x + 7)
        }
        return TimelineModel(
            anyEvents: !bursts.isEmpty, width: max(x + 16, 320), newest: newest, gaps: gaps,
            bursts: bursts)
    }

    // MARK: Where it stands

    private func lay(
        _ burst: Burst, _ drafts: [TimelineDraft], from start: Int, newest: Bool, title: String
    ) -> (TimelineModel.Burst, end: Int) {
        let words = TimelineWords(drafts: drafts, base: base)
        var marks: [TimelineModel.Mark] = []
        var x = start + 6
        for draft in drafts {
            var mark = mark(draft, words, x: x)
            if draft.event.id == shown { mark.shape = .current }
            marks.append(mark)
            x += 34 + draft.label.count * 6
        }
        let heading = start + title.count * 7 + 72
        let model = TimelineModel.Burst(
            isNewest: newest, x: start, title: title, time: Words.clock(burst.events[0].at),
            at: burst.events[0].at.iso8601, causes: causes(marks, drafts, burst), marks: marks)
        return (model, max(x, heading))
    }

    private func mark(_ draft: TimelineDraft, _ words: TimelineWords, x: Int) -> TimelineModel.Mark
    {
        let event = draft.event
        let y = Self.lanes[draft.lane]
        let end = event.facts["total"].flatMap { Double($0) }.map(Words.milliseconds) ?? ""
        let what = words.what(draft)
        let when = words.when(draft)
        let then = words.then(draft)
        return TimelineModel.Mark(
            id: String(event.id), shape: draft.shape, x: x, y: y, useX: x - 8, useY: y - 8,
            labelX: x + 10, labelY: y + 4, label: draft.label, href: event.href,
            restoreURL: Links.restore(app, event: event.id),
            spoken: [what, end, when, then].filter { !$0.isEmpty }.joined(separator: ", "),
            what: what, end: end, when: when, then: then)
    }

    /// A line from each mark's cause; what began the burst is no mark of its
    /// own, its first mark stands for it.
    private func causes(_ marks: [TimelineModel.Mark], _ drafts: [TimelineDraft], _ burst: Burst)
        -> [TimelineModel.Cause]
    {
        marks.indices.dropFirst().compactMap { index in
            guard let cause = drafts[index].cause else { return nil }
            let to = marks[index]
            if let named = drafts[..<index].firstIndex(where: { $0.event.id == cause }) {
                return .init(d: line(marks[named], to))
            }
            guard burst.events.contains(where: { $0.id == cause }), marks[0].y != to.y else {
                return nil
            }
            return .init(d: line(marks[0], to))
        }
    }

    private func line(_ from: TimelineModel.Mark, _ to: TimelineModel.Mark) -> String {
        if from.y == to.y {
            // Over the labels of its lane.
            let y = from.y - 12
            return "M\(from.x) \(from.y - 7)V\(y + 4)a4 4 0 0 1 4-4"
                + "H\(to.x - 4)a4 4 0 0 1 4 4V\(to.y - 7)"
        }
        let down = to.y > from.y
        let sign = down ? 1 : -1
        return "M\(from.x) \(from.y + 9 * sign)V\(to.y - 6 * sign)"
            + "a6 6 0 0 \(down ? 0 : 1) 6 \(6 * sign)H\(to.x - 11)"
    }
}
