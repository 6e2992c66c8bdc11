
# Offers the given words that begin with $1. $2 stands before the reply: what bash takes as part of the word.
_orrery_offer() {
  local start="$1" before="$2"
  shift 2
  COMPREPLY=($(compgen -P "$before" -W "$*" -- "$start"))
}

# Offers files and folders, or (-d) folders only, besides what is offered already.
_orrery_files() {
  local IFS=$'\n'
  COMPREPLY+=($(compgen "$@"))
  compopt -o filenames 2>/dev/null
}

# What of $1 must stand before a reply, because bash does not end a word at "=".
_orrery_before() {
  if [[ $COMP_WORDBREAKS != *=* ]]; then printf '%s' "${1%%=*}="; fi
}

# NAME=VALUE: names, then the values of the name.
_orrery_set() {
  local words
  if [[ $1 == *=* ]]; then
    _orrery_values "${1%%=*}"
    _orrery_offer "${1#*=}" "$(_orrery_before "$1")" "$words"
  else
    _orrery_offer "$1" '' "$_orrery_options"
    COMPREPLY=("${COMPREPLY[@]/%/=}")
    compopt -o nospace 2>/dev/null
  fi
}

# Several words with commas between them: completes the last one.
_orrery_list() {
  local text="$1" before=''
  shift
  if [[ $text == *,* ]]; then before="${text%,*},"; fi
  _orrery_offer "${text##*,}" "$before" "$*"
}

# Completes $2 as a value of the kind $1.
_orrery_value() {
  local kind="$1" text="$2" words word kernels
  case "$kind" in
    set) _orrery_set "$text" ;;
    option=*)
      _orrery_values "${kind#option=}"
      _orrery_offer "$text" '' "$words"
      ;;
    DATA)
      _orrery_offer "$text" '' "$_orrery_models"
      _orrery_files -f -- "$text"
      ;;
    SHELL) _orrery_offer "$text" '' bash ;;
    MODEL) _orrery_offer "$text" '' "$_orrery_models" ;;
    LADDER | LADDER\|all) _orrery_offer "$text" '' "$_orrery_ladders all" ;;
    FORMAT) _orrery_offer "$text" '' "$_orrery_formats" ;;
    AXES) _orrery_list "$text" "$_orrery_options" ;;
    KERNELS\|all)
      _orrery_values kernel
      kernels="$words"
      _orrery_values family
      _orrery_list "$text" "$kernels $words all"
      ;;
    SCHEDULES)
      _orrery_values schedule
      _orrery_list "$text" "$words all"
      ;;
    NAME\|FILE)
      _orrery_offer "$text" '' "$_orrery_views"
      _orrery_files -f -- "$text"
      ;;
    FILE* | IN | OUT) _orrery_files -f -- "$text" ;;
    DIR) _orrery_files -d -- "$text" ;;
    *)
      # What the help shows in small letters is meant as it stands there.
      words=''
      for word in ${kind//|/ }; do
        if [[ $word != *[^a-z-]* ]]; then words+=" $word"; fi
      done
      _orrery_offer "$text" '' "$words"
      ;;
  esac
}

# Sets kind to that of the flag $1 in $flags: false if there is no such flag.
_orrery_kind() {
  local each
  for each in $flags; do
    if [[ ${each%%:*} == "$1" ]]; then
      kind="${each#*:}"
      return 0
    fi
  done
  return 1
}

# Sets kind to that of the positional argument $1, counted from 0.
_orrery_positional() {
  local -a kinds
  read -r -a kinds <<<"$positionals"
  local last=$((${#kinds[@]} - 1))
  if ((last < 0)); then return; fi
  if (($1 <= last)); then
    kind="${kinds[$1]%\*}"
  elif [[ ${kinds[last]} == *\* ]]; then
    kind="${kinds[last]%\*}"
  fi
}

# Sets line to the words up to the cursor; bash cuts them at "=", here they are whole.
_orrery_line() {
  local i piece glue=0
  line=()
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    piece="${COMP_WORDS[i]}"
    if ((${#line[@]} > 0)) && [[ $piece == '=' || $glue == 1 ]]; then
      line[${#line[@]} - 1]+="$piece"
    else
      line+=("$piece")
    fi
    glue=0
    if [[ $piece == '=' ]]; then glue=1; fi
  done
}

# Flags of the command, and of the program while there is no command.
_orrery_flags() {
  local each names=''
  for each in $flags; do names+=" ${each%%:*}"; done
  if [[ $2 == 0 ]]; then names+=' --version --help-options'; fi
  _orrery_offer "$1" '' "$names"
}

_orrery() {
  local -a line
  local flags='' positionals='' kind='' command=view count=0 i=0
  COMPREPLY=()
  _orrery_line
  local last=$((${#line[@]} - 1))
  local text="${line[last]}"
  if ((last > 0)) && [[ " $_orrery_commands " == *" ${line[0]} "* ]]; then
    command="${line[0]}"
    i=1
  fi
  _orrery_command "$command"
  # Of what stands before the cursor flags take their values along; the rest is counted.
  for (( ; i < last; ++i)); do
    kind=''
    if [[ ${line[i]} != -* ]]; then
      count=$((count + 1))
    elif [[ ${line[i]} != *=* ]] && _orrery_kind "${line[i]}" && [[ -n $kind ]]; then
      i=$((i + 1))
      if ((i == last)); then
        _orrery_value "$kind" "$text"
        return
      fi
    fi
  done
  kind=''
  if [[ $text == --*=* ]]; then
    if _orrery_kind "${text%%=*}"; then _orrery_value "$kind" "${text#*=}"; fi
  elif [[ $text == -* ]]; then
    _orrery_flags "$text" "$last"
  else
    _orrery_positional "$count"
    _orrery_value "$kind" "$text"
    if ((last == 0)); then COMPREPLY+=($(compgen -W "$_orrery_commands" -- "$text")); fi
  fi
}

complete -F _orrery orrery
