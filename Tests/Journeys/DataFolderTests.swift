import FoundationEssentials
import Glibc
import Support
import Testing

/// The data folder's keys, modes, owner and lock, at starts of real processes.
@Suite(.timeLimit(.minutes(10))) struct DataFolderTests {
    private func refusal(in scratch: TemporaryDirectory, preparation: String = ":") async throws
        -> FoyerProcess.Outcome
    {
        try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch,
            preparation: preparation)
    }

    /// A directory whose data folder foyer has created.
    private func usedDirectory() async throws -> TemporaryDirectory {
        let scratch = try TemporaryDirectory()
        #expect(try await FoyerProcess.start(in: scratch).stop() == 0)
        return scratch
    }

    private func mode(_ path: String) -> mode_t? {
        var fileStatus = stat()
        return stat(path, &fileStatus) == 0 ? fileStatus.st_mode & 0o777 : nil
    }

    private func keyPath(_ scratch: TemporaryDirectory) -> String { scratch.data + "/sealing.key" }

    @Test func `one of two concurrent first starts is refused and the other works`() async throws {
        for _ in 0..<4 {
            let scratch = try TemporaryDirectory()
            async let first = FoyerProcess.start(in: scratch)
            async let second = FoyerProcess.start(in: scratch)
            var started: [FoyerProcess] = []
            do { started.append(try await first) } catch is FoyerProcess.NotStarted {}
            do { started.append(try await second) } catch is FoyerProcess.NotStarted {}
            let running = try #require(started.first)
            #expect(started.count == 1)
            let line = scratch.read(scratch.errors)
            #expect(line.contains("in use by process \(running.pid)."), "\(line)")
            let key = running.key
            #expect(await running.stop() == 0)
            let again = try await FoyerProcess.start(in: scratch)
            #expect(again.key == key)
            #expect(await again.stop() == 0)
        }
    }

    @Test func `a process does not touch a data folder that another one uses`() async throws {
        let scratch = try TemporaryDirectory()
        let first = try await FoyerProcess.start(in: scratch)
        unlink(keyPath(scratch))
        let outcome = try await refusal(in: scratch)
        expectRefusal(outcome, "in use by process \(first.pid).")
        #expect(mode(keyPath(scratch)) == nil)
        #expect(await first.stop() == 0)
    }

    @Test(arguments: [
        (": > KEY", "is empty"),
        ("head -c 40 KEY > KEY.cut; mv KEY.cut KEY; chmod 600 KEY", "is damaged"),
        ("mv KEY KEY.moved; ln -s KEY.moved KEY", "is a symbolic link"),
        ("rm KEY; mkdir KEY", "is not a regular file"),
        ("rm KEY; mkfifo -m 600 KEY", "is not a regular file"), ("rm KEY", "is missing"),
    ]) func `an unusable sealing key is an error and is not replaced`(
        damage: String, words: String
    ) async throws {
        let scratch = try await usedDirectory()
        let outcome = try await refusal(
            in: scratch, preparation: damage.replacing("KEY", with: keyPath(scratch)))
        expectRefusal(outcome, keyPath(scratch), words)
        // The next start fails with the same error.
        expectRefusal(try await refusal(in: TemporaryDirectory(data: scratch.data)), words)
    }

    @Test func `a sealing key without read permission is an error and stays unchanged`()
        async throws
    {
        let scratch = try await usedDirectory()
        let before = scratch.read(keyPath(scratch))
        #expect(chmod(keyPath(scratch), 0) == 0)
        // As root, drops the capabilities that override file permissions.
        let outcome = try await refusal(
            in: scratch,
            preparation: "[ $(id -u) -ne 0 ] || exec setpriv --bounding-set "
                + "-dac_override,-dac_read_search \"$0\" \"$@\"")
        expectRefusal(outcome, keyPath(scratch), "Permission denied")
        #expect(chmod(keyPath(scratch), 0o600) == 0)
        #expect(scratch.read(keyPath(scratch)) == before)
        #expect(try await FoyerProcess.start(in: scratch).stop() == 0)
    }

    @Test func `a sealing key that does not match the data is refused`() async throws {
        let scratch = try await usedDirectory()
        let outcome = try await refusal(
            in: scratch, preparation: "printf %064d 7 > \(keyPath(scratch))")
        expectRefusal(outcome, "sealing.key is not the one")
    }

    @Test func `an empty console key is an error and a missing one is created`() async throws {
        let scratch = try await usedDirectory()
        let path = scratch.data + "/console.key"
        expectRefusal(
            try await refusal(in: scratch, preparation: ": > \(path)"), path, "is empty",
            "remove it")
        unlink(path)
        let foyer = try await FoyerProcess.start(in: scratch)
        #expect(scratch.read(path) == foyer.key)
        #expect(mode(path) == 0o600)
        #expect(await foyer.stop() == 0)
    }

    @Test func `a partial key file of a killed first start is discarded`() async throws {
        let scratch = try TemporaryDirectory()
        let foyer = try await FoyerProcess.start(
            in: scratch,
            preparation: "mkdir -m 700 \(scratch.data); echo 12 > \(keyPath(scratch)).new")
        #expect(await foyer.stop() == 0)
        #expect(mode(keyPath(scratch) + ".new") == nil)
        #expect(scratch.read(keyPath(scratch)).count == 64)
    }

    @Test func `file modes that let others read are tightened and logged`() async throws {
        let scratch = try await usedDirectory()
        #expect(chmod(keyPath(scratch), 0o644) == 0)
        #expect(chmod(scratch.data, 0o755) == 0)
        #expect(try await FoyerProcess.start(in: scratch).stop() == 0)
        #expect(mode(keyPath(scratch)) == 0o600)
        #expect(mode(scratch.data) == 0o700)
        let lines = scratch.read(scratch.errors).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("readable by others") })
    }

    @Test func `a data folder that others can write to is refused`() async throws {
        let scratch = try await usedDirectory()
        #expect(chmod(scratch.data, 0o770) == 0)
        expectRefusal(try await refusal(in: scratch), scratch.data, "writable by others")
        #expect(mode(scratch.data) == 0o770)
    }

    @Test func `a folder with unrelated files is refused and keeps its mode`() async throws {
        let scratch = try TemporaryDirectory()
        let outcome = try await refusal(
            in: scratch,
            preparation: "mkdir -m 755 \(scratch.data); touch \(scratch.data)/index.html")
        expectRefusal(outcome, scratch.data, "a separate folder")
        #expect(mode(scratch.data) == 0o755)
        #expect(mode(keyPath(scratch)) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a folder or key of another user is refused with the user's id`() async throws {
        let scratch = try await usedDirectory()
        #expect(chown(keyPath(scratch), 12_345, 0) == 0)
        expectRefusal(try await refusal(in: scratch), keyPath(scratch), "user 12345")
        #expect(chown(scratch.data, 12_345, 0) == 0)
        expectRefusal(
            try await refusal(in: TemporaryDirectory(data: scratch.data)),
            "the data folder \(scratch.data) belongs to user 12345")
    }

    @Test func `a closed standard stream is replaced by the null device`() async throws {
        let scratch = try TemporaryDirectory()
        let foyer = try await FoyerProcess.start(in: scratch, preparation: "exec <&- 2>&-")
        for descriptor in [0, 2] {
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(foyer.pid)/fd/\(descriptor)")
            #expect(target == "/dev/null")
        }
        #expect(await foyer.stop() == 0)
    }
}
