import Glibc
import Templates

/// A temporary folder of template files, deleted with this object.
final class TemplateFolder {
    let path: String

    init(_ files: [String: String] = [:], in parent: String = "/tmp") {
        var pattern = Array("\(parent)/foyer-templates-XXXXXX".utf8CString)
        precondition(mkdtemp(&pattern) != nil, "no temporary folder")
        path = pattern.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        for (name, text) in files { write(name, text) }
    }

    deinit {
        var paths: [String] = []
        collectPaths(path, &paths)
        for path in paths { remove(path) }
    }

    /// The templates of this folder, scanned again at each rendering.
    func templates(prefix: String = "") throws -> Templates {
        try Templates(folders: [.init(path: path, prefix: prefix)], interval: .zero)
    }

    /// Writes `<name>.mustache` and creates the folders it needs.
    func write(_ name: String, _ text: String) { write(name, bytes: Array(text.utf8)) }

    func write(_ name: String, bytes: [UInt8]) {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        let file = open("\(path)/\(name).mustache", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(file >= 0, "\(name) cannot be written")
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(file, $0.baseAddress, $0.count)
            }
            precondition(count > 0, "\(name) cannot be written")
            written += count
        }
        close(file)
    }

    func delete(_ name: String) { unlink("\(path)/\(name).mustache") }

    /// Sets the modification time of a path below the folder, in seconds since 1970.
    func setModificationTime(_ name: String, to seconds: Int) {
        let times = Array(repeating: timeval(tv_sec: seconds, tv_usec: 0), count: 2)
        precondition(utimes(path + name, times) == 0, "\(name) cannot be changed")
    }

    /// Appends the files and folders under `folder`, each folder after its contents.
    private func collectPaths(_ folder: String, _ paths: inout [String]) {
        guard let stream = opendir(folder) else { return }
        while let record = readdir(stream) {
            let name = withUnsafePointer(to: &record.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            if record.pointee.d_type == UInt8(DT_DIR) {
                collectPaths(folder + "/" + name, &paths)
            } else {
                paths.append(folder + "/" + name)
            }
        }
        closedir(stream)
        paths.append(folder)
    }
}

/// The output of the template `name`.
func rendered(
    _ templates: Templates, _ name: String, _ model: some Encodable, layout: String? = nil
) throws -> String {
    String(decoding: try templates.render(name, model, layout: layout), as: UTF8.self)
}

/// The output of `template` as the only template.
func rendered(_ template: String, _ model: some Encodable) throws -> String {
    let folder = TemplateFolder(["page": template])
    return try rendered(folder.templates(), "page", model)
}
