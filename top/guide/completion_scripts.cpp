#include "top/guide/completion.h"

namespace heddle {

namespace {

// COMP_WORDS is split at ':' and '=', so that the words are taken from the line; what bash replaces begins
// after the last of these.
constexpr const char* kBash = R"SCRIPT(# bash completion of heddle; made by `heddle completion bash`
_heddle() {
  local line="${COMP_LINE:0:COMP_POINT}" current="" paths="" word
  local -a words=()
  read -ra words <<< "$line"
  if [[ "$line" == *[[:space:]] || ${#words[@]} -lt 2 ]]; then words+=(""); fi
  current="${words[-1]}"
  COMPREPLY=()
  compopt +o nospace 2> /dev/null
  while IFS=$'\t' read -r word _; do
    if [[ -z "$paths" ]]; then
      paths="$word"
    elif [[ -n "$word" ]]; then
      COMPREPLY+=("$word")
    fi
  done < <("${words[0]}" __complete "${words[@]:1}" 2> /dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *[=:,] ]]; then compopt -o nospace 2> /dev/null; fi
  if [[ ${#COMPREPLY[@]} -eq 0 || "$current" == */* ]]; then
    case "$paths" in
      files) compopt -o filenames 2> /dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
      folders) compopt -o filenames 2> /dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
    esac
  elif [[ "$paths" == files && -n "$current" ]]; then
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
  fi
  local mark before=""
  for mark in ":" "="; do
    if [[ "$COMP_WORDBREAKS" == *"$mark"* && "$current" == *"$mark"* && ${#current} -gt ${#before} ]]; then
      word="${current%"${current##*"$mark"}"}"
      if [[ ${#word} -gt ${#before} ]]; then before="$word"; fi
    fi
  done
  COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -F _heddle heddle
)SCRIPT";

constexpr const char* kZsh = R"SCRIPT(#compdef heddle
# zsh completion of heddle; made by `heddle completion zsh`
_heddle() {
  local paths="" line word
  local -a open whole open_shown whole_shown
  for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
    if [[ -z "$paths" ]]; then
      paths="$line"
      continue
    fi
    word="${line%%$'\t'*}"
    [[ -z "$word" ]] && continue
    if [[ "$word" == *[=:,] ]]; then
      open+=("$word")
      open_shown+=("$word  ${line#*$'\t'}")
    else
      whole+=("$word")
      whole_shown+=("$word  ${line#*$'\t'}")
    fi
  done
  (( ${#whole} )) && compadd -l -d whole_shown -a whole
  (( ${#open} )) && compadd -l -S '' -d open_shown -a open
  case "$paths" in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
compdef _heddle heddle
)SCRIPT";

}  // namespace

std::string completion_script(const std::string& shell) { return shell == "zsh" ? kZsh : kBash; }

}  // namespace heddle
