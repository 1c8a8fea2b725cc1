/// Where trouble on purpose is made and ended.
extension Links {
    static let faults = "/conditions"
    /// POST: turns a named set on.
    static let applyFaultPreset = "/conditions/set"
    /// POST: ends all, or those of a set.
    static let turnOffFaults = "/conditions/end"

    static func turnOffFault(_ id: String) -> String { "/conditions/\(id)/end" }
}
