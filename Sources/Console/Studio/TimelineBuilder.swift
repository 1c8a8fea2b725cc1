import Core
import FoundationEssentials
import Inspection
import Web

/// Lays out the newest event groups in four lanes.
struct TimelineBuilder {
    let timeline: Timeline
    let app: String
    /// The base URL of the app's calls.
    let base: String

    /// The number of groups shown; older events are on the sessions and traffic pages.
    private static let groupLimit = 8
    private static let markLimit = 14
    private static let laneYs = [39, 61, 83, 105]

    func build() -> TimelineModel {
        let shownGroups = timeline.groups.suffix(Self.groupLimit)
        var x = 16
        var groups: [TimelineModel.Group] = []
        var gaps: [TimelineModel.Gap] = []
        var previousEnd: Date?
        for group in shownGroups {
            if let previousEnd {
                let interval = group.events[0].at.timeIntervalSince(previousEnd)
                if interval >= 1 {
                    gaps.append(.init(x: x + 16, text: Format.duration(interval)))
                    x += 48
                } else {
                    x += 20
                }
            }
            previousEnd = group.events.last?.at
            let isNewest = groups.count == shownGroups.count - 1
            let (model, end) = layOut(group, from: x, isNewest: isNewest)
            groups.append(model)
            x = end
        }
        let newest = groups.last.map { group in
            TimelineModel.Highlight(
                x: group.x - 8, width: x - group.x + 8, rectWidth: x - group.x + 7)
        }
        return TimelineModel(
            anyEvents: !groups.isEmpty, width: max(x + 16, 320), newestHighlight: newest,
            gaps: gaps, groups: groups)
    }

    // MARK: Layout

    private func layOut(_ group: Timeline.Group, from start: Int, isNewest: Bool)
        -> (TimelineModel.Group, end: Int)
    {
        let entries = Array(group.entries.suffix(Self.markLimit))
        let text = TimelineText(entries: entries, base: base)
        var marks: [TimelineModel.Mark] = []
        var x = start + 6
        for entry in entries {
            marks.append(makeMark(entry, text, x: x))
            x += 34 + entry.label.count * 6
        }
        let headingEnd = start + group.title.count * 7 + 72
        let first = group.events[0].at
        let model = TimelineModel.Group(
            isNewest: isNewest, x: start, title: group.title, time: Format.timeOfDay(first),
            at: first.iso8601, causeLines: causeLines(marks, entries, group), marks: marks)
        return (model, max(x, headingEnd))
    }

    private func makeMark(_ entry: TimelineEntry, _ text: TimelineText, x: Int)
        -> TimelineModel.Mark
    {
        let event = entry.event
        let y = Self.laneYs[entry.lane]
        let duration = event.details["total"].flatMap { Double($0) }.map(Format.milliseconds) ?? ""
        let title = text.title(entry)
        let timing = text.timing(entry)
        let causeAndEffect = text.causeAndEffect(entry)
        return TimelineModel.Mark(
            id: String(event.id), shape: entry.shape, x: x, y: y, useX: x - 8, useY: y - 8,
            labelX: x + 10, labelY: y + 4, label: entry.label, href: event.href,
            restoreURL: Links.restore(app, event: event.id),
            accessibilityLabel: [title, duration, timing, causeAndEffect].filter { !$0.isEmpty }
                .joined(separator: ", "), title: title, duration: duration, timing: timing,
            causeAndEffect: causeAndEffect)
    }

    /// A line from each mark's cause. If the cause is in the group but has no mark, the group's
    /// first mark represents it.
    private func causeLines(
        _ marks: [TimelineModel.Mark], _ entries: [TimelineEntry], _ group: Timeline.Group
    ) -> [TimelineModel.CauseLine] {
        marks.indices.dropFirst().compactMap { index in
            guard let causeID = entries[index].causeID else { return nil }
            let to = marks[index]
            if let causeIndex = entries[..<index].firstIndex(where: { $0.event.id == causeID }) {
                return .init(d: causePath(from: marks[causeIndex], to: to))
            }
            guard group.events.contains(where: { $0.id == causeID }), marks[0].y != to.y else {
                return nil
            }
            return .init(d: causePath(from: marks[0], to: to))
        }
    }

    private func causePath(from: TimelineModel.Mark, to: TimelineModel.Mark) -> String {
        if from.y == to.y {
            // Above the labels of the lane.
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
