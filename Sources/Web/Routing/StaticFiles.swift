package import FoundationEssentials
import Synchronization

/// The files of a folder, kept in memory and read again when they change.
package final class StaticFiles: Sendable {
    private let folder: String
    private let now: @Sendable () -> Date
    private let kept = Mutex<[String: Kept]>([:])

    private struct Kept {
        var bytes: [UInt8]
        var type: String
        var tag: String
        var modified: Date
        var size: Int
        var lookedAt: Date
    }

    /// How long a file is taken to be unchanged, in seconds.
    private static let patience = 0.2
    private static let sizeLimit = 4 << 20

    private static let types = [
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "ico": "image/x-icon", "woff2": "font/woff2",
        "json": "application/json", "txt": "text/plain; charset=utf-8",
        "html": "text/html; charset=utf-8",
    ]

    package init(folder: String, now: @escaping @Sendable () -> Date) {
        self.folder = folder
        self.now = now
    }

    /// The file at `path`, or nil if there is none to be had.
    ///
    /// `path` holds decoded segments of a `Target`: no dots, no slashes.
    package func answer(
        _ path: [String], to request: Request
    ) -> Response? {
        guard !path.isEmpty, !path.contains(where: { $0.hasPrefix(".") }),
            let file = file(path.joined(separator: "/"))
        else { return nil }
        let headers: Headers = [
            "ETag": file.tag, "Cache-Control": "no-cache",
            "Content-Type": file.type,
        ]
        if request.headers["If-None-Match"] == file.tag {
            return Response(status: 304, headers: headers)
        }
        return Response(
            status: 200, headers: headers, body: .bytes(file.bytes))
    }

    private func file(_ name: String) -> Kept? {
        let now = now()
        let known = kept.withLock { $0[name] }
        if let known, now.timeIntervalSince(known.lookedAt) < Self.patience,
            now >= known.lookedAt
        {
            return known
        }
        guard var fresh = read(name, known, now) else {
            kept.withLock { $0[name] = nil }
            return nil
        }
        fresh.lookedAt = now
        kept.withLock { $0[name] = fresh }
        return fresh
    }

    private func read(_ name: String, _ known: Kept?, _ now: Date) -> Kept? {
        let path = folder + "/" + name
        let manager = FileManager.default
        guard let facts = try? manager.attributesOfItem(atPath: path),
            // A link could lead out of the folder.
            facts[.type] as? FileAttributeType == .typeRegular,
            let size = facts[.size] as? Int, size <= Self.sizeLimit,
            let modified = facts[.modificationDate] as? Date
        else { return nil }
        if let known, known.size == size, known.modified == modified {
            return known
        }
        guard let data = manager.contents(atPath: path) else { return nil }
        let bytes = [UInt8](data)
        let kind = name.lastIndex(of: ".").map {
            String(name[name.index(after: $0)...])
        }
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Kept(
            bytes: bytes,
            type: kind.flatMap { Self.types[$0] } ?? "application/octet-stream",
            tag: "\"\(String(digest, radix: 36))\"", modified: modified,
            size: size, lookedAt: now)
    }
}
