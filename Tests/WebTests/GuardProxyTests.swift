import Support
import Testing
import Web

/// A program of another machine shows that it knows the console.
@Suite(.timeLimit(.minutes(10))) struct GuardProxyTests {
    private let door = GuardFixture()

    private func refusal(
        _ segment: String = "main", key: String? = nil, peer: String = "192.168.1.20"
    ) async -> String? {
        var headers: Headers = ["Host": "127.0.0.1:7070"]
        headers["X-Foyer-Key"] = key
        let request = Request(
            method: .post, target: "/through/\(segment)/atlas/x", headers: headers, peer: peer)
        do {
            _ = try await door.keeper.authorize(request, proxySegment: segment)
            return nil
        } catch { return error.code }
    }

    @Test(arguments: [
        ("Authorization", "Bearer correct-key-of-16", ""),
        ("authorization", "bearer correct-key-of-16", ""),
        ("Authorization", "BEARER   correct-key-of-16", ""),
        ("Authorization", "correct-key-of-16", ""),
        // `:` and the key, as programs send a password.
        ("Authorization", "Basic OmNvcnJlY3Qta2V5LW9mLTE2", ""),
        ("apikey", "correct-key-of-16", ""),
        ("X-Own", "1", "?a=b&key=correct-key-of-16"),
        ("X-Own", "1", "?KEY=correct%2Dkey-of-16"),
        ("X-Own", "key=correct-key-of-16;x", ""),
        ("Referer", "http://127.0.0.1:7070/?key=correct-key-of-16", ""),
        ("X-Own", "correct%2Dkey-of-16", ""), ("X-Own", "1", "/correct-key-of-16/x?%"),
        ("X-Own", "1", "?correct-key-of-16"),
    ]) func `the console's key goes no further, however it is shown`(
        name: String, value: String, query: String
    ) async {
        let request = Request(
            method: .get, target: "/through/main/atlas/x" + query,
            headers: ["Host": "127.0.0.1:7070", name: value])
        await #expect {
            _ = try await door.keeper.authorize(request, proxySegment: "main")
        } throws: {
            ($0 as? Problem)?.code == "key-on-its-way"
        }
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"])
    func `one of this machine needs nothing`(_ peer: String) async {
        #expect(await refusal(peer: peer) == nil)
    }

    @Test func `a wrong key is wrong wherever it comes from`() async {
        for peer in ["127.0.0.1", "192.168.1.20"] {
            #expect(await refusal(key: "guessed", peer: peer) == "wrong-key")
            #expect(await refusal("main~guessed", peer: peer) == "wrong-key")
        }
    }

    @Test func `another machine sends the key or knows the address`() async {
        #expect(await refusal() == "key-needed")
        #expect(await refusal(key: "correct-key-of-16") == nil)
        let secret = door.keeper.proxySecret(of: "main")
        #expect(await refusal("main~\(secret)") == nil)
        #expect(await refusal("other~\(secret)") == "wrong-key")
        #expect(await refusal("main~") == "wrong-key")
    }
}
