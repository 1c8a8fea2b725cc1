import FoundationEssentials

/// The project's files, in the folder in which the tests were built.
enum SourceTree {
    static let root: String = {
        // Drops `Tests/ArchitectureTests/SourceTree.swift`.
        #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    }()

    /// Every text file in `folder` and its subfolders whose name ends with `suffix`.
    static func files(_ folder: String, _ suffix: String = "") -> [SourceFile] {
        let base = root + "/" + folder
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: base)) ?? []
        return names.sorted().compactMap { name in
            guard name.hasSuffix(suffix), !isGenerated(name),
                let data = FileManager.default.contents(atPath: base + "/" + name),
                let text = String(data: data, encoding: .utf8)
            else { return nil }
            let path = folder.isEmpty ? name : folder + "/" + name
            return SourceFile(path: path, text: text)
        }
    }

    /// Whether the file was built or downloaded.
    private static func isGenerated(_ path: String) -> Bool {
        path.split(separator: "/").contains { part in
            [".build", ".git", ".swiftpm", ".results", "__pycache__", ".venv"].contains(
                String(part))
        }
    }
}
