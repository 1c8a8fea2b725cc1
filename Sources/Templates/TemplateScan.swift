/// The templates in the folders by name, with their paths and file status; nothing is read.
struct TemplateScan {
    private(set) var entries: [String: TemplateFinder.Entry] = [:]
    private(set) var folderErrors: [TemplateError] = []

    /// An earlier folder takes precedence for duplicate names.
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
