/** Rules for distinguishing the options of a program from the words after them. */
export interface OptionForm {
  /** Letters of options that take the next word as their value. */
  readonly letters?: string;
  /** Long options that take the next word as their value. */
  readonly longs?: readonly string[];
  /** Number of operands of the wrapper itself, before the command. */
  readonly operands?: number;
  /** True if `NAME=value` may precede the command. */
  readonly hasAssignments?: boolean;
}

const NONE: OptionForm = {};

/** Programs that run the command that follows their own options. */
export const WRAPPERS: Readonly<Record<string, OptionForm>> = {
  sudo: {
    letters: 'uUghpCrtDRT',
    longs: [
      ...['user', 'other-user', 'group', 'host', 'prompt', 'close-from', 'role', 'type', 'chdir', 'chroot'],
      'command-timeout',
    ],
    hasAssignments: true,
  },
  doas: { letters: 'uC' },
  env: { letters: 'uC', longs: ['unset', 'chdir'], hasAssignments: true },
  ...Object.fromEntries(['nohup', 'setsid', 'builtin', 'busybox', 'toybox'].map((name) => [name, NONE])),
  ...Object.fromEntries(
    [
      ...['unbuffer', 'fakeroot', 'pkexec', 'noglob', 'nocorrect', 'firejail', 'linux64', 'linux32', 'i386', 'x86_64'],
      ...['rlwrap', 'annotate-output', 'catchsegv', 'retry', 'valgrind', 'spawn', 'ts', 'chpst', 'softlimit'],
    ].map((name) => [name, NONE]),
  ),
  command: NONE,
  exec: { letters: 'a' },
  nice: { letters: 'n', longs: ['adjustment'] },
  ionice: { letters: 'cnp', longs: ['class', 'classdata'] },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  prlimit: { letters: 'po', longs: ['pid', 'output'] },
  numactl: { letters: 'NmiCp', longs: ['cpunodebind', 'membind', 'interleave', 'physcpubind', 'preferred'] },
  setarch: {},
  logsave: { operands: 1 },
  just: { longs: ['justfile', 'working-directory', 'set'] },
  gdb: { letters: 'x', longs: ['ex', 'command'] },
  lldb: { letters: 'osO' },
  bwrap: {},
  cmd: {},
  perf: {},
  timeout: { letters: 'sk', longs: ['signal', 'kill-after'], operands: 1 },
  gtimeout: { letters: 'sk', longs: ['signal', 'kill-after'], operands: 1 },
  stdbuf: { letters: 'ioe', longs: ['input', 'output', 'error'] },
  time: { letters: 'fo', longs: ['format', 'output'] },
  xargs: {
    letters: 'IndLPsaE',
    longs: ['replace', 'max-args', 'delimiter', 'max-lines', 'max-procs', 'max-chars', 'arg-file'],
  },
  parallel: { letters: 'jIaN', longs: ['jobs'] },
  strace: { letters: 'eopsuEPaSbIO' },
  ltrace: { letters: 'eopsualn' },
  unshare: { letters: 'SGRw' },
  nsenter: { letters: 'tSG', longs: ['target'] },
  chroot: { longs: [], operands: 1 },
  gosu: { operands: 1 },
  'su-exec': { operands: 1 },
  flock: { letters: 'wE', longs: ['timeout', 'wait'], operands: 1 },
  screen: { letters: 'ScshtTep' },
  caffeinate: { letters: 'tw' },
  watch: { letters: 'n', longs: ['interval'] },
  'systemd-run': { letters: 'pEutM', longs: ['unit', 'property', 'setenv', 'uid', 'gid'] },
  setpriv: { longs: ['reuid', 'regid'] },
  ssh: { letters: 'bcDEeFIiJLlmOopQRSWw', operands: 1 },
  ...Object.fromEntries(
    [
      'ssh-agent',
      'dbus-run-session',
      'xvfb-run',
      'proxychains',
      'proxychains4',
      'torsocks',
      'chronic',
      'eatmydata',
    ].map((name) => [name, NONE]),
  ),
  faketime: { operands: 1 },
  'systemd-inhibit': {},
  dotenv: { letters: 'ef' },
  entr: NONE,
  npx: { letters: 'p', longs: ['package'] },
  bunx: NONE,
};

