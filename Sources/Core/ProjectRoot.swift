import Glibc

/// Finds the folder that holds `templates/` and `Public/`.
package enum ProjectRoot {
    /// The nearest ancestor of `start` that holds both folders, or nil.
    ///
    /// Called with the executable's folder and the working directory, so that both `swift run` and
    /// an installed binary beside its files find it.
    package static func find(from start: String) -> String? {
        var folder = start
        while !folder.isEmpty {
            if isFolder(folder + "/templates"), isFolder(folder + "/Public") { return folder }
            guard let slash = folder.lastIndex(of: "/") else { return nil }
            folder = String(folder[..<slash])
        }
        return nil
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
