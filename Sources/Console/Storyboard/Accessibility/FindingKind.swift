/// What kind of obstacle is found on a screen, as its sheet is narrowed by it.
enum FindingKind: String, CaseIterable, Sendable {
    case name, target, text, edge
    case announcement = "told"

    /// `Targets under 44`.
    var label: String {
        switch self {
        case .name: "Names"
        case .target: "Targets under 44"
        case .text: "Text contrast"
        case .edge: "Edges and icons"
        case .announcement: "Announcements"
        }
    }
}
