import Testing

/// Expects exit code 2 and one line on standard error that contains `words` and is no Swift error
/// description.
func expectRefusal(_ outcome: FoyerProcess.Outcome, _ words: String...) {
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome.errors)")
    #expect(!outcome.errors.contains("(kind:"), "\(outcome.errors)")
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
}
