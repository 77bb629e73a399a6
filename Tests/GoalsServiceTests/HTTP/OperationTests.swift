import Testing

@testable import GoalsService

@Suite("An operation") struct OperationTests {
  @Test("has its name, method and path in openapi.yaml, and the other way round")
  func isDescribed() throws {
    let described = OpenAPI(try OpenAPI.file()).entries
    let served = Operation.allCases.map {
      OpenAPI.Entry(method: $0.endpoint.method.rawValue, path: $0.endpoint.path, id: $0.rawValue)
    }
    #expect(described.count > 0, "openapi.yaml describes nothing that could be read here")
    #expect(Set(served).subtracting(described) == [], "served, and not described")
    #expect(Set(described).subtracting(served) == [], "described, and not served")
    #expect(described.count == served.count)
  }

  @Test("is read of openapi.yaml by its indentation")
  func reading() {
    let text = """
      openapi: 3.1.0
      paths:
        /a/{id}:
          parameters:
            - name: id
          get:
            # NB: get:
            operationId: readA
            responses:
              "200":
                operationId: no
          delete:
            summary: has none
      components:
        get:
          post:
            operationId: no
      """
    #expect(
      OpenAPI(text).entries == [
        .init(method: "GET", path: "/a/{id}", id: "readA"),
        .init(method: "DELETE", path: "/a/{id}", id: ""),
      ])
  }

  @Test("has a name and a route of its own")
  func isUnique() {
    let routes = Set(
      Operation.allCases.map { "\($0.endpoint.method) \($0.endpoint.path)" })
    #expect(routes.count == Operation.allCases.count)
  }

  @Test("needs a token below /v1 and nowhere else")
  func audience() {
    #expect(
      Operation.allCases.filter { $0.endpoint.audience == .anyone }
        == [.readPage, .readClient, .readDocs, .readOpenAPI, .health, .readiness])
    #expect(
      Operation.allCases.filter { $0.endpoint.audience == .newcomers } == [.addAccount])
  }
}
