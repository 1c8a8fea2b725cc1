import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct CookiesTests {
    @Test func `all Cookie headers are read, and the first value of a name wins`() {
        let headers = Headers([
            .init(name: "cookie", value: "a=1; b=2=3;c = 4 ; ; =5; bare"),
            .init(name: "Cookie", value: "a=6; d="),
        ])
        let cookies = Cookies(headers)
        #expect(cookies["a"] == "1")
        #expect(cookies["b"] == "2=3")
        #expect(cookies["c"] == "4")
        #expect(cookies["d"] == "")
        #expect(cookies["bare"] == nil && cookies[""] == nil)
    }

    @Test func `a cookie is hidden from scripts and other sites`() {
        #expect(
            SetCookie("a", "b", maxAge: 60).headerValue
                == "a=b; Path=/; HttpOnly; SameSite=Strict; Max-Age=60")
    }
}
