import Web

/// `?after=…&limit=…`: pages by key, newest first.
struct Paging: Sendable {
    /// The cursor of the last item seen.
    let after: String?
    /// 1 … 500.
    let limit: Int

    /// The names it reads, for the list of known query parameters.
    static let parameterNames = ["after", "limit"]

    /// Reads the query, which may hold `others` besides and nothing else.
    init(_ context: RequestContext, otherParameters: [String] = []) throws(Problem) {
        let query = try context.query(allowing: otherParameters + Self.parameterNames)
        after = query["after"]
        guard let text = query["limit"] else {
            limit = 50
            return
        }
        guard let limit = Int(text), (1...500).contains(limit) else {
            throw Problem.badParameter("limit", "is \(text.prefix(20)); it can be 1 to 500")
        }
        self.limit = limit
    }

    /// The cursor as the sequence it stands for.
    func sequence() throws(Problem) -> Int64? {
        guard let after else { return nil }
        guard let sequence = Int64(after), sequence > 0 else {
            throw Problem.badParameter("after", "is no cursor; take it from \"next\" of a list")
        }
        return sequence
    }

    /// `isWhole` is false for a total that stopped being counted.
    static func list(total: Int, isExact: Bool = true, _ items: [JSON], next: String?) -> JSON {
        [
            "total": JSON(total), "totalIsWhole": .bool(isExact), "items": .array(items),
            "next": JSON(next),
        ]
    }
}

extension Problem {
    static func badParameter(_ name: String, _ detail: String) -> Problem {
        Problem(
            status: 400, code: "invalid-parameter", title: "A query parameter is wrong",
            detail: "\(name) \(detail).", errors: [.init(pointer: "?\(name)", detail: detail)])
    }
}