/** Programs with the subcommands that run another command, which follows the subcommand and its options. */
export const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  docker: ['run', 'exec'],
  podman: ['run', 'exec'],
  nerdctl: ['run', 'exec'],
  crictl: ['exec'],
  lxc: ['exec'],
  kubectl: ['exec', 'run'],
  poetry: ['run'],
  uv: ['run'],
  nix: ['develop', 'shell', 'run'],
  scl: ['enable'],
  pipenv: ['run'],
  pdm: ['run'],
  bundle: ['exec'],
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  op: ['run'],
  doppler: ['run'],
  infisical: ['run'],
  direnv: ['exec'],
  mise: ['exec', 'x'],
  asdf: ['exec'],
  rbenv: ['exec'],
  pyenv: ['exec'],
  conda: ['run'],
  hatch: ['run'],
  rye: ['run'],
  'docker-compose': ['run', 'exec'],
  'aws-vault': ['exec'],
};

/** Form of the options before the subcommand, by program. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionForm>> = {
  git: { letters: 'cC', longs: ['git-dir', 'work-tree', 'namespace', 'super-prefix', 'config-env', 'attr-source'] },
  docker: { letters: 'Hlc', longs: ['context', 'config', 'log-level', 'host'] },
  podman: { longs: ['connection', 'url', 'log-level'] },
  kubectl: { letters: 'ns', longs: ['namespace', 'context', 'kubeconfig', 'cluster', 'user', 'server', 'token'] },
  helm: { letters: 'n', longs: ['namespace', 'kube-context', 'kubeconfig'] },
  npm: { letters: 'Cw', longs: ['prefix', 'workspace'] },
  pnpm: { letters: 'CF', longs: ['dir', 'filter'] },
  yarn: { longs: ['cwd'] },
  aws: { longs: ['profile', 'region', 'output', 'endpoint-url', 'query'] },
  gcloud: { longs: ['project', 'account', 'configuration', 'format'] },
  gh: { letters: 'R', longs: ['repo'] },
};

export const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'mksh',
  'ash',
  'rbash',
  'fish',
]);
export const SHELL_OPTIONS: OptionForm = { letters: 'oO', longs: ['rcfile', 'init-file'] };

/**
 * Interpreters of other languages, with the letters of the options that take the code or the module to run, and of the
 * options that are combined with these (`perl -ne`).
 */
export const INTERPRETERS: Readonly<Record<string, string>> = {
  python: 'cm',
  perl: 'eEnp',
  ruby: 'enp',
  node: 'ep',
  nodejs: 'ep',
  bun: 'ep',
  deno: '',
  php: 'r',
  lua: 'e',
  osascript: 'e',
  tclsh: '',
  pwsh: 'c',
  powershell: 'c',
};

export function findInterpreter(program: string): string | undefined {
  const name = program.replace(/[\d.]+$/, '');
  return Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined;
}

export const DOWNLOADERS: ReadonlySet<string> = new Set([
  ...[
    'curl',
    'wget',
    'wget2',
    'fetch',
    'aria2c',
    'http',
    'https',
    'xh',
    'lynx',
    'nc',
    'ncat',
    'netcat',
    'axel',
    'gsutil',
    'scp',
    'rsync',
  ],
]);

/** Programs that print settings, which are usually evaluated by the calling shell. */
export const SHELL_SETTINGS: ReadonlySet<string> = new Set([
  ...['ssh-agent', 'direnv', 'pyenv', 'rbenv', 'nodenv', 'jenv', 'brew', 'fnm', 'starship', 'zoxide', 'opam', 'conda'],
  ...[
    'mise',
    'minikube',
    'dircolors',
    'lesspipe',
    'register-python-argcomplete',
    'gpg-agent',
    'kubectl',
    'helm',
    'npm',
  ],
]);

/** Returns the index of a wrapper's command: the first word after the options and operands of the wrapper itself. */
export function findCommand(form: OptionForm, words: readonly string[]): number {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      at += 1;
      break;
    }
    if (form.hasAssignments === true && (isAssignment(word) || word === '-')) continue;
    if (!word.startsWith('-') || word === '-') break;
    if (takesNext(form, word)) at += 1;
  }
  while (form.hasAssignments === true && isAssignment(words[at] ?? '')) at += 1;
  return at + (form.operands ?? 0);
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}

function takesNext({ letters = '', longs = [] }: OptionForm, word: string): boolean {
  if (word.startsWith('--')) return longs.includes(word.slice(2));
  // In a cluster of letters, the characters after the letter of an option with a value are this value. The option takes
  // the next word only if its letter is the last one.
  const place = [...word.slice(1)].findIndex((letter) => letters.includes(letter));
  return place !== -1 && place === word.length - 2;
}
