# bash completion for descry. Load it with: source <(descry completion bash)
_descry() {
  local cur prev cmd options choices id
  cur=${COMP_WORDS[COMP_CWORD]}
  prev=${COMP_WORDS[COMP_CWORD-1]}
  cmd=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "info show io find partner verify diff open render export report layout aot opt run compare bisect bench passes ops schema completion alias fusion memory help --help --version" -- "$cur"))
    return
  fi
  case "$cmd $prev" in
    'diff --format') COMPREPLY=($(compgen -W "text json svg html" -- "$cur")); return ;;
    'open --theme') COMPREPLY=($(compgen -W "system light dark contrast" -- "$cur")); return ;;
    'render --theme') COMPREPLY=($(compgen -W "light dark contrast print" -- "$cur")); return ;;
    'render --colours') COMPREPLY=($(compgen -W "phase cut role op dtype plain" -- "$cur")); return ;;
    'render --group') COMPREPLY=($(compgen -W "module phase source none" -- "$cur")); return ;;
    'export --format') COMPREPLY=($(compgen -W "svg html dot json csv csv-io fx" -- "$cur")); return ;;
    'export --theme') COMPREPLY=($(compgen -W "light dark contrast print" -- "$cur")); return ;;
    'export --colours') COMPREPLY=($(compgen -W "phase cut role op dtype plain" -- "$cur")); return ;;
    'export --group') COMPREPLY=($(compgen -W "module phase source none" -- "$cur")); return ;;
    'report --theme') COMPREPLY=($(compgen -W "light dark contrast print" -- "$cur")); return ;;
    'layout --group') COMPREPLY=($(compgen -W "module phase source none" -- "$cur")); return ;;
    'aot --partition') COMPREPLY=($(compgen -W "default min-cut" -- "$cur")); return ;;
    'aot --decompositions') COMPREPLY=($(compgen -W "none core inductor" -- "$cur")); return ;;
    'aot --keep-input-mutations') COMPREPLY=($(compgen -W "auto on off" -- "$cur")); return ;;
    'aot --functionalize-rng') COMPREPLY=($(compgen -W "off cuda any-device" -- "$cur")); return ;;
    'aot --unlift-tokens') COMPREPLY=($(compgen -W "auto on off" -- "$cur")); return ;;
    'aot --unknown-ops') COMPREPLY=($(compgen -W "assume refuse" -- "$cur")); return ;;
    'aot --emit') COMPREPLY=($(compgen -W "joint forward backward inference meta all" -- "$cur")); return ;;
    'opt --unknown-ops') COMPREPLY=($(compgen -W "assume refuse" -- "$cur")); return ;;
    'opt --unlift-tokens') COMPREPLY=($(compgen -W "auto on off" -- "$cur")); return ;;
    'run --unknown-ops') COMPREPLY=($(compgen -W "assume refuse" -- "$cur")); return ;;
    'run --executor') COMPREPLY=($(compgen -W "interpret compiled" -- "$cur")); return ;;
    'run --device') COMPREPLY=($(compgen -W "cpu cuda" -- "$cur")); return ;;
    'run --bins') COMPREPLY=($(compgen -W "linear log" -- "$cur")); return ;;
    'run --number-format') COMPREPLY=($(compgen -W "short exact fixed scientific hex" -- "$cur")); return ;;
    'run --reference') COMPREPLY=($(compgen -W "f64" -- "$cur")); return ;;
    'compare --unknown-ops') COMPREPLY=($(compgen -W "assume refuse" -- "$cur")); return ;;
    'bisect --unknown-ops') COMPREPLY=($(compgen -W "assume refuse" -- "$cur")); return ;;
    'bisect --executor') COMPREPLY=($(compgen -W "interpret compiled" -- "$cur")); return ;;
    'bench --unknown-ops') COMPREPLY=($(compgen -W "assume refuse" -- "$cur")); return ;;
    'bench --executor') COMPREPLY=($(compgen -W "interpret compiled" -- "$cur")); return ;;
  esac
  case "$cmd" in
    info) options="--help --index-only --json --quiet --timeout --timings" ;;
    show) options="--all --help --json --no-comments --no-deletions --no-descriptors --no-types --quiet --timeout" ;;
    io) options="--help --json --quiet --timeout" ;;
    find) options="--all --fields --help --json --names --quiet --timeout" ;;
    partner) options="--help --json --quiet --timeout" ;;
    verify) options="--help --json --quiet --rules --timeout" ;;
    diff) options="--format --help --json --output --quiet --timeout --unified" ;;
    open) options="--actions --help --offscreen --quiet --script --shot --theme --timeout --workspace" ;;
    render) options="--colours --fold --group --help --hide-sizes --hide-views --joint-u --left-to-right --output --passes --quiet --scale --state --theme --timeout" ;;
    export) options="--colours --fold --format --group --help --hide-sizes --hide-views --joint-u --left-to-right --output --passes --quiet --state --theme --timeout" ;;
    report) options="--help --output --quiet --theme --timeout" ;;
    layout) options="--fold --group --help --hide-sizes --hide-views --joint-u --json --left-to-right --passes --quiet --state --stats --timeout --timings" ;;
    aot) options="--compare --cut --decompositions --emit --functionalize-rng --help --json --keep-input-mutations --memory-budget --op --ops --output --partition --quiet --recompute --requires-grad --save --timeout --unknown-ops --unlift-tokens --verify" ;;
    opt) options="--dump-after-all --findings --help --json --op --ops --output --passes --quiet --requires-grad --summary --timeout --timings --unknown-ops --unlift-tokens --verify-each" ;;
    run) options="--backward --bins --clip --compare --device --executor --help --histogram --inputs --json --keep --keep-memory --memory --nodes --number-format --op --ops --profile --quiet --reference --runs --save --save-values --seed --show-value --timeout --tolerance --unknown-ops --up-to" ;;
    compare) options="--all --backward --executors --help --inputs --json --memory --op --ops --quiet --results --seed --timeout --tolerance --unknown-ops" ;;
    bisect) options="--backward --executor --executors --help --inputs --json --memory --op --ops --passes --quiet --resume --seed --timeout --tolerance --unknown-ops" ;;
    bench) options="--backward --executor --help --inputs --json --memory --op --ops --quiet --runs --seconds --seed --timeout --unknown-ops" ;;
    passes) options="--help --json --list --quiet --timeout" ;;
    ops) options="--help --json --quiet --timeout" ;;
    schema) options="--help --quiet --timeout" ;;
    completion) options="--help --quiet --timeout" ;;
    alias) options="--help --quiet --timeout" ;;
    fusion) options="--help --quiet --timeout" ;;
    memory) options="--help --quiet --timeout" ;;
    help) COMPREPLY=($(compgen -W "info show io find partner verify diff open render export report layout aot opt run compare bisect bench passes ops schema completion alias fusion memory help --help --version" -- "$cur")); return ;;
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _descry descry
