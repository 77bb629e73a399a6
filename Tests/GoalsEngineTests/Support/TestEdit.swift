/// Edits as a shell sends them, of the one goal of these tests.
enum TestEdit {
  static let yoga = "00000000-0000-0000-0000-000000000001"

  static func id(_ number: Int) -> String {
    "00000000-0000-0001-0000-" + String(repeating: "0", count: 12 - String(number).count)
      + String(number)
  }

  static func add(_ number: Int) -> String {
    """
    {"id":"\(id(number))","type":"add","goal":{"id":"\(yoga)","title":"Yoga","frequency":3,\
    "interval":"weekly"}}
    """
  }

  static func turnOn(_ number: Int) -> String {
    "{\"id\":\"\(id(number))\",\"type\":\"setActivity\",\"activity\":{\"\(yoga)\":true}}"
  }

  static func bump(_ number: Int) -> String {
    "{\"id\":\"\(id(number))\",\"type\":\"bump\",\"goal\":\"\(yoga)\"}"
  }

  static func undo(_ number: Int, _ undone: Int) -> String {
    "{\"id\":\"\(id(number))\",\"type\":\"undo\",\"edit\":\"\(id(undone))\"}"
  }
}
