import Core
import FoundationEssentials
import Glibc
import Testing

/// Reading files from folders that other programs write to.
@Suite(.timeLimit(.minutes(10))) final class FolderReaderTests {
    private let base =
        FileManager.default.temporaryDirectory.path + "/folder-file-\(UUID().uuidString)"
    private var folder: String { base + "/apps" }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: base + "/apps/a/b", withIntermediateDirectories: true)
        try write("secret", "secret")
        try write("apps/a/b/file", "text")
    }

    deinit { try? FileManager.default.removeItem(atPath: base) }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: base + "/" + name))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/" + name, withDestinationPath: target)
    }

    private func readError(_ name: String, atMost limit: Int = 100) -> FolderReader.ReadError? {
        #expect(throws: FolderReader.ReadError.self) {
            try FolderReader.read(name, in: folder, atMost: limit)
        }
    }

    @Test func `a regular file is read completely`() throws {
        let long = String(repeating: "0123456789", count: 10_000)
        try write("apps/long", long)
        #expect(try FolderReader.read("a/b/file", in: folder, atMost: 4) == Array("text".utf8))
        #expect(try FolderReader.read("long", in: folder, atMost: 100_000) == Array(long.utf8))
        #expect(FolderReader.status("a/b/file", in: folder)?.kind == .file)
        #expect(FolderReader.status("a/b/file", in: folder)?.size == 4)
    }

    @Test func `the folder itself may be a symbolic link`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: base + "/named", withDestinationPath: folder)
        #expect(
            try FolderReader.read("a/b/file", in: base + "/named", atMost: 4) == Array("text".utf8))
        #expect(
            try FolderReader.read("file", in: base + "/named/a/b", atMost: 4) == Array("text".utf8))
    }

    @Test func `no symbolic link below the folder is followed`() throws {
        try link("out", to: "../secret")
        try link("inside", to: "a/b/file")
        try link("up", to: "..")
        try link("across", to: "a/b")
        try link("users", to: "/etc/passwd")
        try link("circle", to: "circle")
        for name in ["out", "inside", "users", "circle", "up/secret", "across/file"] {
            #expect(readError(name, atMost: 1 << 20) == .notRegular, "\(name)")
            #expect(FolderReader.status(name, in: folder)?.kind != .file)
        }
        #expect(readError("../secret") == .missing)
        #expect(readError("a/../../secret") == .missing)
        #expect(FolderReader.status("../secret", in: folder) == nil)
        #expect(FolderReader.status("across/file", in: folder) == nil)
    }

    @Test func `a device, a pipe or a folder is not opened`() throws {
        #expect(mkfifo(folder + "/pipe", 0o600) == 0)
        try link("zero", to: "/dev/zero")
        // Opening a pipe that has no writer would block.
        #expect(readError("pipe") == .notRegular)
        #expect(readError("zero") == .notRegular)
        #expect(readError("a") == .notRegular)
        #expect(
            #expect(throws: FolderReader.ReadError.self) {
                try FolderReader.read("zero", in: "/dev", atMost: 100)
            } == .notRegular)
    }

    @Test func `a file above the limit is refused even if its reported size is 0`() throws {
        #expect(readError("a/b/file", atMost: 3) == .tooLarge(3))
        // Files in `/proc` report a size of 0.
        #expect(
            #expect(throws: FolderReader.ReadError.self) {
                try FolderReader.read("self/status", in: "/proc", atMost: 10)
            } != nil)
        #expect(
            #expect(throws: FolderReader.ReadError.self) {
                try FolderReader.read("cpuinfo", in: "/proc", atMost: 10)
            } == .tooLarge(10))
    }

    @Test func `a file that does not exist is missing`() {
        #expect(readError("gone") == .missing)
        #expect(readError("gone/file") == .missing)
        #expect(readError("") == .missing)
        #expect(readError("a/b/file/x") == .notRegular)
    }
}
