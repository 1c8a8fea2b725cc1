import Testing

/// One line on standard error, nothing else, exit code 2; no error as Swift
/// prints it.
func expectRefusal(_ outcome: FoyerProcess.Outcome, _ words: String...) {
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome.errors)")
    #expect(!outcome.errors.contains("(kind:"), "\(outcome.errors)")
    for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
}
