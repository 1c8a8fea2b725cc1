import Core
import Web

/// `?after=…&limit=…`: keyset pagination, newest first.
struct Paging: Sendable {
    /// The cursor of the previous page's last item.
    let after: String?
    /// 1 … 500.
    let limit: Int

    init(_ query: inout QueryReader) {
        after = query.string("after", "\"next\" of the previous page.")
        limit =
            query.value(
                "limit", "Page size; 50 by default.", schema: Schema.integer(in: 1...500),
                rule: "must be 1 to 500"
            ) { Int($0).flatMap { (1...500).contains($0) ? $0 : nil } } ?? 50
    }

    /// The page, of a list whose cursors are sequence numbers.
    func keyset() throws(Problem) -> Keyset {
        guard let after else { return Keyset(limit: limit) }
        guard let sequence = Int64(after), sequence > 0 else {
            throw Problem.badParameter("after", "is not a cursor; use \"next\" of a list")
        }
        return Keyset(before: sequence, limit: limit)
    }
}

extension Problem {
    static func badParameter(_ name: String, _ detail: String) -> Problem {
        .invalidParameters([.init(pointer: "?\(name)", detail: detail)])
    }
}
