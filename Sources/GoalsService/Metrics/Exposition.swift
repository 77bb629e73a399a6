/// Metrics as Prometheus reads them: its text format, version 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats).
struct Exposition {
  enum Kind: String {
    case counter, gauge, histogram
  }

  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Begins a metric: its samples follow.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// A metric of one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    begin(name, kind, help)
    sample(name, [], value)
  }

  mutating func sample(_ name: String, _ labels: [(String, String)], _ histogram: Histogram) {
    var count = 0
    for (bound, number) in zip(histogram.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
      count += number
      sample("\(name)_bucket", labels + [("le", bound)], count)
    }
    sample("\(name)_sum", labels, histogram.sum)
    sample("\(name)_count", labels, count)
  }

  mutating func sample(
    _ name: String, _ labels: [(String, String)], _ value: some CustomStringConvertible
  ) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
    }
    text += " \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      case let other: text.append(other)
      }
    }
  }
}
