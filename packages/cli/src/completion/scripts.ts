/** The scripts only carry words to `svc __complete` and its lines back, so they never grow old. */
const bash = `# svc completion for bash
_svc() {
  local value
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    if [[ $value == :files ]]; then
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
      return
    fi
    if [[ $value == */ ]]; then compopt -o nospace; fi
    COMPREPLY+=("$(printf %q "$value")")
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _svc svc
`;

const zsh = `#compdef svc
# svc completion for zsh
_svc() {
  local line value
  local -a ended open
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    value="\${line%%$'\\t'*}"
    if [[ $value == :files ]]; then
      _files
      return
    elif [[ $value == */ ]]; then
      open+=("$value")
    elif [[ -n $value ]]; then
      ended+=("$value")
    fi
  done
  (( \${#open} )) && compadd -S '' -a open
  (( \${#ended} )) && compadd -a ended
}
if [[ \${funcstack[1]} == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`;

const fish = `# svc completion for fish
function __svc_complete
    set -l current (commandline --current-token)
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    for line in (svc __complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path $current
        else
            echo $line
        end
    end
end
complete --command svc --no-files --arguments '(__svc_complete)'
`;

export const scripts = { bash, zsh, fish } as const;
export type Shell = keyof typeof scripts;
