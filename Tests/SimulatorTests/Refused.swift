import Testing
import Web

/// Expects `body` to throw a problem with this status and code, a title and a detail.
func refused(
    _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async {
    do {
        _ = try await body()
        Issue.record("no problem was thrown", sourceLocation: sourceLocation)
    } catch let problem as Problem {
        #expect(problem.status == status, sourceLocation: sourceLocation)
        #expect(problem.code == code, sourceLocation: sourceLocation)
        #expect(!problem.title.isEmpty, sourceLocation: sourceLocation)
        #expect(!problem.detail.isEmpty, sourceLocation: sourceLocation)
    } catch { Issue.record(error, sourceLocation: sourceLocation) }
}
