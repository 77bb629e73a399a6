import Foundation
import GoalsClient
import GoalsCore
import GoalsWire
import JSON
import Terminal

/// Where this person is signed in, and with what: a file that only they can read.
struct SignIn {
  let server: String
  let token: String
  let account: Account.ID

  /// The file, by the XDG Base Directory Specification.
  static var path: String { folder("XDG_CONFIG_HOME", orHome: ".config") + "/goals/sign-in.json" }

  /// The folder in which the account is kept on this device.
  var folder: String { Self.folder(of: account) }

  static func folder(of account: Account.ID) -> String {
    folder("XDG_STATE_HOME", orHome: ".local/state") + "/goals/\(account)"
  }

  private static func folder(_ variable: String, orHome path: String) -> String {
    // The specification has relative paths ignored.
    if let given = getenv(variable).map({ String(cString: $0) }), given.hasPrefix("/") {
      return given
    }
    let home = getenv("HOME").map { String(cString: $0) } ?? NSHomeDirectory()
    return "\(home)/\(path)"
  }

  /// Whether somebody is signed in.
  static var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// - Throws: where nobody is signed in, or the file makes no sense.
  static func read() throws -> SignIn {
    guard let bytes = try WholeFile.readOrFail(path) else {
      throw CommandFailure("You are not signed in: `goals login` with the server's sign-in link.")
    }
    guard let root = try? JSONDocument(parsing: bytes).root else { throw damaged }
    var object = ObjectReader(root)
    guard object.required("format", .integer(1...1)) != nil,
      let server = object.required("server", .string),
      let token = object.required("token", .string),
      let account = object.required("account", .id()) as Account.ID?
    else { throw damaged }
    return SignIn(server: server, token: token, account: account)
  }

  private static var damaged: CommandFailure {
    CommandFailure("\(path) can't be understood: `goals login` writes it anew.")
  }

  func write() throws {
    var json = JSONWriter()
    json.object { json in
      json.member("format", 1)
      json.member("server", server)
      json.member("token", token)
      json.member("account", account)
    }
    try WholeFile.replaceOrFail(Self.path, with: json.bytes + [UInt8(ascii: "\n")])
  }

  static func forget() throws {
    do { try WholeFile.remove(path) } catch { throw CommandFailure("I \(error).") }
  }
}

extension WholeFile {
  fileprivate static func readOrFail(_ path: String) throws -> [UInt8]? {
    do { return try read(path) } catch { throw CommandFailure("I \(error).") }
  }

  fileprivate static func replaceOrFail(_ path: String, with bytes: [UInt8]) throws {
    do {
      let end = path.lastIndex(of: "/") ?? path.startIndex
      try makeFolder(String(path[..<end]))
      try replace(path, with: bytes)
    } catch {
      throw CommandFailure("I \(error).")
    }
  }
}
