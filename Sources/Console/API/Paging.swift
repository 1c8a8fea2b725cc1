import Web

/// `?after=…&limit=…`: keyset pagination, newest first.
struct Paging: Sendable {
    /// The cursor of the previous page's last item.
    let after: String?
    /// 1 … 500.
    let limit: Int

    /// The parameter names to allow in the query.
    static let parameterNames = ["after", "limit"]

    /// Parses the query, which may also contain `otherParameters` and nothing else.
    init(_ context: RequestContext, otherParameters: [String] = []) throws(Problem) {
        let query = try context.query(allowing: otherParameters + Self.parameterNames)
        after = query["after"]
        guard let text = query["limit"] else {
            limit = 50
            return
        }
        guard let limit = Int(text), (1...500).contains(limit) else {
            throw Problem.badParameter("limit", "must be 1 to 500, not \(text.prefix(20))")
        }
        self.limit = limit
    }

    /// The cursor as a sequence number.
    func sequence() throws(Problem) -> Int64? {
        guard let after else { return nil }
        guard let sequence = Int64(after), sequence > 0 else {
            throw Problem.badParameter("after", "is not a cursor; use \"next\" of a list")
        }
        return sequence
    }

    /// `isExact` is false for a total at which counting stopped.
    static func list(total: Int, isExact: Bool = true, _ items: [JSON], next: String?) -> JSON {
        [
            "total": JSON(total), "totalIsExact": .bool(isExact), "items": .array(items),
            "next": JSON(next),
        ]
    }
}

extension Problem {
    static func badParameter(_ name: String, _ detail: String) -> Problem {
        Problem(
            status: 400, code: "invalid-parameter", title: "Invalid query parameter",
            detail: "\(name) \(detail).", errors: [.init(pointer: "?\(name)", detail: detail)])
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case that a query parameter names; nil without the parameter.
    static func queryValue(_ name: String, in query: [String: String]) throws(Problem) -> Self? {
        guard let word = query[name] else { return nil }
        guard let value = Self(rawValue: word) else {
            let values = allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter(name, "must be one of \(values)")
        }
        return value
    }
}
