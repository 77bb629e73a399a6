/// Commands for a person to paste.
enum ShellCommand {
  /// The command that finds what is wrong with a database.
  static func verifying(_ path: String) -> String { "goals verify --database \(quoted(path))" }

  /// The command that puts a backup in the place of a database.
  static func restoring(_ path: String) -> String {
    "goals restore BACKUP --force --database \(quoted(path))"
  }

  /// A word that any POSIX shell takes as it is (POSIX, Shell Command Language §2.2.2).
  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "+", ",", ":", "@", "%": true
      default: false
      }
    }
    if isPlain && !word.isEmpty { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  /// What gives `user` a file or folder that it may not read and write.
  static func mending(
    _ path: String, isFolder: Bool, owner: UInt32, permissions: UInt32, user: UInt32
  ) -> String {
    let (wanted, rights): (UInt32, String) = isFolder ? (0o700, "u+rwx") : (0o600, "u+rw")
    var commands: [String] = []
    if owner != user { commands.append("chown \(user) \(quoted(path))") }
    if permissions & wanted != wanted { commands.append("chmod \(rights) \(quoted(path))") }
    // Owner and mode allow it already, so it is something else: an attribute, an ACL, a policy.
    return commands.isEmpty
      ? "lsattr -d \(quoted(path)); getfacl \(quoted(path))" : commands.joined(separator: " && ")
  }
}
