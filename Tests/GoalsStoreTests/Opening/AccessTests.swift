import Foundation
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A folder or file that this user may not write")
struct AccessTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("is refused with the user id and the command that mends it")
  func folderDenied() throws {
    chmod(folder.path, 0o555)
    let error = try asNobody { try claimed() }
    let user = nobody
    let command =
      geteuid() == 0 ? "chown \(user) \(folder.path) && chmod u+rwx" : "chmod u+rwx"
    #expect(
      error == .noAccess(folder.path, user: user, mending: "\(command) \(folder.path)"))
    #expect(
      error?.description.hasPrefix(
        "User id \(user) can't read and write \(folder.path). Mend it with: ch") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test(
    "is refused, whichever of the files it is",
    arguments: [
      "goals.sqlite", "goals.sqlite-wal", "goals.sqlite-shm", "goals.sqlite-journal",
      "goals.sqlite.lock",
    ])
  func fileDenied(_ name: String) throws {
    chmod(folder.path, 0o777)
    try folder.put([], in: name)
    chmod(folder.file(name), 0o444)
    let before = try folder.contents()
    let error = try asNobody { try claimed() }
    guard case .noAccess(folder.file(name), nobody, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try folder.contents() == before)
  }

  @Test("is refused when it can't even be looked into")
  func unreachable() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("inner"), withIntermediateDirectories: false)
    chmod(folder.path, 0o600)
    let error = try asNobody {
      #expect(throws: OpeningError.self) {
        try OwnedDatabase.claim(
          path: folder.file("inner/goals.sqlite"), ifMissing: .create, user: nobody)
      }
    }
    #expect(
      error == .unreachable(folder.file("inner"), through: folder.path, user: nobody))
    #expect(
      error?.description.hasSuffix(
        "may not pass through \(folder.path). Use a folder that this user can reach.") == true)
  }

  @Test("is refused when the folder does not exist")
  func noFolder() {
    let error = #expect(throws: OpeningError.self) {
      try OwnedDatabase.claim(
        path: folder.file("no one's/goals.sqlite"), ifMissing: .create, user: 1000)
    }
    #expect(error == .noFolder(folder.file("no one's"), user: 1000))
    #expect(
      error?.description.hasSuffix(
        #"Make it with: install -d -o 1000 '\#(folder.path)/no one'\''s'"#) == true)
  }

  @Test(
    "is mended by what its owner and its mode ask for",
    arguments: [
      (true, 0, 0o755, 1000, "chown 1000 '/a b'"),
      (true, 1000, 0o555, 1000, "chmod u+rwx '/a b'"),
      (true, 0, 0o555, 1000, "chown 1000 '/a b' && chmod u+rwx '/a b'"),
      (false, 0, 0o600, 65534, "chown 65534 '/a b'"),
      (false, 7, 0o400, 7, "chmod u+rw '/a b'"),
      (false, 7, 0o600, 7, "lsattr -d '/a b'; getfacl '/a b'"),
    ] as [(Bool, UInt32, UInt32, UInt32, String)])
  func mending(isFolder: Bool, owner: UInt32, permissions: UInt32, user: UInt32, command: String) {
    #expect(
      ShellCommand.mending(
        "/a b", isFolder: isFolder, owner: owner, permissions: permissions, user: user) == command)
  }

  // MARK: Another user

  private func claimed() throws -> OpeningError? {
    #expect(throws: OpeningError.self) {
      try OwnedDatabase.claim(path: folder.database, ifMissing: .create, user: nobody)
    }
  }

  /// The user that the checks run as: rights do not bind root.
  private var nobody: UInt32 { geteuid() == 0 ? 65534 : geteuid() }

  /// Runs `body` with the file system rights of a user without any. Linux keeps those for each
  /// thread, so tests on other threads notice nothing (setfsuid(2)).
  private func asNobody<Result>(_ body: () throws -> Result) throws -> Result {
    guard geteuid() == 0 else { return try body() }
    _ = setfsuid(65534)
    defer { _ = setfsuid(0) }
    return try body()
  }
}

@_silgen_name("setfsuid") private func setfsuid(_ user: UInt32) -> Int32
