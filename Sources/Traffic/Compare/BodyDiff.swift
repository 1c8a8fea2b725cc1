import Web

/// Two bodies compared: JSON place by place, any other text line by line.
enum BodyDiff {
    static func section(_ title: String, _ old: String?, _ new: String?) -> ExchangeDiff.Section {
        if let one = old.flatMap(flatten), let two = new.flatMap(flatten) {
            return ExchangeDiff.section(title, one, two)
        }
        return lineSection(title, lines(of: old), lines(of: new))
    }

    // MARK: JSON

    private static func flatten(_ text: String) -> [(String, String)]? {
        guard let json = try? JSONReader.read(Array(text.utf8)) else { return nil }
        switch json {
        case .object, .array: break
        default: return nil
        }
        var places: [(String, String)] = []
        collectValues(json, "", &places)
        return places
    }

    /// A body with more values is compared up to here.
    private static let maxValues = 5_000

    private static func collectValues(
        _ json: JSON, _ pointer: String, _ places: inout [(String, String)]
    ) {
        guard places.count < maxValues else { return }
        switch json {
        case .object(let members) where !members.isEmpty:
            for member in members {
                let name = member.name.replacing("~", with: "~0").replacing("/", with: "~1")
                collectValues(member.value, pointer + "/" + name, &places)
            }
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                collectValues(element, pointer + "/\(index)", &places)
            }
        default: places.append((pointer, json.description))
        }
    }

    // MARK: Text

    /// Longer texts are compared up to here: it costs their square.
    private static let maxLines = 1_000

    private static func lines(of text: String?) -> [Substring] {
        guard let text else { return [] }
        return Array(
            text.split(separator: "\n", omittingEmptySubsequences: false).prefix(maxLines))
    }

    private static func lineSection(_ title: String, _ old: [Substring], _ new: [Substring])
        -> ExchangeDiff.Section
    {
        var gone: [Int: Substring] = [:]
        var come: [Int: Substring] = [:]
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, let line, _): gone[offset] = line
            case .insert(let offset, let line, _): come[offset] = line
            }
        }
        var rows = gone.sorted { $0.key < $1.key }.map { offset, line in
            ExchangeDiff.Row(path: "line \(offset + 1)", old: String(line), new: nil)
        }
        for (offset, line) in come.sorted(by: { $0.key < $1.key }) {
            let path = "line \(offset + 1)"
            if let at = rows.firstIndex(where: { $0.path == path && $0.new == nil }) {
                rows[at].new = String(line)
            } else {
                rows.append(ExchangeDiff.Row(path: path, old: nil, new: String(line)))
            }
        }
        return ExchangeDiff.Section(
            title: title, rows: rows, unchangedCount: old.count - gone.count)
    }
}
