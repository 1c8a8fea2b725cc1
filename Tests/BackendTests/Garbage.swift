/// Malformed and hostile request bodies.
enum Garbage {
    static func bytes(_ name: String) -> [UInt8]? { bodies.first { $0.name == name }?.bytes }

    static let bodies: [(name: String, bytes: [UInt8])] = [
        ("nothing", []),
        ("white space", Array("  \n ".utf8)),
        ("a number", Array("1".utf8)),
        ("null", Array("null".utf8)),
        ("an array", Array("[{}]".utf8)),
        ("half an object", Array(#"{"email":"#.utf8)),
        ("two objects", Array("{}{}".utf8)),
        (
            "invalid UTF-8",
            Array(#"{"email":""#.utf8) + [0xFF, 0xFE, 0x22, 0x7D]
        ),
        (
            "an overlong encoding",
            Array(#"{"email":""#.utf8) + [0xC0, 0x80, 0x22, 0x7D]
        ),
        ("UTF-16", Array("{}".utf16.flatMap { [UInt8($0 & 255), 0] })),
        ("a NUL byte", [0x7B, 0x00, 0x7D]),
        ("an escaped NUL", field(#""a\u0000@b.c""#)),
        ("half a surrogate", field(#""\ud800""#)),
        ("a number for text", field("17")),
        ("an object for text", field(#"{"$ne":null}"#)),
        ("a boolean", field("true")),
        ("nulls", field("null")),
        ("a huge number", field("1e999999")),
        (
            "a very long text",
            field("\"" + String(repeating: "x", count: 200_000) + "\"")
        ),
        ("SQL", field(#""' OR 1=1; DROP TABLE accounts; --""#)),
        ("HTML", field(#""<script>alert(1)</script>""#)),
        ("deep nesting", Array(String(repeating: "[", count: 100_000).utf8)),
        (
            "deep members",
            Array(
                (String(repeating: #"{"a":"#, count: 600) + "1" + String(repeating: "}", count: 600))
                    .utf8)
        ),
    ]

    /// `value` in every field an endpoint reads.
    private static func field(_ value: String) -> [UInt8] {
        let names = [
            "email", "password", "refresh_token", "device_id",
            "refreshToken", "firstName", "lastName", "first_name",
            "last_name", "phoneNumber", "verification_code", "code",
            "purpose", "oldPassword", "newPassword",
        ]
        let members = names.map { "\"\($0)\":\(value)" }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }
}
