import Core
import FoundationEssentials
import Web

/// Lays the newest events out in four lanes, burst after burst.
struct TimelineBuilder {
    /// The timeline of one app on one device, oldest first.
    let events: [Event]
    let app: String
    /// Where its calls go.
    let base: String

    /// Bursts drawn; older ones are on the sessions' and traffic pages.
    private static let groupLimit = 8
    private static let markLimit = 14
    private static let laneYs = [39, 61, 83, 105]

    /// The event of the screen the phone is on, in whichever burst.
    private var currentScreenEventID: Int64? { events.last { $0.kind == .screenShown }?.id }

    func build() -> TimelineModel {
        let starts = events.filter { $0.kind == .appLaunched }.map(\.id)
        let drawn = EventGroup.groups(of: events).map {
            ($0, Array(TimelineEntry.entries(of: $0).suffix(Self.markLimit)))
        }.filter { !$0.1.isEmpty }.suffix(Self.groupLimit)
        var x = 16
        var bursts: [TimelineModel.Group] = []
        var gaps: [TimelineModel.Gap] = []
        var before: Date?
        for (burst, drafts) in drawn {
            guard let first = burst.events.first else { continue }
            if let before {
                let silence = first.at.timeIntervalSince(before)
                if silence >= 1 {
                    gaps.append(.init(x: x + 16, text: Format.duration(silence)))
                    x += 48
                } else {
                    x += 20
                }
            }
            before = burst.events.last?.at
            let isNewest = bursts.count == drawn.count - 1
            let (model, end) = layOut(
                burst, drafts, from: x, isNewest: isNewest,
                title: burst.title(isRelaunch: starts.first.map { $0 < first.id } ?? false))
            bursts.append(model)
            x = end
        }
        let newest = bursts.last.map { burst in
            TimelineModel.Highlight(
                x: burst.x - 8, width: x - burst.x + 8, rectWidth: x - burst.x + 7)
        }
        return TimelineModel(
            anyEvents: !bursts.isEmpty, width: max(x + 16, 320), newestHighlight: newest,
            gaps: gaps,
            groups: bursts)
    }

    // MARK: Where it stands

    private func layOut(
        _ burst: EventGroup, _ drafts: [TimelineEntry], from start: Int, isNewest: Bool,
        title: String
    ) -> (TimelineModel.Group, end: Int) {
        let words = TimelineText(entries: drafts, base: base)
        var marks: [TimelineModel.Mark] = []
        var x = start + 6
        for draft in drafts {
            var mark = makeMark(draft, words, x: x)
            if draft.event.id == currentScreenEventID { mark.shape = .current }
            marks.append(mark)
            x += 34 + draft.label.count * 6
        }
        let heading = start + title.count * 7 + 72
        let model = TimelineModel.Group(
            isNewest: isNewest, x: start, title: title, time: Format.timeOfDay(burst.events[0].at),
            at: burst.events[0].at.iso8601, causeLines: causeLines(marks, drafts, burst),
            marks: marks)
        return (model, max(x, heading))
    }

    private func makeMark(_ draft: TimelineEntry, _ words: TimelineText, x: Int)
        -> TimelineModel.Mark
    {
        let event = draft.event
        let y = Self.laneYs[draft.lane]
        let end = event.details["total"].flatMap { Double($0) }.map(Format.milliseconds) ?? ""
        let what = words.title(draft)
        let when = words.timing(draft)
        let then = words.causeAndEffect(draft)
        return TimelineModel.Mark(
            id: String(event.id), shape: draft.shape, x: x, y: y, useX: x - 8, useY: y - 8,
            labelX: x + 10, labelY: y + 4, label: draft.label, href: event.href,
            restoreURL: Links.restore(app, event: event.id),
            accessibilityLabel: [what, end, when, then].filter { !$0.isEmpty }.joined(
                separator: ", "),
            title: what, duration: end, timing: when, causeAndEffect: then)
    }

    /// A line from each mark's cause; what began the burst is no mark of its
    /// own, its first mark stands for it.
    private func causeLines(
        _ marks: [TimelineModel.Mark], _ drafts: [TimelineEntry], _ burst: EventGroup
    )
        -> [TimelineModel.CauseLine]
    {
        marks.indices.dropFirst().compactMap { index in
            guard let cause = drafts[index].causeID else { return nil }
            let to = marks[index]
            if let named = drafts[..<index].firstIndex(where: { $0.event.id == cause }) {
                return .init(d: causePath(from: marks[named], to: to))
            }
            guard burst.events.contains(where: { $0.id == cause }), marks[0].y != to.y else {
                return nil
            }
            return .init(d: causePath(from: marks[0], to: to))
        }
    }

    private func causePath(from: TimelineModel.Mark, to: TimelineModel.Mark) -> String {
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
