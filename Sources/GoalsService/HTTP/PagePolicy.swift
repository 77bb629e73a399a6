import Digests
import FoundationEssentials

/// The Content-Security-Policy of a page that has its styles and scripts in it. No other script
/// runs and no other style applies: the policy names its own by their hashes (CSP Level 3 §2.3.1),
/// and forbids to make markup of text (Trusted Types §4.2). The page may ask this server, and show
/// the pictures that it gets.
func pagePolicy(of document: String) -> String {
  policy(
    of: document, scripts: hashes(of: "script", in: document), images: "data:", types: "'none'")
}

/// The policy of the page for people. Its styles are in it; its scripts are modules of this server,
/// and may compile the engine (`wasm-unsafe-eval`, CSP Level 3 §4.4). The one policy of Trusted
/// Types is for the name of the service worker.
func clientPolicy(of document: String) -> String {
  policy(
    of: document, scripts: "'self' 'wasm-unsafe-eval'", images: "'self' data:",
    more: ["manifest-src 'self'", "worker-src 'self'"], types: "goals")
}

private func policy(
  of document: String, scripts: String, images: String, more: [String] = [], types: String
) -> String {
  let sources = [
    "default-src 'none'", "script-src \(scripts)",
    "style-src \(hashes(of: "style", in: document))", "connect-src 'self'", "img-src \(images)",
  ]
  let limits = [
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types \(types)",
  ]
  return (sources + more + limits).joined(separator: "; ")
}

/// The sources that allow exactly the texts of these elements.
private func hashes(of element: String, in document: String) -> String {
  var rest = document[...]
  var sources: [String] = []
  while let start = rest.firstRange(of: "<\(element)>") {
    rest = rest[start.upperBound...]
    guard let end = rest.firstRange(of: "</\(element)>") else { break }
    let text = Data(rest[..<end.lowerBound].utf8)
    sources.append("'sha256-\(Data(SHA256.digest(of: text)).base64EncodedString())'")
    rest = rest[end.upperBound...]
  }
  return sources.joined(separator: " ")
}
