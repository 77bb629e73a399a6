import GoalsCore
import Glibc

extension ZoneFiles {
  /// The time zone that the machine is set to: `TZ` says (tzset(3)), else the link /etc/localtime
  /// (localtime(5)), else /etc/timezone, which Debian keeps, else what /etc/localtime holds, where
  /// it is a copy. UTC where none of them names a zone that can be read.
  ///
  /// - Parameter variable: the value of `TZ`.
  func machineZone(variable: String?, etc: String = "/etc") -> ZoneName {
    let named =
      variable.flatMap { readable($0[...]) }
      ?? linkTarget(of: "\(etc)/localtime").flatMap { readable($0[...]) }
      ?? firstLine(of: "\(etc)/timezone").flatMap { readable($0[...]) }
      ?? zone(withFile: "\(etc)/localtime") ?? .utc
    // Debian's name of it, where nobody chose a zone.
    return named.text == "Etc/UTC" ? .utc : named
  }

  /// The zone of a name, or of a path into the database; nil where it can't be read.
  private func readable(_ text: Substring) -> ZoneName? {
    ZoneName(Self.name(in: text)).flatMap { lookUp($0).zone == nil ? nil : $0 }
  }

  /// The name in what may be a path into the database, or a value of `TZ`.
  fileprivate static func name(in text: Substring) -> String {
    let path = text.hasPrefix(":") ? text.dropFirst() : text
    return String(path.ranges(of: "zoneinfo/").last.map { path[$0.upperBound...] } ?? path)
  }

  private func linkTarget(of path: String) -> String? {
    let limit = Int(PATH_MAX)
    var target = [CChar](repeating: 0, count: limit)
    let count = readlink(path, &target, limit)
    guard count >= 0 else { return nil }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func lines(of path: String) -> [Substring] {
    let bytes = (try? bytes(ofFile: path)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
  }

  private func firstLine(of path: String) -> String? { lines(of: path).first.map(String.init) }

  /// The zone of the database's table zone1970.tab, of which the third column is the name, whose
  /// file is the same as this one.
  private func zone(withFile path: String) -> ZoneName? {
    guard let content = try? bytes(ofFile: path) else { return nil }
    return lines(of: "\(folder)/zone1970.tab").lazy.filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: "\t").dropFirst(2).first }
      .compactMap { ZoneName(String($0)) }
      .first { name in
        let bytes = try? self.bytes(ofFile: "\(self.folder)/\(name.text)")
        return bytes == content && self.lookUp(name).zone != nil
      }
  }
}

extension World {
  /// Why this value of `TZ` is passed over; nil where it is empty or names a zone.
  package func machineZoneFault(variable: String) -> String? {
    let name = ZoneFiles.name(in: variable[...])
    return name.isEmpty ? nil : refusal(ofZone: name)
  }
}
