import Testing

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct IndentedJSONTests {
    @Test func `members keep their order, one per line`() {
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

    @Test func `numbers, escapes and duplicate members are unchanged`() {
        let text = IndentedJSON.text(#"{"n":1.50e+3,"t":"\u00e9, {\"}","n":2}"#)
        #expect(text?.contains("1.50e+3") == true)
        #expect(text?.contains(#""\u00e9, {\"}""#) == true)
        #expect(text?.split(separator: "\"n\"").count == 3)
    }

    @Test func `empty objects and arrays stay on one line`() {
        #expect(IndentedJSON.text("[ ]") == "[]")
        #expect(IndentedJSON.text(#"{"a": { } }"#) == "{\n  \"a\": {}\n}")
    }

    @Test(arguments: ["", "hello", "3", "[1 2]", #"{"a":"#, #"{"a":1}}"#, "<html>", #""a string""#])
    func `text that is not a complete object or array is not formatted`(text: String) {
        #expect(IndentedJSON.text(text) == nil)
    }
}
