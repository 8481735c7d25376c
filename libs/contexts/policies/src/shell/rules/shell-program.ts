/** A program that a command line runs or may run. Its members have the names that conditions use. */
export interface ShellProgram {
  /** Last part of the program's path, in lower case; empty if it is unknown, or if there are only redirections. */
  program: string;
  /**
   * The arguments of the program, without quotes, and with the values of variables that the command line itself sets.
   */
  args: string[];
  /** Names of options: `r` and `f` for `-rf`, `force` for `--force` and `--force=yes`. */
  flags: string[];
  /** The first argument that is neither an option nor the value of an option: `push` for `git -C /srv push`. */
  subcommand: string;
  /** Normalized paths of files that the program writes, as far as its redirections and arguments show them. */
  writes: string[];
  /** True if the program also writes to an unknown path. */
  writes_unknown: boolean;
  /** Programs that read the output of the program. */
  pipes_to: string[];
  /** Programs whose output the program runs as code. */
  code_from: string[];
  /** True if an unknown argument, for example the output of a program, may be an option. */
  unknown_args: boolean;
  /** True if it is unknown which program or which code runs. */
  unreadable: boolean;
}

/** A word as a program receives it. */
export interface Field {
  readonly text: string;
  /** False if a part of the word is unknown; that part is left as written. */
  readonly isKnown: boolean;
  /** True if the word is a pattern for file names. */
  readonly isGlob: boolean;
  /** Programs whose output is in the word, or in the file that the word names. */
  readonly from: readonly string[];
  /** True if a part of the word is unknown, and the word may therefore be an option. */
  readonly mayBeOption: boolean;
}

/** Input that a program reads. */
export type Input =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'programs'; readonly names: readonly string[]; readonly text?: undefined };

export const NO_INPUT: Input = { kind: 'none' };

export function createProgram(program: string, fields: readonly Field[] = []): ShellProgram {
  return {
    program,
    args: fields.map(({ text }) => text),
    flags: listFlags(fields),
    subcommand: '',
    writes: [],
    writes_unknown: false,
    pipes_to: [],
    code_from: [],
    unknown_args: fields.some(({ mayBeOption }) => mayBeOption),
    unreadable: false,
  };
}

export function listFlags(fields: readonly Field[]): string[] {
  const flags = new Set<string>();
  for (const { text } of fields) {
    if (text === '--') break;
    if (text.startsWith('--')) flags.add(text.slice(2).split('=', 1)[0] ?? '');
    else if (text.startsWith('-')) for (const letter of text.slice(1).split('=', 1)[0] ?? '') flags.add(letter);
  }
  return [...flags];
}

/** Returns whether an option is among the flags of a program; a long option may be abbreviated, as getopt allows. */
export function hasFlag(flags: readonly string[], name: string): boolean {
  return flags.some((flag) => flag === name || (flag.length > 1 && name.length > 1 && name.startsWith(flag)));
}

/** Returns the arguments that are not options, and all arguments after `--`. */
export function listOperands(fields: readonly Field[]): Field[] {
  const end = fields.findIndex(({ text }) => text === '--');
  const before = end === -1 ? fields : fields.slice(0, end);
  return [
    ...before.filter(({ text }) => !text.startsWith('-') || text === '-'),
    ...(end === -1 ? [] : fields.slice(end + 1)),
  ];
}

export function baseName(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .at(-1)
      ?.toLowerCase()
      .replace(/\.exe$/, '') ?? ''
  );
}
