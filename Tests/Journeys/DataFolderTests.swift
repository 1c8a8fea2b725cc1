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

    /// A folder in which foyer was started once.
    private func used() async throws -> TemporaryDirectory {
        let scratch = try TemporaryDirectory()
        #expect(try await FoyerProcess.start(in: scratch).stop() == 0)
        return scratch
    }

    private func mode(_ path: String) -> mode_t? {
        var fileStatus = stat()
        return stat(path, &fileStatus) == 0 ? fileStatus.st_mode & 0o777 : nil
    }

    private func key(_ scratch: TemporaryDirectory) -> String { scratch.data + "/sealing.key" }

    @Test func `of two first starts at once one is refused and one stays whole`() async throws {
        for _ in 0..<4 {
            let scratch = try TemporaryDirectory()
            async let one = FoyerProcess.start(in: scratch)
            async let other = FoyerProcess.start(in: scratch)
            var started: [FoyerProcess] = []
            do { started.append(try await one) } catch is FoyerProcess.NotStarted {}
            do { started.append(try await other) } catch is FoyerProcess.NotStarted {}
            let survivor = try #require(started.first)
            #expect(started.count == 1)
            let line = scratch.read(scratch.errors)
            #expect(line.contains("in use by process \(survivor.pid)."), "\(line)")
            let key = survivor.key
            #expect(await survivor.stop() == 0)
            let again = try await FoyerProcess.start(in: scratch)
            #expect(again.key == key)
            #expect(await again.stop() == 0)
        }
    }

    @Test func `what one process uses the next does not even read`() async throws {
        let scratch = try TemporaryDirectory()
        let first = try await FoyerProcess.start(in: scratch)
        unlink(key(scratch))
        let outcome = try await refusal(in: scratch)
        expectRefusal(outcome, "in use by process \(first.pid).")
        #expect(mode(key(scratch)) == nil)
        #expect(await first.stop() == 0)
    }

    @Test(arguments: [
        (": > KEY", "is empty"),
        ("head -c 40 KEY > KEY.cut; mv KEY.cut KEY; chmod 600 KEY", "is damaged"),
        ("mv KEY KEY.moved; ln -s KEY.moved KEY", "is a link"),
        ("rm KEY; mkdir KEY", "is no regular file"),
        ("rm KEY; mkfifo -m 600 KEY", "is no regular file"), ("rm KEY", "is missing"),
    ]) func `a sealing key that cannot be had is an error and never made anew`(
        damage: String, words: String
    ) async throws {
        let scratch = try await used()
        let outcome = try await refusal(
            in: scratch, preparation: damage.replacing("KEY", with: key(scratch)))
        expectRefusal(outcome, key(scratch), words)
        // Told again as often as it is tried.
        expectRefusal(try await refusal(in: TemporaryDirectory(data: scratch.data)), words)
    }

    @Test func `a key that nobody may open is an error and stays`() async throws {
        let scratch = try await used()
        let before = scratch.read(key(scratch))
        #expect(chmod(key(scratch), 0) == 0)
        // Root without its right to open everything.
        let outcome = try await refusal(
            in: scratch,
            preparation: "[ $(id -u) -ne 0 ] || exec setpriv --bounding-set "
                + "-dac_override,-dac_read_search \"$0\" \"$@\"")
        expectRefusal(outcome, key(scratch), "Permission denied")
        #expect(chmod(key(scratch), 0o600) == 0)
        #expect(scratch.read(key(scratch)) == before)
        #expect(try await FoyerProcess.start(in: scratch).stop() == 0)
    }

    @Test func `another sealing key is told in a sentence`() async throws {
        let scratch = try await used()
        let outcome = try await refusal(
            in: scratch, preparation: "printf %064d 7 > \(key(scratch))")
        expectRefusal(outcome, "sealing.key is not the one")
    }

    @Test func `an empty console key is an error, a missing one is made`() async throws {
        let scratch = try await used()
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

    @Test func `what a killed first start left of a key is no key`() async throws {
        let scratch = try TemporaryDirectory()
        let foyer = try await FoyerProcess.start(
            in: scratch,
            preparation: "mkdir -m 700 \(scratch.data); echo 12 > \(key(scratch)).new")
        #expect(await foyer.stop() == 0)
        #expect(mode(key(scratch) + ".new") == nil)
        #expect(scratch.read(key(scratch)).count == 64)
    }

    @Test func `modes that let others read are narrowed and told`() async throws {
        let scratch = try await used()
        #expect(chmod(key(scratch), 0o644) == 0)
        #expect(chmod(scratch.data, 0o755) == 0)
        #expect(try await FoyerProcess.start(in: scratch).stop() == 0)
        #expect(mode(key(scratch)) == 0o600)
        #expect(mode(scratch.data) == 0o700)
        let lines = scratch.read(scratch.errors).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("could be read by others") })
    }

    @Test func `a folder that others may write in is refused`() async throws {
        let scratch = try await used()
        #expect(chmod(scratch.data, 0o770) == 0)
        expectRefusal(try await refusal(in: scratch), scratch.data, "others may write")
        #expect(mode(scratch.data) == 0o770)
    }

    @Test func `a folder of other things keeps its mode and is refused`() async throws {
        let scratch = try TemporaryDirectory()
        let outcome = try await refusal(
            in: scratch,
            preparation: "mkdir -m 755 \(scratch.data); touch \(scratch.data)/index.html")
        expectRefusal(outcome, scratch.data, "a folder of its own")
        #expect(mode(scratch.data) == 0o755)
        #expect(mode(key(scratch)) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a folder or key of another user is refused by name`() async throws {
        let scratch = try await used()
        #expect(chown(key(scratch), 12_345, 0) == 0)
        expectRefusal(try await refusal(in: scratch), key(scratch), "user 12345")
        #expect(chown(scratch.data, 12_345, 0) == 0)
        expectRefusal(
            try await refusal(in: TemporaryDirectory(data: scratch.data)),
            "the data folder \(scratch.data) belongs to user 12345")
    }

    @Test func `a closed standard stream is no socket's place`() async throws {
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
