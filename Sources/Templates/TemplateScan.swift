/// What lies in the folders now: names, paths and facts, nothing read.
struct TemplateScan {
    private(set) var entries: [String: TemplateFinder.Entry] = [:]
    private(set) var folderErrors: [TemplateError] = []

    /// A name in an earlier folder hides the same name in a later one.
    init(_ folders: [Templates.Folder]) {
        for folder in folders {
            do {
                for entry in try TemplateFinder.templates(in: folder.path) {
                    let name = folder.prefix.isEmpty ? entry.name : folder.prefix + "/" + entry.name
                    if entries[name] == nil { entries[name] = entry }
                }
            } catch { folderErrors.append(error) }
        }
    }
}
