import Testing

@testable import GoalsCore

@Suite("A vector of the screen")
struct GoalsEditStateVectorTests {
  @Test(
    "says what a step leads to", arguments: EditVector.Source.all(in: "goals-edit-state.json"))
  func steps(_ source: EditVector.Source) throws {
    let json = source.json
    let list = try #require(json["list"]?.array).map { entry in
      (
        goal: try #require(entry["goal"]?.text.flatMap { Goal.ID($0) }),
        isActive: try #require(entry["active"]?.bool as Bool?)
      )
    }
    let result = try state(json["state"]).after(step(json["step"]), in: list)
    #expect(try result.state == state(json["after"]))
    var reader = VectorEdit(made: 0)
    let expected = try #require(json["edit"])
    let edit = expected == .null ? nil : reader.edit(expected)
    #expect(reader.faults.isEmpty)
    #expect(result.edit.map { Edit($0) } == edit)
  }

  @Test("is there for every step in every state")
  func coverage() throws {
    let vectors = try VectorFile("goals-edit-state.json").vectors
    let pairs = vectors.map { vector in
      [vector["state"], vector["step"]].map { $0?.text ?? $0?.object?.keys.first ?? "" }
    }
    let all = ["displaying", "editing"].flatMap { state in
      ["edit", "toggle", "save", "cancel"].map { [state, $0] }
    }
    #expect(Set(pairs) == Set(all))
  }

  private func state(_ json: VectorJSON?) throws -> GoalsEditState {
    if json == .text("displaying") { return .displaying }
    let activity = try #require(json?["editing"]?.object).map { id, isActive in
      KeyedActivity.Element(
        goal: try #require(Goal.ID(id)), isActive: try #require(isActive.bool as Bool?))
    }
    return .editing(KeyedActivity(activity))
  }

  private func step(_ json: VectorJSON?) throws -> GoalsEditState.Step {
    switch json {
    case .text("edit"): return .edit
    case .text("save"): return .save
    case .text("cancel"): return .cancel
    // NB: open, an object
    default: return .toggle(try #require(json?["toggle"]?.text.flatMap { Goal.ID($0) }))
    }
  }
}
