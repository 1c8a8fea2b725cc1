import Web

/// The rows of a page, computed as PostgREST computes them from `limit`, `offset` and `Range`.
struct RowRange: Sendable, Equatable {
    private(set) var lower = 0
    /// The last row; nil without a limit. Below `lower` if there are no rows.
    private(set) var upper: Int?

    static let all = Self()
    private static let none = Self(lower: 0, upper: -1)

    private init(lower: Int = 0, upper: Int? = nil) { (self.lower, self.upper) = (lower, upper) }

    /// A text that is no number counts as absent. An offset alone may be negative.
    init(limit: String?, offset: String?) throws(RestFailure) {
        let page = Self(upper: try limit.flatMap(Self.number)?.decremented)
        guard let offset else {
            self = page
            return
        }
        let start = try Self.number(offset) ?? 0
        guard limit != nil else {
            self = Self(lower: start)
            return
        }
        self = Self(lower: start, upper: start.adding(page.count ?? 0).decremented)
    }

    /// The rows of a `Range` header: `0-9`, or `5-` up to the end. Any other text is ignored.
    init(header: String) {
        let ends = header.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, !ends[0].isEmpty, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
        else { return }
        lower = Int(ends[0]) ?? .max
        upper = ends[1].isEmpty ? nil : Int(ends[1]) ?? .max
    }

    private static func number(_ text: String) throws(RestFailure) -> Int? {
        let text = text.trimmingPrefix { $0 == " " }
        let digits = text.trimmingPrefix("-")
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        guard let number = Int(text) else {
            throw RestFailure(400, "22003", "value \"\(text)\" is out of range for type bigint")
        }
        return number
    }

    var count: Int? { upper.map { $0.adding(-lower).adding(1) } }

    private var isEmpty: Bool { upper.map { $0 < lower } ?? false }

    /// `limit=0` is the only empty page that is allowed.
    private var hasLimitZero: Bool { upper == -1 }

    /// The page that these parameters and a `Range` header describe together.
    func page(header: RowRange) throws(RestFailure) -> RowRange {
        if hasLimitZero { return .none }
        var page = self
        page.lower = max(lower, header.lower)
        page.upper = [upper, header.upper].compactMap(\.self).min()
        if isEmpty || header.isEmpty || page.isEmpty {
            throw .invalidRange(isReversed: header.isEmpty)
        }
        return page
    }
}

extension Int {
    fileprivate var decremented: Int { adding(-1) }

    /// The nearest number to a sum.
    fileprivate func adding(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
