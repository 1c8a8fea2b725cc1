import Backend
import FoundationEssentials
import Web

extension Mail {
    /// The list representation.
    var json: JSON { .object(jsonMembers) }

    /// The detail representation, with text, HTML and headers.
    var fullJSON: JSON {
        .object(
            jsonMembers + [
                .init("text", .string(text)), .init("html", .string(html)),
                .init(
                    "headers",
                    .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })),
            ])
    }

    private var jsonMembers: [JSON.Member] {
        [
            .init("id", .string(id)),
            .init("app", .string(app)),
            .init("to", .string(to)),
            .init("subject", .string(subject)),
            .init("purpose", .string(purpose)),
            .init("code", JSON(code)),
            .init("link", JSON(link)),
            .init("expiresAt", JSON(expiresAt?.iso8601)),
            .init("usedAt", JSON(usedAt?.iso8601)),
            .init("sentAt", .string(sentAt.iso8601)),
        ]
    }
}
