/// What lies in the folders now: names, paths and stamps, nothing read.
struct Scan {
    private(set) var entries: [String: Disk.Entry] = [:]
    private(set) var unreadable: [TemplateError] = []

    /// A name in an earlier folder hides the same name in a later one.
    init(_ folders: [Templates.Folder]) {
        for folder in folders {
            guard let found = Disk.templates(in: folder.path) else {
                unreadable.append(
                    TemplateError(
                        file: folder.path, line: nil, column: nil,
                        detail: "the folder cannot be read"))
                continue
            }
            for entry in found {
                let name =
                    folder.prefix.isEmpty
                    ? entry.name : folder.prefix + "/" + entry.name
                if entries[name] == nil { entries[name] = entry }
            }
        }
    }
}
