import ArgumentParser
import Terminal

/// `goals completions`.
struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the completions of a shell.",
    discussion: """
      bash: source <(goals completions bash)
      zsh:  source <(goals completions zsh)
      fish: goals completions fish | source
      """)

  enum Shell: String, CaseIterable, ExpressibleByArgument { case bash, zsh, fish }

  @Argument(help: "bash, zsh or fish.") var shell: Shell

  func run() throws {
    switch shell {
    case .bash: try StandardOutput.write(Self.bash)
    case .zsh: try StandardOutput.write(Self.zsh)
    case .fish: try StandardOutput.write(Self.fish)
    }
  }

  private static let commands = [
    ("login", "Sign in to a server"), ("logout", "Forget the token and what is kept"),
    ("list", "Show the goals"), ("add", "Add a goal"), ("bump", "Count progress"),
    ("skip", "Excuse a day, week or month"), ("undo", "Take back what was done last"),
    ("history", "Show what became of a goal"), ("watch", "Show the goals as they change"),
    ("completions", "Print the completions of a shell"), ("serve", "Serve a database"),
    ("account", "Accounts of a server"), ("goal", "Goals of an account"),
    ("token", "Tokens of a server"), ("backup", "Copy the database"),
    ("restore", "Put a backup in place"), ("verify", "Check the database"),
    ("export", "Write an account's history"), ("import", "Take an account's history in"),
    ("health", "Whether the server is ready"),
    ("migrate", "Make or change the tables on PostgreSQL"),
    ("copy", "Copy all accounts to another database"),
  ]

  /// The server's, each with whether it has commands of its own. Their options are in their help.
  private static let ofServer = [
    ("account", true), ("goal", true), ("token", true), ("serve", false), ("backup", false),
    ("restore", false), ("verify", false), ("export", false), ("import", false),
    ("health", false), ("migrate", false), ("copy", false),
  ]

  private static func ofServer(_ separator: String, havingCommands: Bool? = nil) -> String {
    ofServer.filter { havingCommands == nil || $0.1 == havingCommands }.map(\.0)
      .joined(separator: separator)
  }

  /// Of a help, the options and commands, a line each.
  private static let words = #"sed -n 's/^  \(--[a-z-]*\|[a-z][a-z]*\) .*/\1/p'"#

  /// What takes the title of a goal first.
  private static let takingTitles = ["bump", "skip", "history"]

  private struct Option {
    let name: String
    let words: String
    /// What it takes: these, or something that can't be guessed; nil for a flag.
    var values: [String]?
  }

  private static let options: [(command: String, options: [Option])] = {
    let json = Option(name: "json", words: "Print JSON")
    let day = Option(
      name: "on", words: "The day",
      values: [
        "today", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday",
      ])
    return [
      ("list", [json]), ("watch", [json]), ("skip", [day, json]),
      ("bump", [day, Option(name: "note", words: "A note", values: []), json]),
      ("undo", [Option(name: "earlier", words: "Pass over what can’t be taken back"), json]),
      ("history", [Option(name: "days", words: "How many days", values: []), json]),
      (
        "add",
        [
          Option(name: "every", words: "Its period", values: ["day", "week", "month"]),
          Option(name: "times", words: "How often in a period", values: []),
          Option(name: "unit", words: "What is counted", values: []),
          Option(
            name: "colour", words: "Its colour",
            values: ["blue", "cyan", "green", "yellow", "orange", "red", "purple"]), json,
        ]
      ),
      ("logout", [Option(name: "discard", words: "Forget edits that were not sent")]),
    ]
  }()

  /// Options with what they take, each once.
  private static var valued: [(name: String, values: [String])] {
    var seen: Set<String> = []
    return options.flatMap(\.options).compactMap { option in
      guard let values = option.values, seen.insert(option.name).inserted else { return nil }
      return (option.name, values)
    }
  }

  private static func lines<Each>(_ all: [Each], _ line: (Each) -> String) -> String {
    all.map(line).joined(separator: "\n")
  }

  private static func quoted(_ words: String) -> String { words.replacing("'", with: "’") }

  private static let bash = #"""
    # goals: completions for bash. A title is completed as one word.
    _goals() {
      local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
      local line quote="" index argument="" of=("${COMP_WORDS[1]}")
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "\#(commands.map(\.0).joined(separator: " "))" -- "$word"))
        return
      fi
      # --on=DAY is three words here.
      if [ "$word" = "=" ]; then
        word=""
      elif [ "$before" = "=" ]; then
        before="${COMP_WORDS[COMP_CWORD-2]}"
      fi
      case "$before" in
    \#(lines(valued) { "    --\($0)) COMPREPLY=($(compgen -W \"\($1.joined(separator: " "))\" -- \"$word\")); return ;;" })
        completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
      esac
      for ((index = 2; index < COMP_CWORD; index++)); do
        case "${COMP_WORDS[index]}" in
          \#(valued.map { "--\($0.name)" }.joined(separator: "|")))
            [ "${COMP_WORDS[index+1]}" = "=" ] && index=$((index + 1))
            index=$((index + 1)) ;;
          -*) ;;
          *) argument=given ;;
        esac
      done
      case "${COMP_WORDS[1]}/$argument/$word" in
    \#(lines(takingTitles) { "    \($0)//-*) ;;" })
        \#(takingTitles.map { "\($0)//*" }.joined(separator: "|")))
          # What was typed, without its quotes, and in lower case: the case does not matter.
          case "$word" in
            [\"\']*) quote="${word:0:1}" word="${word:1}" ;;
            *) word="${word//\\/}" ;;
          esac
          word="${word,,}"
          while IFS= read -r line; do
            [[ "${line,,}" == "$word"* ]] || continue
            case "$quote" in
              \") line="${line//\\/\\\\}" line="${line//\"/\\\"}" line="${line//\$/\\\$}"
                line="${line//\`/\\\`}" ;;
              \') line="${line//$quote/$quote\\$quote$quote}" ;;
              *) line="$(printf %q "$line")" line="${line//:/\\:}" line="${line//=/\\=}" ;;
            esac
            # The shell closes the quotes, but for a title that has one at its end.
            [ -n "$quote" ] && [[ "$line" == *"$quote" ]] && line="$line$quote"
            COMPREPLY+=("$line")
          done < <(goals titles 2> /dev/null)
          return ;;
      esac
      case "${COMP_WORDS[1]}" in
    \#(lines(options) { "    \($0)) COMPREPLY=($(compgen -W \"\($1.map { "--\($0.name)" }.joined(separator: " "))\" -- \"$word\")) ;;" })
        help) COMPREPLY=($(compgen -W "\#(commands.map(\.0).joined(separator: " "))" -- "$word")) ;;
        \#(ofServer("|")))
          case "${COMP_WORDS[1]}" in
            \#(ofServer("|", havingCommands: true)))
              [ "$COMP_CWORD" -eq 2 ] && argument=command || of+=("${COMP_WORDS[2]}") ;;
          esac
          if [ "$argument" = command ] || [[ "$word" == -* ]]; then
            COMPREPLY=($(compgen -W "$(goals "${of[@]}" --help 2> /dev/null | \#(words))" -- "$word"))
          else
            compopt -o default
          fi ;;
      esac
    }
    complete -F _goals goals

    """#

  private static let zsh = #"""
    #compdef goals
    # goals: completions for zsh.
    _goals_titles() {
      local -a titles
      titles=("${(@f)$(goals titles 2> /dev/null)}")
      compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a titles
    }
    _goals() {
      local -a commands
      commands=(
    \#(lines(commands) { "    '\($0):\(quoted($1))'" })
      )
      if (( CURRENT == 2 )); then
        _describe command commands
        return
      fi
      shift words
      (( CURRENT-- ))
      case $words[1] in
    \#(lines(options) { command, options in
      let titles = takingTitles.contains(command) ? " '1:goal:_goals_titles'" : ""
      return "    \(command)) _arguments -S" + options.map { " " + zshWord(for: $0) }.joined() + titles + " '*: :' ;;"
    })
        completions) _arguments '1:shell:(bash zsh fish)' ;;
        help) _describe command commands ;;
        \#(ofServer("|")))
          local -a of=($words[1])
          case $words[1] in
            \#(ofServer("|", havingCommands: true))) (( CURRENT > 2 )) && of+=$words[2] || of+=('') ;;
          esac
          if [[ $words[CURRENT] == -* || -z $of[-1] ]]; then
            compadd -- $(goals $of --help 2> /dev/null | \#(words))
          else
            _files
          fi ;;
      esac
    }
    # As a file that zsh loads it is called to complete; sourced, it says what it is for.
    if [ "$funcstack[1]" = _goals ]; then _goals "$@"; else compdef _goals goals; fi

    """#

  private static func zshWord(for option: Option) -> String {
    let takes = option.values.map { ":\(option.name):(\($0.joined(separator: " ")))" } ?? ""
    return "'--\(option.name)\(takes.isEmpty ? "" : "=")[\(quoted(option.words))]\(takes)'"
  }

  private static let fish = #"""
    # goals: completions for fish.
    function __goals_is
        set -l words (commandline -opc)
        contains -- "$words[2]" $argv
    end
    # Whether the command is one of these, and has no argument yet.
    function __goals_lacks_argument
        __goals_is $argv; or return 1
        set -l words (commandline -opc)
        set -e words[1..2]
        set -l takes 0
        for word in $words
            if test $takes = 1
                set takes 0
            else if contains -- $word \#(valued.map { "--\($0.name)" }.joined(separator: " "))
                set takes 1
            else if not string match -q -- '-*' $word
                return 1
            end
        end
        test $takes = 0
    end
    # The options of a command of the server, or its commands.
    function __goals_help
        set -l words (commandline -opc)
        contains -- "$words[2]" \#(ofServer(" ", havingCommands: true)); and set -l of $words[2..3]; or set -l of $words[2]
        goals $of --help 2> /dev/null | \#(words)
    end
    complete -c goals -f
    \#(lines(commands) { name, words in
      "complete -c goals -n __fish_use_subcommand -a \(name) -d '\(quoted(words))'"
    })
    complete -c goals -n '__goals_lacks_argument \#(takingTitles.joined(separator: " "))' -a '(goals titles 2> /dev/null)'
    complete -c goals -n '__goals_lacks_argument completions' -a 'bash zsh fish'
    complete -c goals -n '__goals_lacks_argument help' -a '\#(commands.map(\.0).joined(separator: " "))'
    complete -c goals -n '__goals_is \#(ofServer(" ", havingCommands: false))' -F
    complete -c goals -n '__goals_is \#(ofServer(" "))' -a '(__goals_help)'
    \#(options.flatMap { command, options in
      options.map { option in
        let takes = option.values.map { " -x -a '\($0.joined(separator: " "))'" } ?? ""
        return "complete -c goals -n '__goals_is \(command)' -l \(option.name)\(takes) -d '\(quoted(option.words))'"
      }
    }.joined(separator: "\n"))

    """#
}
