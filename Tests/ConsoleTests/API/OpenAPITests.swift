import Console
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct OpenAPITests {
    @Test func `every route of the API is described`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        for route in fixture.site.routes
        where route.pattern.hasPrefix("/api/") && route.pattern != "/api/openapi.json" {
            let method = route.method.rawValue.lowercased()
            #expect(
                document["paths"]?[route.pattern]?[method]?["operationId"] != nil,
                "\(method) \(route.pattern)")
        }
    }

    @Test func `every referenced schema exists`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        let schemas = document["components"]?["schemas"]
        for name in references(document) { #expect(schemas?[name] != nil, "\(name)") }
    }

    private func references(_ json: JSON) -> Set<String> {
        switch json {
        case .object(let members):
            Set(
                members.flatMap { member -> Set<String> in
                    if member.name == "$ref", let target = member.value.string {
                        return [String(target.split(separator: "/").last ?? "")]
                    }
                    return references(member.value)
                })
        case .array(let elements): Set(elements.flatMap { references($0) })
        default: []
        }
    }
}
