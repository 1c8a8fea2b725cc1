import FoundationEssentials

/// The project's own files, as they lie in the folder the tests were built in.
enum SourceTree {
    static let root: String = {
        // Tests/ArchitectureTests/House.swift
        #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    }()

    /// Every text file below `folder` whose name ends with `suffix`.
    static func files(_ folder: String, _ suffix: String = "") -> [SourceFile] {
        let base = root + "/" + folder
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: base)) ?? []
        return names.sorted().compactMap { name in
            guard name.hasSuffix(suffix), !isMade(name),
                let data = FileManager.default.contents(atPath: base + "/" + name),
                let text = String(data: data, encoding: .utf8)
            else { return nil }
            let path = folder.isEmpty ? name : folder + "/" + name
            return SourceFile(path: path, text: text)
        }
    }

    /// Built or fetched, not written.
    private static func isMade(_ path: String) -> Bool {
        path.split(separator: "/").contains { part in
            [".build", ".git", ".swiftpm", ".results", "__pycache__", ".venv"].contains(
                String(part))
        }
    }
}
