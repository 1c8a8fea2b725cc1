import FoundationEssentials
import Glibc
import Web

@testable import Backend

/// A request and its answer as a person reads them, kept in a file.
///
/// Whatever differs from run to run is replaced by a name: the first UUID is
/// `<uuid 1>`, and so on. `FOYER_RECORD=1` writes the files anew; look at
/// what changed before keeping it.
struct Transcript {
    let text: String

    init(title: String, _ request: Request, _ reply: Reply) {
        var lines = ["# \(title)", ""]
        lines.append("> \(request.method.rawValue) \(request.target)")
        for field in request.headers.fields { lines.append("> \(field.name): \(field.value)") }
        lines += Self.body(String(decoding: request.body, as: UTF8.self), mark: ">")
        lines += ["", "< \(reply.status)"]
        for field in reply.headers.fields { lines.append("< \(field.name): \(field.value)") }
        lines += Self.body(reply.text, mark: "<")
        text = Self.named(lines.joined(separator: "\n") + "\n")
    }

    /// Lines of a test's own.
    init(title: String, lines: [String]) {
        text = Self.named((["# \(title)", ""] + lines).joined(separator: "\n") + "\n")
    }

    /// A caught mail, as it would have left.
    init(title: String, mail: Mail) {
        var lines = ["# \(title)", ""]
        lines += mail.headers.map { "\($0.name): \($0.value)" }
        lines += ["", mail.text, mail.html]
        text = Self.named(lines.joined(separator: "\n"))
    }

    private static func body(_ text: String, mark: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return [mark]
            + text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? mark : "\(mark) \($0)"
            }
    }

    /// `text` with everything random replaced, equal things by equal names.
    private static func named(_ text: String) -> String {
        let random =
            #/
            (?<hash>(token=)?\b(pkce_)?[0-9a-f]{56}\b)
            | (?<chain>(refresh_token=)?\bA[\w\-]{45}\b)
            | (?<jwt>(access_token=)?eyJ[\w\-]+\.[\w\-]+\.[\w\-]+) | (?<refresh>rt_[\w\-]{20,})
            | (?<link>token=[\w\-]{43}) | (?<secret>value="[\w\-]{43}")
            | (?<uuid>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})
            | (?<coordinate>"[xy]":"[\w\-]{43}")
            | (?<hex>\b[0-9a-f]{64}\b) | (?<code>\b(?!000000)\d{6}\b)
            /#
        var names: [String: String] = [:]
        var counts: [String: Int] = [:]
        return withoutGoogleSecrets(text).replacing(random) { match in
            let found = String(match.output.0)
            if let name = names[found] { return name }
            let output = match.output
            let kind =
                output.jwt != nil
                ? "access token"
                : output.refresh != nil || output.hex != nil || output.chain != nil
                    ? "refresh token"
                    : output.link != nil || output.secret != nil || output.hash != nil
                        ? found.contains("pkce_") ? "pkce link token" : "link token"
                        : output.uuid != nil ? "uuid" : output.code != nil ? "code" : "coordinate"
            counts[kind, default: 0] += 1
            let name = "<\(kind) \(counts[kind] ?? 0)>"
            names[found] = name
            return name
        }
    }

    private static var folder: String {
        String(#filePath.dropLast("Transcript.swift".count)) + "Transcripts/"
    }

    /// The kept text of that name; records it first if asked to.
    func kept(as name: String) throws -> String {
        let path = Self.folder + name + ".txt"
        if getenv("FOYER_RECORD") != nil {
            let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            return "no transcript at \(path)"
        }
        return String(decoding: data, as: UTF8.self)
    }
}
