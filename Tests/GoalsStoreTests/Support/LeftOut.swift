#if !POSTGRESQL
import Testing

@Suite("Stores on PostgreSQL") struct LeftOutTests {
  @Test("are left out", .disabled("this was built without libpq"))
  func leftOut() {}
}
#endif
