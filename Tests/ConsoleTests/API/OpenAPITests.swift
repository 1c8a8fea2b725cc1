import Console
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct OpenAPITests {
    @Test func `every route of the API is described`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        for route in fixture.site.routes
        where route.pattern.hasPrefix("/api/")
            && !["/api/openapi.json", "/api/docs"].contains(route.pattern)
        {
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

    @Test func `every field has a description, and every value an example`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        for (name, field) in fields(document, at: "") {
            #expect(field["description"] != nil, "\(name)")
            let type = field["type"]?.string ?? field["type"]?[0]?.string
            let hasParts =
                field["$ref"] != nil || field["anyOf"] != nil || field["enum"] != nil
                || type == "object"
                || field["items"]?["type"]?.string != "string" && type == "array"
            #expect(hasParts || field["examples"]?[0] != nil, "\(name)")
        }
    }

    @Test func `every operation has a tag that is described`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        let tags = (document["tags"]?.elements ?? []).map { $0["name"] }
        guard case .object(let paths)? = document["paths"] else { return }
        for path in paths {
            guard case .object(let operations) = path.value else { continue }
            for operation in operations {
                #expect(tags.contains(operation.value["tags"]?[0]), "\(path.name)")
            }
        }
        #expect(document["paths"]?["/api/devices"]?["get"]?["tags"] == ["devices"])
    }

    @Test func `the page of a list is a named schema`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        let schemas = document["components"]?["schemas"]
        for name in [
            "Account", "Device", "Exchange", "Fault", "Mail", "Session", "Snapshot", "Text",
        ] {
            #expect(schemas?[name + "List"]?["properties"]?["items"] != nil, "\(name)")
        }
    }

    @Test func `every JSON response and every enumeration of a type has a name`() async throws {
        let fixture = try await FoyerFixture()
        let document = await fixture.ask(.get, "/api/openapi.json").json
        for path in document["paths"]?.members ?? [] {
            for operation in path.value.members {
                for response in operation.value["responses"]?.members ?? [] {
                    let schema = response.value["content"]?["application/json"]?["schema"]
                    #expect(
                        schema == nil || schema?["$ref"] != nil || schema?["anyOf"] != nil,
                        "\(operation.name) \(path.name)")
                }
            }
        }
        let schemas = document["components"]?["schemas"]
        #expect(schemas?["DeviceSize"]?["enum"]?.elements.contains("iphone15") == true)
        #expect(
            schemas?["Exchange"]?["properties"]?["cause"]?["$ref"]
                == "#/components/schemas/ExchangeCause")
    }

    @Test func `the document is readable without a key`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.site.responder(
            Request(
                method: .get, target: "/api/openapi.json", headers: ["Host": "127.0.0.1:7070"]))
        #expect(response.status == 200)
    }

    /// The fields of all schemas, by path.
    private func fields(_ json: JSON, at path: String) -> [(String, JSON)] {
        switch json {
        case .object(let members):
            members.flatMap { member -> [(String, JSON)] in
                let path = "\(path)/\(member.name)"
                let nested = fields(member.value, at: path)
                guard member.name == "properties", case .object(let fields) = member.value else {
                    return nested
                }
                return fields.map { ("\(path)/\($0.name)", $0.value) } + nested
            }
        case .array(let elements): elements.flatMap { fields($0, at: path) }
        default: []
        }
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
