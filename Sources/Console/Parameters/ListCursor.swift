import Core

/// A position in a list as text: a sequence number and, in a sorted list, the value of its item,
/// such as `128` or `128,3.1`.
struct ListCursor: Equatable, CustomStringConvertible {
    let sequence: Int64
    let sortValue: String?

    init(_ sequence: Int64, _ sortValue: String?) {
        self.sequence = sequence
        self.sortValue = sortValue
    }

    init?(_ text: String) {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let sequence = Int64(parts[0]), sequence > 0 else { return nil }
        self.init(sequence, parts.count > 1 ? String(parts[1]) : nil)
    }

    var description: String { "\(sequence)" + (sortValue.map { "," + $0 } ?? "") }
}

extension KeysetPage {
    var firstCursor: ListCursor? { first.map { ListCursor($0, firstSortValue) } }
    var lastCursor: ListCursor? { last.map { ListCursor($0, lastSortValue) } }
}
