/// Where trouble on purpose is made and ended.
extension Links {
    static let conditions = "/conditions"
    /// POST: turns a named set on.
    static let turnOnSet = "/conditions/set"
    /// POST: ends all, or those of a set.
    static let endConditions = "/conditions/end"

    static func endCondition(_ id: String) -> String { "/conditions/\(id)/end" }
}
