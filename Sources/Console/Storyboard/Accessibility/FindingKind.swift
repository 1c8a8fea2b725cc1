/// The kind of an accessibility finding, by which the page is filtered.
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
