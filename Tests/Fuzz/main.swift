import Glibc

// goals-fuzz --harness=NAME [ARGUMENT…]: has libFuzzer feed the harness of this name, by
// libFuzzer's own arguments. It leaves those with two hyphens alone, and hands them on to the
// copies of itself that it runs.
//
// goals-fuzz: prints the harnesses' names.

/// `LLVMFuzzerRunDriver` of libFuzzer's library without a main function (FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Nil for a name that no harness has.
private let chosen = Harness.all.first { harness in
  CommandLine.arguments.contains("--harness=" + harness.name)
}

guard chosen != nil else {
  print(Harness.all.map { $0.name }.joined(separator: " "))
  exit(CommandLine.arguments.count > 1 ? 64 : 0)
}

private var count = CommandLine.argc
private var arguments = CommandLine.unsafeArgv

exit(
  runDriver(&count, &arguments) { start, count in
    do {
      try chosen?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
      fatalError("\(error)")
    }
    return 0
  })
