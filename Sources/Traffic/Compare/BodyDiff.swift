import Web

/// Compares two bodies: JSON value by value, any other text line by line.
enum BodyDiff {
    static func section(_ title: String, _ old: String?, _ new: String?) -> ExchangeDiff.Section {
        if let oldValues = old.flatMap(flatten), let newValues = new.flatMap(flatten) {
            return ExchangeDiff.section(title, oldValues, newValues)
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
        var values: [(String, String)] = []
        collectValues(json, "", &values)
        return values
    }

    /// Values beyond this number are not compared.
    private static let maxValues = 5_000

    private static func collectValues(
        _ json: JSON, _ pointer: String, _ values: inout [(String, String)]
    ) {
        guard values.count < maxValues else { return }
        switch json {
        case .object(let members) where !members.isEmpty:
            for member in members {
                let name = member.name.replacing("~", with: "~0").replacing("/", with: "~1")
                collectValues(member.value, pointer + "/" + name, &values)
            }
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                collectValues(element, pointer + "/\(index)", &values)
            }
        default: values.append((pointer, json.description))
        }
    }

    // MARK: Text

    /// Lines beyond this number are not compared: the cost is quadratic.
    private static let maxLines = 1_000

    private static func lines(of text: String?) -> [Substring] {
        guard let text else { return [] }
        return Array(text.split(separator: "\n", omittingEmptySubsequences: false).prefix(maxLines))
    }

    private static func lineSection(_ title: String, _ old: [Substring], _ new: [Substring])
        -> ExchangeDiff.Section
    {
        var removed: [Int: Substring] = [:]
        var inserted: [Int: Substring] = [:]
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, let line, _): removed[offset] = line
            case .insert(let offset, let line, _): inserted[offset] = line
            }
        }
        var rows = removed.sorted { $0.key < $1.key }.map { offset, line in
            ExchangeDiff.Row(path: "Line \(offset + 1)", old: String(line), new: nil)
        }
        for (offset, line) in inserted.sorted(by: { $0.key < $1.key }) {
            let path = "Line \(offset + 1)"
            if let index = rows.firstIndex(where: { $0.path == path && $0.new == nil }) {
                rows[index].new = String(line)
            } else {
                rows.append(ExchangeDiff.Row(path: path, old: nil, new: String(line)))
            }
        }
        return ExchangeDiff.Section(
            title: title, rows: rows, unchangedCount: old.count - removed.count)
    }
}
