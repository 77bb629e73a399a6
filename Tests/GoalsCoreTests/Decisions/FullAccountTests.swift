import Testing

@testable import GoalsCore

/// An edit takes 10 bytes here.
@Suite("An account whose log has reached its quota") struct FullAccountTests {
  private func scenario() -> WriterScenario {
    var scenario = WriterScenario(accounts: 2)
    scenario.maximumLogBytes = 10
    _ = scenario.arrive((1, counting(201)))
    _ = scenario.commit()
    return scenario
  }

  @Test("has nothing recorded any more, while another's is")
  func full() {
    var scenario = scenario()
    #expect(
      scenario.arrive((1, counting(202)), (2, counting(202))) == ["persist B 3"])
    #expect(
      scenario.commit() == [
        "install B 3 chain 102", "answer 1: accountFull [] at 3 chain 101",
        #"answer 2: decided ["applied 3"] at 3 chain 102"#, "announce B 3 to 102",
        "track 2 requests, 1 edits",
      ])
    #expect(scenario.installed[1]?.state.version == Version(3))
  }

  @Test("answers as ever where nothing would be recorded")
  func nothing() {
    var scenario = scenario()
    #expect(
      scenario.arrive((1, counting(201)), (1, batch(Edit(.alter(1, [])), bad))) == [
        #"answer 1: decided ["duplicate 3"] at 3 chain 101"#,
        #"answer 2: decided ["unchanged", "unknown-goal"] at 3 chain 101"#,
      ])
  }

  @Test("says, of what it refuses, the outcomes of the edits that were recorded before")
  func recordedBefore() {
    var scenario = scenario()
    let old = counting(201).proposals + counting(202).proposals
    for isAtomic in [false, true] {
      let mixed = Batch(device: "phone", proposals: old, isAtomic: isAtomic)
      #expect(
        scenario.arrive((1, mixed)) == [
          #"answer 1: accountFull ["duplicate 3"] at 3 chain 101"#
        ])
    }
  }

  @Test("is told first of a version that is another, and by a dry run of its quota")
  func order() {
    var scenario = scenario()
    #expect(
      scenario.arrive(
        (1, counting(202, on: .version(Version(1)))), (1, batch(bump, isDryRun: true)))
        == [
          "answer 1: versionMismatch [] at 3 chain 101", "answer 2: accountFull [] at 3 chain 101",
        ])
  }

  @Test("is full also for what is tried alone after it was filled")
  func triedAlone() {
    var scenario = WriterScenario()
    scenario.maximumLogBytes = 10
    _ = scenario.arrive((1, counting(201)), (1, counting(202)))
    #expect(scenario.fail(.other) == ["track other, 2 requests", "persist A 3"])
    #expect(
      scenario.commit().contains("answer 2: accountFull [] at 3 chain 101"))
  }
}
