import Support
import Testing
import Web

/// Access to the proxy from programs on this and other machines.
@Suite(.timeLimit(.minutes(10))) struct GuardProxyTests {
    private let fixture = GuardFixture()

    private func rejectionCode(
        _ segment: String = "main", key: String? = nil, peer: String = "192.168.1.20"
    ) async -> String? {
        var headers: Headers = ["Host": "127.0.0.1:7070"]
        headers["X-Foyer-Key"] = key
        let request = Request(
            method: .post, target: "/proxy/\(segment)/atlas/x", headers: headers, peer: peer)
        do {
            _ = try await fixture.accessGuard.authorize(request, proxySegment: segment)
            return nil
        } catch { return error.code }
    }

    @Test(arguments: [
        ("Authorization", "Bearer correct-key-of-16", ""),
        ("authorization", "bearer correct-key-of-16", ""),
        ("Authorization", "BEARER   correct-key-of-16", ""),
        ("Authorization", "correct-key-of-16", ""),
        // An empty user name and the key, as programs send a password.
        ("Authorization", "Basic OmNvcnJlY3Qta2V5LW9mLTE2", ""),
        ("apikey", "correct-key-of-16", ""),
        ("X-Own", "1", "?a=b&key=correct-key-of-16"),
        ("X-Own", "1", "?KEY=correct%2Dkey-of-16"),
        ("X-Own", "key=correct-key-of-16;x", ""),
        ("Referer", "http://127.0.0.1:7070/?key=correct-key-of-16", ""),
        ("X-Own", "correct%2Dkey-of-16", ""), ("X-Own", "1", "/correct-key-of-16/x?%"),
        ("X-Own", "1", "?correct-key-of-16"),
    ]) func `a proxied request that contains the console's key is rejected`(
        name: String, value: String, query: String
    ) async {
        let request = Request(
            method: .get, target: "/proxy/main/atlas/x" + query,
            headers: ["Host": "127.0.0.1:7070", name: value])
        await #expect {
            _ = try await fixture.accessGuard.authorize(request, proxySegment: "main")
        } throws: {
            ($0 as? Problem)?.code == "key-in-proxied-request"
        }
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"])
    func `a client on this machine needs no key`(_ peer: String) async {
        #expect(await rejectionCode(peer: peer) == nil)
    }

    @Test func `a wrong key is rejected from any machine`() async {
        for peer in ["127.0.0.1", "192.168.1.20"] {
            #expect(await rejectionCode(key: "guessed", peer: peer) == "wrong-key")
            #expect(await rejectionCode("main~guessed", peer: peer) == "wrong-key")
        }
    }

    @Test func `another machine needs the key or the secret URL`() async {
        #expect(await rejectionCode() == "key-needed")
        #expect(await rejectionCode(key: "correct-key-of-16") == nil)
        let secret = fixture.accessGuard.proxySecret(of: "main")
        #expect(await rejectionCode("main~\(secret)") == nil)
        #expect(await rejectionCode("other~\(secret)") == "wrong-key")
        #expect(await rejectionCode("main~") == "wrong-key")
    }
}
