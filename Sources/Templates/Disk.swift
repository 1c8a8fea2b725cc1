import Glibc

/// The two things asked of the file system: what is in a folder, and what is
/// in a file.
enum Disk {
    /// A template found below a folder, its name relative to it.
    struct Entry {
        var name: String
        var path: String
        var stamp: FileStamp
    }

    /// Deeper folders are not looked into: a link may lead in a circle.
    private static let depth = 8

    /// Every `*.mustache` below `folder`, nil if that cannot be read.
    static func templates(in folder: String) -> [Entry]? {
        var entries: [Entry] = []
        guard collect(folder, "", 0, &entries) else { return nil }
        return entries
    }

    private static func collect(
        _ folder: String, _ prefix: String, _ level: Int,
        _ entries: inout [Entry]
    ) -> Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        while let record = readdir(stream) {
            let name = withUnsafePointer(to: &record.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(cString: $0)
                }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder + "/" + name
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                if level < depth {
                    _ = collect(path, prefix + name + "/", level + 1, &entries)
                }
            } else if name.hasSuffix(".mustache") {
                entries.append(
                    Entry(
                        name: prefix + name.dropLast(9), path: path,
                        stamp: FileStamp(status)))
            }
        }
        return true
    }

    /// The whole file, nil if it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}

extension FileStamp {
    fileprivate init(_ status: stat) {
        self.init(
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec,
            size: Int(status.st_size), inode: UInt64(status.st_ino))
    }
}
