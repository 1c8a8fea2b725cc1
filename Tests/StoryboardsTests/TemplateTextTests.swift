import Testing

@testable import Storyboards

/// The texts of a template.
@Suite(.timeLimit(.minutes(10))) struct TemplateTextTests {
    @Test func `a template's texts are its visible and accessible ones`() {
        let texts = TemplateTextReader.texts(
            of: """
                {{! a comment }}<!-- another -->
                <h1 class="name">Hello, {{user.name}}</h1>
                <svg><title>Drawn</title></svg>
                {{#held}}<p>Level {{level}}</p>{{/held}}<p>{{only}}</p>
                <img src="a.png" alt="A &amp; B" title="{{#on}}On{{/on}}{{^on}}Off{{/on}}">
                <p>One <b>two</b> · {{>screens/link}} three &lt;3</p>
                """)
        #expect(
            texts.map(\.text) == [
                "Hello, {user.name}", "Level {level}", "A & B", "On", "Off", "One", "two",
                "three <3",
            ])
        #expect(texts.map(\.line) == [2, 4, 5, 5, 5, 6, 6, 6])
        #expect(texts[2].attribute == "alt")
        #expect(texts[4].attribute == "title")
        #expect(texts[0].attribute == nil)
    }
}
