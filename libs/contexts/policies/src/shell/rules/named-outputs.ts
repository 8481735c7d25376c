import type { Field } from './shell-program.ts';

/** Options that name the output file of a program. */
const OPTIONS: Readonly<Record<string, readonly [letters: string, ...longs: string[]]>> = {
  ...Object.fromEntries(
    ['sort', 'gcc', 'g++', 'cc', 'clang', 'rustc', 'go', 'pandoc'].map((name) => [name, ['o', 'output']]),
  ),
  ...Object.fromEntries(['gpg', 'iconv', 'strace', 'ltrace', 'time', 'protoc'].map((name) => [name, ['o', 'output']])),
  unzip: ['d'],
  cpio: ['D', 'directory'],
  'ssh-keygen': ['f'],
  csplit: ['f', 'prefix'],
  pg_dump: ['f', 'file'],
  pg_dumpall: ['f', 'file'],
  npm: ['', 'prefix'],
  pip: ['t', 'target', 'prefix', 'root'],
  pip3: ['t', 'target', 'prefix', 'root'],
  tsc: ['', 'outDir', 'outFile', 'declarationDir'],
  mktemp: ['p', 'tmpdir'],
  aria2c: ['o', 'out', 'dir'],
  docker: ['', 'output'],
};
/** Options with a single dash that name the output file. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  openssl: ['-out', '-keyout'],
  find: ['-fprint', '-fprint0', '-fprintf', '-fls'],
  gfind: ['-fprint', '-fprint0', '-fprintf', '-fls'],
};
/** Minimum number of operands, and index of the operand that is written; a negative index counts from the end. */
const OPERANDS: Readonly<Record<string, readonly [least: number, place: number]>> = {
  split: [2, 1],
  uniq: [2, 1],
  xxd: [2, 1],
  zip: [1, 0],
  sqlite3: [1, 0],
  mktemp: [1, 0],
  script: [1, 0],
  logsave: [1, 0],
  ffmpeg: [1, -1],
  convert: [2, -1],
  magick: [2, -1],
};
/** Position of the operand that is an output, counted from the subcommand, by program and subcommand. */
const SUBCOMMANDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  git: { clone: 2, init: 1 },
  docker: { cp: 2 },
  podman: { cp: 2 },
  kubectl: { cp: 2 },
};
const GIT_OPTIONS: Readonly<Record<string, readonly [letters: string, ...longs: string[]]>> = {
  archive: ['o', 'output'],
  'format-patch': ['o', 'output-directory'],
  diff: ['', 'output'],
  log: ['', 'output'],
  show: ['', 'output'],
  apply: ['', 'directory'],
};

type FindValues = (letters: readonly string[], longs: readonly string[]) => readonly Field[];

/**
 * Returns the words that name a program's output, according to the tables above and the rules for git and archives
 * below.
 */
export function listNamedOutputs(
  { program, subcommand }: { readonly program: string; readonly subcommand: string },
  { fields, operands }: { readonly fields: readonly Field[]; readonly operands: readonly Field[] },
  findValues: FindValues,
): readonly Field[] {
  const byOption = (options: readonly [string, ...string[]] | undefined): readonly Field[] => {
    const [letters, ...longs] = options ?? [''];
    return options === undefined ? [] : findValues([...letters], longs);
  };
  const named = own(WORDS, program) ?? [];
  const place = own(OPERANDS, program);
  const behind = own(SUBCOMMANDS, program)?.[subcommand];
  return [
    ...byOption(own(OPTIONS, program)),
    ...(program === 'git'
      ? [...byOption(own(GIT_OPTIONS, subcommand)), ...listOfGit(subcommand, fields, operands)]
      : []),
    ...fields.filter((_field, index) => named.includes(fields[index - 1]?.text ?? '')),
    ...(place === undefined || operands.length < place[0] ? [] : operands.slice(place[1]).slice(0, 1)).filter(
      ({ text }) => text !== ':memory:',
    ),
    ...(behind === undefined ? [] : findBehind(operands, subcommand, behind)),
    ...listOfArchive(program, fields),
  ];
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function findBehind(operands: readonly Field[], subcommand: string, place: number): readonly Field[] {
  const at = operands.findIndex(({ text }) => text === subcommand);
  return operands.slice(at + place, at + place + 1);
}

function listOfGit(subcommand: string, fields: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const other = fields.filter((_field, index) => fields[index - 1]?.text === '-C');
  if (subcommand === 'init') return other;
  const at = operands.findIndex(({ text }) => text === subcommand);
  const next = operands[at + 1]?.text;
  const isMade = (subcommand === 'worktree' && next === 'add') || (subcommand === 'bundle' && next === 'create');
  return isMade ? operands.slice(at + 2, at + 3) : [];
}

/** Returns the outputs of archive programs, as in `tar cf FILE` and `7z x -oDIR`. */
function listOfArchive(program: string, fields: readonly Field[]): readonly Field[] {
  if (/^7z\w?$/.test(program))
    return fields.filter(({ text }) => /^-o./.test(text)).map((field) => ({ ...field, text: field.text.slice(2) }));
  if (!/^(?:bsd|g)?tar$/.test(program)) return [];
  const [first, second] = fields;
  const bundle = first?.text.replace(/^-/, '') ?? '';
  const makes = /^[A-Za-z]*[cruA]/.test(bundle) && !first?.text.startsWith('--');
  const isSaid = makes || fields.some(({ text }) => /^-[A-Za-z]*[cru]|^--(?:create|append|update)$/.test(text));
  if (!isSaid) return [];
  if (makes && bundle.endsWith('f') && second !== undefined) return second.text === '-' ? [] : [second];
  return fields.filter(({ text }, index) => /^-f$|^--file$/.test(fields[index - 1]?.text ?? '') && text !== '-');
}
