/// Links to the faults page and its actions.
extension Links {
    static let faults = "/conditions"
    /// POST: activates a preset.
    static let applyFaultPreset = "/conditions/set"
    /// POST: turns off all faults, or those of a preset.
    static let turnOffFaults = "/conditions/end"

    static func turnOffFault(_ id: String) -> String { "/conditions/\(id)/end" }
}
