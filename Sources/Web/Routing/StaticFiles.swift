import Core
package import FoundationEssentials
import Glibc
import Synchronization

/// Serves the files of a folder from a cache that is refreshed when they change.
package final class StaticFiles: Sendable {
    private let folder: String
    private let generated: [String: [UInt8]]
    private let now: @Sendable () -> Date
    private let cache = Mutex<[String: CachedFile]>([:])

    private struct CachedFile {
        var bytes: [UInt8]
        var contentType: String
        var etag: String
        /// Nil for a generated file.
        var status: FileStatus?
        var checkedAt: Date
    }

    /// How long a file is assumed unchanged, in seconds.
    private static let recheckInterval = 0.2
    /// In bytes; larger files are not served.
    package static let sizeLimit = 4 << 20
    /// In bytes, of all files; the cache is emptied when it would exceed this.
    private static let cacheLimit = 64 << 20

    private static let contentTypes = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
        "ico": "image/x-icon", "woff2": "font/woff2", "woff": "font/woff", "ttf": "font/ttf",
        "otf": "font/otf", "avif": "image/avif", "json": "application/json",
        "txt": "text/plain; charset=utf-8", "py": "text/x-python; charset=utf-8",
        "ts": "text/typescript; charset=utf-8",
    ]

    /// Whether `name` is that of a style sheet, an image or a font.
    package static func isStyleAsset(_ name: String) -> Bool {
        guard let type = contentType(of: name) else { return false }
        return ["text/css", "image/", "font/"].contains { type.hasPrefix($0) }
    }

    package static func contentType(of name: String) -> String? {
        name.lastIndex(of: ".").flatMap {
            contentTypes[name[name.index(after: $0)...].lowercased()]
        }
    }

    /// `generated`: contents of further files, by their paths in the folder.
    package init(
        folder: String, generated: [String: [UInt8]] = [:], now: @escaping @Sendable () -> Date
    ) {
        self.folder = folder
        self.generated = generated
        self.now = now
    }

    /// The file at `path`, or nil if it does not exist or cannot be read.
    ///
    /// `path` holds decoded segments of a `RequestTarget`: no dots, no slashes.
    package func response(_ path: [String], to request: Request) -> Response? {
        guard let file = cachedFile(path) else { return nil }
        return response([file], tag: file.etag, to: request)
    }

    /// The concatenated files at `paths` as one response, with the type of the first; missing files
    /// are skipped. Nil if all are missing.
    package func joinedResponse(_ paths: [[String]], to request: Request) -> Response? {
        let files = paths.compactMap(cachedFile)
        guard !files.isEmpty else { return nil }
        return response(files, tag: Self.etag(files.flatMap { Array($0.etag.utf8) }), to: request)
    }

    private func response(_ files: [CachedFile], tag: String, to request: Request) -> Response {
        let headers: Headers = [
            "ETag": tag, "Cache-Control": "no-cache", "Content-Type": files[0].contentType,
        ]
        if Self.etagMatches(request.headers["If-None-Match"], tag) {
            return Response(status: 304, headers: headers)
        }
        let bytes = files.count == 1 ? files[0].bytes : Array(files.map(\.bytes).joined())
        return Response(status: 200, headers: headers, body: .bytes(bytes))
    }

    /// Whether a list of tags, weak or not, contains `tag` (RFC 9110, 13.1.2).
    private static func etagMatches(_ list: String?, _ tag: String) -> Bool {
        guard let list else { return false }
        if list == tag || list == "*" { return true }
        return list.utf8.split(separator: UInt8(ascii: ",")).contains {
            var candidate = Substring($0).drop { $0 == " " }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate.prefix { $0 != " " } == tag
        }
    }

    private func cachedFile(_ path: [String]) -> CachedFile? {
        guard !path.isEmpty, !path.contains(where: { $0.utf8.first == UInt8(ascii: ".") }) else {
            return nil
        }
        let name = path.joined(separator: "/")
        let now = now()
        let cached = cache.withLock { $0[name] }
        if let cached, now.timeIntervalSince(cached.checkedAt) < Self.recheckInterval,
            now >= cached.checkedAt
        {
            return cached
        }
        guard var file = readFile(name, cached, now) else {
            cache.withLock { $0[name] = nil }
            return nil
        }
        file.checkedAt = now
        cache.withLock { files in
            let otherBytes = files.reduce(0) { $1.key == name ? $0 : $0 + $1.value.bytes.count }
            if otherBytes + file.bytes.count > Self.cacheLimit { files = [:] }
            files[name] = file
        }
        return file
    }

    private func readFile(_ name: String, _ cached: CachedFile?, _ now: Date) -> CachedFile? {
        let fileStatus = generated[name] == nil ? FolderReader.status(name, in: folder) : nil
        guard generated[name] != nil || fileStatus?.kind == .file else { return nil }
        if let cached, cached.status == fileStatus { return cached }
        guard
            let bytes = try? generated[name]
                ?? FolderReader.read(name, in: folder, atMost: Self.sizeLimit)
        else { return nil }
        return CachedFile(
            bytes: bytes, contentType: Self.contentType(of: name) ?? "application/octet-stream",
            etag: Self.etag(bytes), status: fileStatus, checkedAt: now)
    }

    private static func etag(_ bytes: [UInt8]) -> String { "\"\(digest(bytes))\"" }

    /// A digest of the content (FNV-1a), to detect changes.
    package static func digest(_ bytes: [UInt8]) -> String {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(digest, radix: 36)
    }
}

/// Replaces a file's content atomically.
///
/// Writes a temporary file in the same folder, syncs it, and renames it over the target (rename(2):
/// every reader sees either the new file or the old one). The file keeps its permissions.
package enum AtomicWrite {
    /// Returns whether it succeeded; on failure the file is untouched.
    package static func write(_ bytes: [UInt8], to path: String) -> Bool {
        var fileStatus = stat()
        let exists = unsafe stat(path, &fileStatus) == 0
        let mode = exists ? fileStatus.st_mode & 0o777 : 0o644
        var template = Array("\(path).foyer-XXXXXX".utf8CString)
        return unsafe template.withUnsafeMutableBufferPointer { template in
            guard let name = template.baseAddress else { return false }
            // mkstemp(3) fills in an unused name and creates the file.
            let descriptor = unsafe mkstemp(name)
            guard descriptor >= 0 else { return false }
            let isWritten =
                fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
                && FileWriting.writeAll(bytes, to: descriptor) == nil
                && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
            close(descriptor)
            guard isWritten, unsafe rename(name, path) == 0 else {
                _ = unsafe unlink(name)
                return false
            }
            return true
        }
    }
}
