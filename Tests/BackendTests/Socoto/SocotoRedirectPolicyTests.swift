import Testing

@testable import Backend
@testable import BackendContracts

@Suite(.timeLimit(.minutes(10))) struct SocotoRedirectPolicyTests {
    private let redirect = RedirectPolicy(siteURL: "http://127.0.0.1:7071/main/socoto/site")

    @Test(arguments: [
        "http://127.0.0.1:7071/main/socoto/site", "http://127.0.0.1:3000",
        "http://localhost:3000/welcome?x=1#y", "https://localhost/",
        "http://socoto.localhost:8080/", "http://[::1]:3000/",
        "http://127.8.9.10/", "socoto://callback", "myapp:callback",
        "com.example.app://auth/done", "exp://x",
    ])
    func `the site, loopback hosts and app schemes are allowed`(_ url: String) {
        #expect(redirect.allows(url))
    }

    @Test(arguments: [
        "https://evil.example/", "http://localhost.evil.example/",
        "http://127.0.0.1.evil.example/", "http://127.0.0.1@evil.example/",
        "http://evil.example@127.0.0.1/", "http:\\\\evil.example",
        "http:/evil.example", "http:evil.example", "//evil.example/",
        "/relative", "", "javascript:alert(1)", "JaVaScript:alert(1)",
        "data:text/html,x", "file:///etc/passwd", "vbscript:x",
        "http://localhost:80x/", "http://127.0.0.1\\.evil.example/",
        "http://localhost\n.evil.example/", "http://127.1/", ":x",
        "http://[::1].evil.example/", "http://localhost:3000\r\nX: y",
        "http://0x7f.0.0.1/", "1http://localhost/",
    ])
    func `any other URL is not allowed`(_ url: String) {
        #expect(!redirect.allows(url))
    }

    @Test func `a query is appended and a fragment is replaced`() {
        #expect(
            RedirectPolicy.urlWithQuery("a://b?c=d#e", [("code", "f g")])
                == "a://b?c=d&code=f+g")
        #expect(
            RedirectPolicy.urlWithFragment("a://b?c=d#e", [("z", "1"), ("a", "&")])
                == "a://b?c=d#a=%26&z=1")
    }
}
