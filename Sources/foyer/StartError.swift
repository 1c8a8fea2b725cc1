import BrowserCapture
import Crypto
import HTTPServer
import SQLite
import Templates
import Web

/// Why Foyer cannot start: one line with the cause and how to fix it.
struct StartError: Error {
    let message: String

    init(_ line: String) { self.message = line }

    /// Converts an error of any module.
    init(_ error: any Error) {
        switch error {
        case let error as StartError: message = error.message
        case let error as ScreenshotError: message = Self.chromium(error).message
        case let error as DatabaseError: message = "\(error)."
        case let error as ServerError: message = error.detail
        case let error as CryptoError where error.kind == .wrongKey:
            message =
                "the data folder's sealing.key is not the one its databases were encrypted with, "
                + "or their contents were changed; restore its backup, or move the data folder "
                + "away to start over."
        case let error as CryptoError:
            message =
                "a key in the data folder's databases cannot be used (\(error.detail)); restore a "
                + "backup of the folder, or move it away to start over."
        case let error as TransportFailure:
            message = "the HTTP client cannot start: \(error.detail)."
        case let problem as Problem: message = "\(problem.title): \(problem.detail)"
        case let error as TemplateError:
            let position = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
            message = "\(error.file)\(position): \(error.detail)"
        default:
            // All expected errors are listed above; this one is missing.
            message = "unexpected error at start (\(type(of: error))); please report it."
        }
    }
}
