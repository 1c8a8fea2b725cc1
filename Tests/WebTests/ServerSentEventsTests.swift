import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct ServerSentEventsTests {
    private func text(_ data: String) -> String {
        String(
            decoding: ServerSentEvents.encode(id: "7", event: "mail", data: Array(data.utf8)),
            as: UTF8.self)
    }

    @Test func `an event has an id, a type and data`() {
        #expect(text("{}") == "id: 7\nevent: mail\ndata: {}\n\n")
    }

    @Test(arguments: ["a\nb", "a\rb", "a\r\nb"]) func `a line break cannot end an event`(
        _ data: String
    ) { #expect(text(data) == "id: 7\nevent: mail\ndata: a\ndata: b\n\n") }

    @Test func `an empty line stays part of the data`() {
        #expect(text("a\n\nid: 8") == "id: 7\nevent: mail\ndata: a\ndata: \ndata: id: 8\n\n")
    }
}
