import FoundationEssentials
import Inspection
import Templates
import Web

extension TokenDiff {
    /// Two tokens compared claim by claim (`tokens/diff`), with the names of both.
    func model(before: String, after: String) -> TemplateModel {
        let counts = Kind.allCases.compactMap { kind in
            let count = count(kind)
            return count == 0 ? nil : "\(count) \(kind.rawValue)"
        }
        let shown = rows.prefix(Self.rowLimit)
        return [
            "summaryText": rows.isEmpty ? "Neither token is a JWT" : counts.joined(separator: ", "),
            "beforeName": before, "afterName": after,
            "diffRows": shown.filter { $0.kind != .unchanged }.map(\.model),
            // False if they cannot be compared.
            "isIdentical": !rows.isEmpty && count(.unchanged) == rows.count,
            "unchangedRows": shown.filter { $0.kind == .unchanged }.map(\.model),
        ]
    }

    /// A pasted token may have any number of claims.
    private static let rowLimit = 80
}

extension TokenDiff.Row {
    fileprivate var model: TemplateModel {
        func text(_ value: JSON?) -> String { value?.displayText.truncated(to: 200) ?? "–" }
        return [
            "name": name, "part": part, "kind": kind.rawValue, "before": text(before),
            "after": text(after), "beforeTime": time(before),
            "afterTime": time(after).map { $0 + timeDifference },
        ]
    }

    /// The time of a claim that is a time.
    private func time(_ value: JSON?) -> String? {
        guard ["iat", "nbf", "exp", "auth_time"].contains(name), part == "claims" else {
            return nil
        }
        return value?.dateFromSeconds.map(Format.dateTime)
    }

    /// `, 5 min later`; empty unless both are times.
    private var timeDifference: String {
        guard kind == .changed, let before = before?.dateFromSeconds,
            let after = after?.dateFromSeconds
        else { return "" }
        let difference = after.timeIntervalSince(before)
        return ", " + Format.duration(difference.magnitude)
            + (difference < 0 ? " earlier" : " later")
    }
}
