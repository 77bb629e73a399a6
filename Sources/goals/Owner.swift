import Glibc
import GoalsStore
import Terminal

/// The user to whom a database or a folder belongs, with whose rights root works there: so that no
/// file comes to belong to root and locks the server out, and no link that the user has put there
/// leads root elsewhere.
struct Owner {
  private let user: uid_t
  private let group: gid_t

  private init?(_ status: stat) {
    guard status.st_uid != 0 else { return nil }
    (user, group) = (status.st_uid, status.st_gid)
  }

  /// The owner of a database, or if there is none yet, of its folder; nil if this process may do
  /// no more than it should already.
  ///
  /// A link is refused unless it belongs to root or to the owner of what it leads to.
  static func ofDatabase(_ path: String) throws -> Owner? {
    guard geteuid() == 0 else { return nil }
    try refuseForeignLinks(on: path)
    var status = stat()
    if stat(path, &status) == 0 { return Owner(status) }
    return errno == ENOENT ? try ofFolder(of: path) : nil
  }

  /// The owner of the folder in which a file is or will be; nil, or a refusal, as above.
  static func ofFolder(of path: String) throws -> Owner? {
    let folder = folder(of: path)
    try refuseForeignLinks(on: folder)
    var status = stat()
    guard geteuid() == 0, stat(folder, &status) == 0 else { return nil }
    return Owner(status)
  }

  /// Run by root, takes on the database's owner for good.
  static func become(ofDatabase path: String) throws { try ofDatabase(path)?.become() }

  func become() throws {
    guard setgroups(0, nil) == 0, setgid(group) == 0, setuid(user) == 0 else { throw refusal }
  }

  private var refusal: CommandFailure { CommandFailure("Root can't take on user id \(user).") }

  // MARK: Links

  /// Refuses a path that ends in a link of somebody else's, before root follows it.
  static func refuseForeignLinks(on path: String) throws {
    guard geteuid() == 0 else { return }
    var target = stat()
    let isThere = stat(path, &target) == 0
    var link = path
    var status = stat()
    // At most as many as Linux follows (path_resolution(7)).
    for _ in 0..<40 {
      guard lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
      guard status.st_uid == 0 || isThere && status.st_uid == target.st_uid else {
        throw CommandFailure(
          "\(link) is a link that belongs to user id \(status.st_uid), and what it leads to does "
            + "not: root does not follow it. Nothing was done.")
      }
      guard let text = text(of: link) else { return }
      link = text.hasPrefix("/") ? text : folder(of: link) + "/" + text
    }
  }

  /// What is written in a link.
  private static func text(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count < 0
      ? nil : String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension Owner? {
  /// Runs `body` with the owner's rights, and takes root's back.
  func act<Result>(_ body: () throws -> Result) throws -> Result {
    guard let owner = self else { return try body() }
    return try owner.act(body)
  }
}

extension Owner {
  fileprivate func act<Result>(_ body: () throws -> Result) throws -> Result {
    guard setgroups(0, nil) == 0, setegid(group) == 0, seteuid(user) == 0 else { throw refusal }
    let result = Swift.Result { try body() }
    guard seteuid(0) == 0, setegid(getgid()) == 0 else {
      throw CommandFailure("Root can't take its own rights back.")
    }
    return try result.get()
  }
}
