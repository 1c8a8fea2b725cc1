import Support
import Testing

@testable import Email

@Suite(.timeLimit(.minutes(10))) struct MailRecognitionTests {
    @Test(arguments: [
        ("Your code is 482913.", "482913"), ("482 913 is your verification code", "482913"),
        ("Enter this code:\n\n  4829\n\nIt is valid for 3600 seconds.", "4829"),
        ("Hi,\nuse 123-456 as your one-time password", "123456"),
        ("Dein Einmalcode: 12345678", "12345678"),
        ("Order #12345 shipped. Code: 778899", "778899"), ("Call +1 5551234 for help", nil),
        ("Copyright 2026 Code Ltd.", nil), ("Your invoice of 4500 EUR", nil),
        ("Your code is in https://example.com/code/123456", nil), ("Code 123456789", nil),
        ("The code is 12:3456 or 1,234", nil), ("Code support: call 0800 123456", nil),
        ("Order 123456789. Call 0800 123456. Your code: AB12-CD34", "AB12-CD34"),
        ("Your code is:\n\nA1B2C3\n\nBye", "A1B2C3"), ("Your promo code: SAVE2026", nil),
        ("Bestätigungscode: 99-88-77", "998877"), ("Dein Bestätigungscode: 482913", "482913"),
        ("Your code is VALID for 10 minutes: 778899", "778899"),
    ]) func `a code is 4 to 8 digits near a code word, or letters and digits after it`(
        text: String, code: String?
    ) {
        #expect(MailRecognition(subject: "Hello", text: text, html: "").code == code)
    }

    @Test(arguments: [
        (
            "Reset: http://127.0.0.1:8000/reset/MQ/cr4abc-8f0d3c0e6b4f4f0a9c/.",
            "http://127.0.0.1:8000/reset/MQ/cr4abc-8f0d3c0e6b4f4f0a9c/"
        ),
        (
            "(https://shop.example/users/confirmation?confirmation_token=abcDEF123456)",
            "https://shop.example/users/confirmation?confirmation_token=abcDEF123456"
        ),
        ("Visit https://shop.example/ or https://shop.example/terms", nil),
        (
            "https://shop.example/unsubscribe?token=abcdef1234567890 https://shop.example/verify/x",
            "https://shop.example/verify/x"
        ),
    ]) func `the link with a token is found`(text: String, link: String?) {
        #expect(MailRecognition(subject: "Hello", text: text, html: "").link == link)
    }

    @Test func `a link is found in HTML, where it is escaped`() {
        let html = """
            <html><head><title>Code 1111</title><style>p{color:#123456}</style></head><body>
            <a HREF='https://x.example/logo.png'>x</a><p>Code:</p><td>  654321 </td>
            <a href="https://x.example/auth/v1/verify?token=pkce_1&amp;type=recovery">Go</a>
            """
        let recognition = MailRecognition(subject: "Hi", text: "", html: html)
        #expect(recognition.link == "https://x.example/auth/v1/verify?token=pkce_1&type=recovery")
        #expect(recognition.purpose == "reset")
        #expect(recognition.code == "654321")
    }

    @Test(arguments: [
        ("Password reset on localhost", "", "reset"), ("Confirm your signup", "", "verify"),
        ("Your login code", "", "login"), ("You are invited", "", "invite"),
        ("Confirm change of email", "", "email change"),
        ("Welcome", "Please activate it", "verify"),
        ("News", "Nothing to do", "other"),
        ("Hello", "https://x.example/verify?token=abc&type=magiclink", "login"),
    ]) func `the purpose is recognized`(subject: String, text: String, purpose: String) {
        #expect(MailRecognition(subject: subject, text: text, html: "").purpose == purpose)
    }
}
