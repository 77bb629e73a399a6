import GoalsCore

/// Makes what people do on a device, as the device writes it: edits of all ten types, and some that
/// are none.
struct EditMaker {
  let device: Int
  /// What the device's clock shows.
  let now: Instant
  let goals: [Goal.ID]
  /// Edits that were seen in the log lately.
  let recent: [Edit.ID]

  /// - Parameter id: of an edit that nobody has made yet.
  func edit(_ id: Edit.ID, _ dice: inout Dice) -> DeviceEdit {
    // There is nothing to do without goals.
    let percent = dice.number(goals.isEmpty && dice.chance(80) ? 0...15 : 0...99)
    var isPositional = false
    let members: String
    switch percent {
    case 0..<16: members = add(&dice)
    case 16..<20: members = "\"type\":\"delete\",\"goal\":\"\(goal(&dice))\""
    case 20..<26: members = "\"type\":\"update\",\"goal\":\(values(of: goal(&dice), &dice))"
    case 26..<32: members = alter(&dice)
    case 32..<44: members = keyedActivity(&dice)
    case 44..<53:
      isPositional = true
      let values = goals.map { _ in "\(dice.chance(70))" }.joined(separator: ",")
      members = "\"type\":\"setActivity\",\"activity\":[\(values)]"
    case 53..<57: members = move(&dice)
    case 57..<72: members = bump(&dice)
    case 72..<75: members = "\"type\":\"skip\",\"goal\":\"\(goal(&dice))\""
    case 75..<78: members = configure(&dice)
    case 78..<97:
      let target = recent.suffix(dice.chance(60) ? 3 : 24).randomElement(using: &dice) ?? id
      members = "\"type\":\"undo\",\"edit\":\"\(target)\""
    default: return DeviceEdit(id: id, json: invalid(id, &dice))
    }
    let json = "{\"id\":\"\(id)\",\(members)\(moment(&dice))}"
    return DeviceEdit(id: id, json: json, isPositional: isPositional)
  }

  /// Another edit under the id of one that is recorded.
  func conflict(with id: Edit.ID) -> DeviceEdit {
    DeviceEdit(
      id: id, json: "{\"id\":\"\(id)\",\"type\":\"configure\",\"dayStart\":\"11:59\"}",
      isSound: false)
  }

  // MARK: Members

  /// When it happened: mostly now, as far as the device knows.
  private func moment(_ dice: inout Dice) -> String {
    let at: Instant
    switch dice.number(0...99) {
    case 0..<15: return ""
    case 15..<97:
      at = dice.chance(80) ? now : now.adding(milliseconds: -Int64(dice.number(0...200_000_000)))
    default: at = Instant(seconds: 900_000_000)
    }
    return ",\"at\":\"\(at)\""
  }

  private func goal(_ dice: inout Dice) -> Goal.ID {
    dice.chance(92)
      ? goals.randomElement(using: &dice) ?? Self.goal(1) : Self.goal(dice.number(1...14))
  }

  private static func goal(_ number: Int) -> Goal.ID { Goal.ID(high: 0, low: UInt64(number)) }

  /// Goals of a few ids, so that devices add the same one.
  private func add(_ dice: inout Dice) -> String {
    let id = dice.chance(90) ? Self.goal(dice.number(1...14)) : nil
    return "\"type\":\"add\",\"goal\":\(values(of: id, &dice))"
  }

  private func values(of id: Goal.ID?, _ dice: inout Dice) -> String {
    let id = id.map { "\"id\":\"\($0)\"," } ?? ""
    return "{\(id)\"title\":\"Goal \(device) ⚑\",\(values(&dice))}"
  }

  private func values(_ dice: inout Dice) -> String {
    let interval = dice.pick("daily", "weekly", "monthly")
    return "\"interval\":\"\(interval)\",\"frequency\":\(dice.number(1...3))"
  }

  private func alter(_ dice: inout Dice) -> String {
    let change = dice.pick("\"title\":\"Renamed\"", "\"colour\":\"#A0b1C2\"", "\"unit\":\"km\"")
    let changes = dice.chance(50) ? change : values(&dice)
    return "\"type\":\"alter\",\"goal\":\"\(goal(&dice))\",\"changes\":{\(changes)}"
  }

  private func keyedActivity(_ dice: inout Dice) -> String {
    let chosen = goals.filter { _ in dice.chance(60) }
    let entries = chosen.map { "\"\($0)\":\(dice.chance(80))" }.joined(separator: ",")
    return "\"type\":\"setActivity\",\"activity\":{\(entries)}"
  }

  private func move(_ dice: inout Dice) -> String {
    let before = dice.chance(30) ? "null" : "\"\(goal(&dice))\""
    return "\"type\":\"move\",\"goal\":\"\(goal(&dice))\",\"before\":\(before)"
  }

  private func bump(_ dice: inout Dice) -> String {
    let by = dice.chance(60) ? "" : ",\"by\":\(dice.pick(2, -1, -2))"
    let note = dice.chance(70) ? "" : ",\"note\":\"a \\\"note\\\"\\n\""
    return "\"type\":\"bump\",\"goal\":\"\(goal(&dice))\"\(by)\(note)"
  }

  private func configure(_ dice: inout Dice) -> String {
    let zone = dice.pick("UTC", "America/New_York", "Asia/Tokyo", "Nowhere/None")
    let setting = dice.pick(
      "\"timeZone\":\"\(zone)\"", "\"weekStart\":\"sunday\"", "\"dayStart\":\"03:30\"")
    return "\"type\":\"configure\",\(setting)"
  }

  private func invalid(_ id: Edit.ID, _ dice: inout Dice) -> String {
    dice.pick(
      "{\"id\":\"no id\",\"type\":\"skip\",\"goal\":\"\(Self.goal(1))\"}",
      "{\"id\":\"\(id)\",\"type\":\"jump\"}", "7",
      "{\"id\":\"\(id)\",\"type\":\"bump\",\"goal\":\"\(Self.goal(1))\",\"by\":0,\"buy\":1}")
  }
}
