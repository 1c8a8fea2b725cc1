import Testing

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct IndentedJSONTests {
    @Test func `members stay in the order sent, one to a line`() {
        #expect(
            IndentedJSON.text(#"{"z":1,"a":{"b":[true,null]}}"#) == """
                {
                  "z": 1,
                  "a": {
                    "b": [
                      true,
                      null
                    ]
                  }
                }
                """)
    }

    @Test func `numbers, escapes and repetitions are left as they were`() {
        let text = IndentedJSON.text(#"{"n":1.50e+3,"t":"\u00e9, {\"}","n":2}"#)
        #expect(text?.contains("1.50e+3") == true)
        #expect(text?.contains(#""\u00e9, {\"}""#) == true)
        #expect(text?.split(separator: "\"n\"").count == 3)
    }

    @Test func `what is empty stays on its line`() {
        #expect(IndentedJSON.text("[ ]") == "[]")
        #expect(IndentedJSON.text(#"{"a": { } }"#) == "{\n  \"a\": {}\n}")
    }

    @Test(arguments: ["", "hello", "3", "[1 2]", #"{"a":"#, #"{"a":1}}"#, "<html>", #""a string""#])
    func `what is no whole object or array is not touched`(text: String) {
        #expect(IndentedJSON.text(text) == nil)
    }
}
