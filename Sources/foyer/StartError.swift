import Darkroom
import HTTPServer
import SQLite
import Secrets
import Templates
import Web

/// Why Foyer cannot start: one line that says what and how to mend it.
struct StartError: Error {
    let line: String

    init(_ line: String) { self.line = line }

    /// In the words of whatever refused.
    init(_ error: any Error) {
        switch error {
        case let error as StartError: line = error.line
        case let error as CameraError: line = Self.chromium(error).line
        case let error as DatabaseError: line = "\(error)."
        case let error as ServerError: line = error.detail
        case let error as SecretsError where error.kind == .wrongKey:
            line =
                "the data folder's sealing.key is not the one its databases "
                + "were sealed with, or what they hold was changed; put its "
                + "backup back, or move the data folder away to start anew."
        case let error as SecretsError:
            line =
                "a key in the data folder's databases cannot be used "
                + "(\(error.detail)); put a backup of the folder back, or "
                + "move it away to start anew."
        case let error as TransportFailure: line = "the HTTP client cannot start: \(error.detail)."
        case let problem as Problem: line = "\(problem.title): \(problem.detail)"
        case let error as TemplateError:
            let place = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
            line = "\(error.file)\(place): \(error.detail)"
        default:
            // Every error has its words above: this one's are missing.
            line =
                "an error without words ended the start (\(type(of: error))); "
                + "please report it."
        }
    }
}
