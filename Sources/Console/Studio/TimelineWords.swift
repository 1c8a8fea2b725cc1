import FoundationEssentials
import Surroundings

/// What the timeline's pop-over says of a mark: what it was, because of what,
/// and what came of it.
struct TimelineWords {
    /// Of one burst, oldest first.
    let drafts: [TimelineDraft]
    /// The base of the app's calls: paths are told below it.
    let base: String

    /// `POST /auth/refresh 200`.
    func what(_ draft: TimelineDraft) -> String {
        let event = draft.event
        guard event.kind == .exchange else { return draft.count > 1 ? counted(draft) : event.title }
        return [call(event), draft.label].joined(separator: " ")
    }

    /// `silent refresh, 14:34:50.122`.
    func when(_ draft: TimelineDraft) -> String {
        let event = draft.event
        let cause = event.facts["cause"].map { $0 == "refresh" ? "silent refresh" : $0 }
        return [cause, Words.momentMilliseconds(event.at)].compactMap(\.self).joined(
            separator: ", ")
    }

    /// `Because GET /auth/me was refused. Then 2 items stored.`
    func then(_ draft: TimelineDraft) -> String {
        if draft.event.kind == .conditionApplied,
            let struck = drafts.first(where: { $0.event.id == draft.cause })
        {
            return "Struck \(call(struck.event))."
        }
        var sentences: [String] = []
        if let id = draft.cause, let cause = drafts.first(where: { $0.event.id == id }) {
            sentences.append("Because " + because(cause) + ".")
        }
        let effects = drafts.filter { $0.cause == draft.event.id }.map(effect)
        if !effects.isEmpty { sentences.append("Then " + effects.joined(separator: " and ") + ".") }
        return sentences.joined(separator: " ")
    }

    private func because(_ cause: TimelineDraft) -> String {
        switch cause.event.kind {
        case .exchange:
            call(cause.event) + (cause.shape == .refused ? " was refused" : " was answered")
        case .screen: "\(cause.label) was shown"
        default: cause.event.title
        }
    }

    private func effect(_ draft: TimelineDraft) -> String {
        switch draft.event.kind {
        case .exchange:
            call(draft.event) + (draft.event.facts["cause"] == "retry" ? " sent again" : " sent")
        case .screen: "\(draft.label) shown"
        case .stored, .forgotten: counted(draft)
        case .mail: "a mail caught"
        case .mailUsed: "a mail used"
        case .conditionApplied: "struck by \(draft.event.title)"
        default: draft.event.title
        }
    }

    private func counted(_ draft: TimelineDraft) -> String {
        Words.count(draft.count, "item") + (draft.event.kind == .forgotten ? " deleted" : " stored")
    }

    private func call(_ event: Event) -> String {
        let method = event.facts["method"] ?? ""
        let path = event.facts["path"] ?? event.title
        return method + " " + Words.path(path, below: base)
    }
}
