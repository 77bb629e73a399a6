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

func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fail("\(path) can't be embedded: \(systemError())") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { break }
    bytes += buffer[..<count]
  }
  guard ferror(file) == 0 else { fail("\(path) can't be embedded: \(systemError())") }
  return bytes
}

func save(_ text: String, to path: String) {
  guard let file = fopen(path, "wb") else { fail("\(path) can't be written: \(systemError())") }
  let bytes = Array(text.utf8)
  let written = fwrite(bytes, 1, bytes.count, file)
  guard fclose(file) == 0, written == bytes.count else {
    fail("\(path) can't be written: \(systemError())")
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else { fail("usage: embed OUTPUT FILE…") }
let files = arguments.dropFirst().map { path in
  (name: path.split(separator: "/").last.map(String.init) ?? path, bytes: contents(of: path))
}
do {
  save(try Embedding.source(of: files.sorted { $0.name < $1.name }), to: output)
} catch {
  fail(error.description)
}
