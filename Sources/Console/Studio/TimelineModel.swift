import Core
import FoundationEssentials
import Templates
import Web

/// The newest events in four lanes, as groups with the pauses between them.
///
/// The drawing is 126 px high; coordinates are px. Lanes: screens at y 39, calls 61, storage 83,
/// mail 105. If the drawing is wider than its container, the newest end is visible. A mark is 10 px
/// across; its label starts 10 px to the right of its center.
struct TimelineModel: Encodable, Sendable {
    /// The width of the drawing; at least the end of the newest group.
    var width: Int
    /// The highlight behind the newest group; nil without events.
    var newestHighlight: TemplateModel?
    var gaps: [Gap] = []
    /// Oldest first.
    var groups: [Group] = []

    struct Gap: Encodable, Sendable {
        /// The dotted line, and the center of the text above it.
        var x: Int
        /// `39 s`.
        var text: String
    }

    struct Group: Encodable, Sendable {
        var isNewest: Bool
        /// The start of the title; the center of the first mark is 6 px further.
        var x: Int
        /// `Relaunch`.
        var title: String
        /// `14:34:50`, and ISO 8601.
        var time: String
        var at: String
        /// Lines from causes to effects, as SVG path data: from 9 px beside one mark to 11 px
        /// before the next, with corners of radius 6: `M693 48V55a6 6 0 0 0 6 6H745`.
        var causeLines: [String]
        /// In causal order.
        var marks: [Mark]
    }

    struct Mark: Encodable, Sendable {
        /// The event's id.
        var id: String
        var shape: Shape
        /// The center.
        var x: Int
        var y: Int
        /// `splash`, `401`, `2`, `mail`.
        var label: String
        /// The page with the details: an exchange, a mail, a session.
        var href: String
        /// The event's own page.
        var eventURL: String
        /// The confirmation for restoring the device to this event.
        var restoreURL: String
        /// First line of the popover: `POST /auth/refresh 200`.
        var title: String
        /// End of the first line: `6.4 ms`; nil if it is no request.
        var duration: String?
        /// Second line: `Silent refresh, 14:34:50.122`.
        var timing: String
        /// Last line: the cause and the effects; nil if neither is known.
        var causeAndEffect: String?
    }

    /// A symbol `mark-<shape>` of `icons.svg`.
    enum Shape: String, Encodable, Sendable {
        case screen, current, call, failed, storage, mail, fault
    }
}

// MARK: Layout

extension TimelineModel {
    private static let laneYs = [39, 61, 83, 105]

    /// Lays out the newest groups of an app on a device, and the newest marks of each.
    init(_ timeline: [TimelineGroup], links: StudioLinks, groupLimit: Int = 8, markLimit: Int = 14)
    {
        let shownGroups = timeline.suffix(groupLimit)
        var x = 16
        var previousEnd: Date?
        for var group in shownGroups {
            if let previousEnd {
                let interval = group.events[0].at.timeIntervalSince(previousEnd)
                if interval >= 1 {
                    gaps.append(Gap(x: x + 16, text: Format.duration(interval)))
                    x += 48
                } else {
                    x += 20
                }
            }
            previousEnd = group.events.last?.at
            group.entries = group.entries.suffix(markLimit)
            let isNewest = groups.count == shownGroups.count - 1
            let (model, end) = Self.layOut(group, links, from: x, isNewest: isNewest)
            groups.append(model)
            x = end
        }
        width = max(x + 16, 320)
        newestHighlight = groups.last.map { group in
            // The rectangle has an outline.
            ["x": group.x - 8, "width": x - group.x + 8, "rectWidth": x - group.x + 7]
        }
    }

    private static func layOut(
        _ group: TimelineGroup, _ links: StudioLinks, from start: Int, isNewest: Bool
    ) -> (Group, end: Int) {
        var x = start + 6
        let marks = group.entries.map { entry in
            defer { x += 34 + entry.label.count * 6 }
            let event = entry.event
            return Mark(
                id: String(event.id), shape: entry.shape, x: x, y: laneYs[entry.lane],
                label: entry.label, href: event.href, eventURL: Links.event(event.id),
                restoreURL: links.restore(event: event.id), title: group.title(of: entry),
                duration: event.details["total"].flatMap { Double($0) }.map(Format.milliseconds),
                timing: group.timing(of: entry), causeAndEffect: group.causeAndEffect(of: entry))
        }
        let headingEnd = start + group.title.count * 7 + 72
        let first = group.events[0].at
        let model = Group(
            isNewest: isNewest, x: start, title: group.title, time: Format.timeOfDay(first),
            at: first.iso8601, causeLines: causeLines(marks, group), marks: marks)
        return (model, max(x, headingEnd))
    }

    /// A line from each mark's cause. If the cause is in the group but has no mark, the group's
    /// first mark represents it.
    private static func causeLines(_ marks: [Mark], _ group: TimelineGroup) -> [String] {
        let entries = group.entries
        return marks.indices.dropFirst().compactMap { index in
            guard let causeID = entries[index].causeID else { return nil }
            let to = marks[index]
            if let causeIndex = entries[..<index].firstIndex(where: { $0.event.id == causeID }) {
                return causePath(from: marks[causeIndex], to: to)
            }
            guard group.events.contains(where: { $0.id == causeID }), marks[0].y != to.y else {
                return nil
            }
            return causePath(from: marks[0], to: to)
        }
    }

    private static func causePath(from: Mark, to: Mark) -> String {
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
