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

  private static let options: [(command: String, options: [String])] = [
    ("add", ["--every", "--times", "--unit", "--colour", "--json"]),
    ("bump", ["--on", "--note", "--json"]), ("skip", ["--on", "--json"]),
    ("history", ["--days", "--json"]), ("list", ["--json"]), ("undo", ["--json"]),
    ("watch", ["--json"]), ("logout", ["--discard"]),
  ]

  private static var names: String { commands.map(\.0).joined(separator: " ") }

  private static let bash = """
    # goals: completions for bash. A title is completed as one word.
    _goals() {
      local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" line
      # An empty word, made lower case within the pattern, would match nothing.
      local lower="${word,,}"
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "\(names)" -- "$word"))
        return
      fi
      case "$before" in
        --on) COMPREPLY=($(compgen -W "today yesterday" -- "$word")); return ;;
        --every) COMPREPLY=($(compgen -W "day week month" -- "$word")); return ;;
        completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
      esac
      if [ "$COMP_CWORD" -eq 2 ]; then
        case "${COMP_WORDS[1]}" in
          bump|skip|history)
            while IFS= read -r line; do
              case "${line,,}" in
                "$lower"*) COMPREPLY+=("$(printf %q "$line")") ;;
              esac
            done < <(goals titles 2> /dev/null)
            return ;;
        esac
      fi
      case "${COMP_WORDS[1]}" in
    \(cases { "    \($0)) COMPREPLY=($(compgen -W \"\($1)\" -- \"$word\")) ;;" })
      esac
    }
    complete -F _goals goals

    """

  private static let zsh = """
    #compdef goals
    # goals: completions for zsh.
    _goals() {
      local -a commands titles
      commands=(
    \(commands.map { "    '\($0.0):\($0.1.replacing("'", with: "’"))'" }.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe command commands
        return
      fi
      case $words[CURRENT-1] in
        --on) compadd today yesterday; return ;;
        --every) compadd day week month; return ;;
        completions) compadd bash zsh fish; return ;;
      esac
      if (( CURRENT == 3 )) && [[ $words[2] == (bump|skip|history) ]]; then
        titles=("${(@f)$(goals titles 2> /dev/null)}")
        compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a titles
        return
      fi
      case $words[2] in
    \(cases { "    \($0)) compadd -- \($1) ;;" })
      esac
    }
    # As a file that zsh loads it is called to complete; sourced, it says what it is for.
    if [ "$funcstack[1]" = _goals ]; then _goals "$@"; else compdef _goals goals; fi

    """

  private static let fish = """
    # goals: completions for fish.
    complete -c goals -f
    \(commands.map { name, words in
      "complete -c goals -n __fish_use_subcommand -a \(name) -d '\(words.replacing("'", with: "’"))'"
    }.joined(separator: "\n"))
    complete -c goals -n '__fish_seen_subcommand_from bump skip history' -a '(goals titles 2> /dev/null)'
    complete -c goals -n '__fish_seen_subcommand_from bump skip' -l on -x -a 'today yesterday'
    complete -c goals -n '__fish_seen_subcommand_from add' -l every -x -a 'day week month'
    complete -c goals -n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'
    \(options.flatMap { command, options in
      options.filter { $0 != "--on" && $0 != "--every" }.map { option in
        "complete -c goals -n '__fish_seen_subcommand_from \(command)' -l \(option.dropFirst(2))"
      }
    }.joined(separator: "\n"))

    """

  private static func cases(_ line: (String, String) -> String) -> String {
    options.map { line($0.command, $0.options.joined(separator: " ")) }.joined(separator: "\n")
  }
}
