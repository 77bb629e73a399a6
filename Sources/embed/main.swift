// embed OUTPUT FILE…: writes OUTPUT, Swift source that holds the files, as they are and compressed.
// The plugin EmbedFiles runs it. It is built on every fresh clone before anything that embeds, so
// it does without Foundation.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

func fail(_ sentence: String) -> Never {
  let line = Array("error: \(sentence)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(1)
}

/// The system's word for what went wrong last.
func systemError() -> String {
  String(cString: strerror(errno))
}

/// The bytes of a file; nil if it can't be read, and `errno` says why.
func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { break }
    bytes += buffer[..<count]
  }
  return ferror(file) == 0 ? bytes : nil
}

/// Writes a file, unless it says just that already: debug and release builds share it, and each
/// would compile again what the other has touched.
func save(_ text: String, to path: String) {
  let bytes = Array(text.utf8)
  if contents(of: path) == bytes { return }
  guard let file = fopen(path, "wb") else { fail("\(path) can't be written: \(systemError())") }
  let written = fwrite(bytes, 1, bytes.count, file)
  guard fclose(file) == 0, written == bytes.count else {
    fail("\(path) can't be written: \(systemError())")
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else { fail("usage: embed OUTPUT FILE…") }
let files = arguments.dropFirst().map { path in
  guard let bytes = contents(of: path) else {
    fail("\(path) can't be embedded: \(systemError())")
  }
  return (name: path.split(separator: "/").last.map(String.init) ?? path, bytes: bytes)
}
do {
  save(try Embedding.source(of: files.sorted { $0.name < $1.name }), to: output)
} catch {
  fail(error.description)
}
