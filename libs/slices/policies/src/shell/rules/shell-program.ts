/** A program that a command line runs, or may run. Names of members are those of conditions. */
export interface ShellProgram {
  /** Last part of its path, in lower case; empty where it is not known, or where nothing but a redirection stands there. */
  program: string;
  /** As the program gets them: without quotes, with variables that the text itself sets. */
  args: string[];
  /** `r` and `f` of `-rf`, `force` of `--force` and of `--force=yes`. */
  flags: string[];
  /** `push` of `git -C /srv push`; the first argument that is no option. */
  subcommand: string;
  /** Clean paths of files that it writes, as far as that is known of redirections and of this program. */
  writes: string[];
  /** It writes somewhere that is not known. */
  writes_unknown: boolean;
  /** Programs that read what it prints. */
  pipes_to: string[];
  /** Programs whose output it runs as code. */
  code_from: string[];
  /** An argument that may be an option is made by a program, and not known. */
  unknown_args: boolean;
  /** It is not known which program runs, or which code. */
  unreadable: boolean;
}

/** A word as a program gets it. */
export interface Field {
  readonly text: string;
  /** False where something in it is not known: it stands there as it is written. */
  readonly isKnown: boolean;
  /** Stands for names of files. */
  readonly isGlob: boolean;
  /** Programs whose output it holds, or reads. */
  readonly from: readonly string[];
  /** What it begins with may be an option. */
  readonly mayBeOption: boolean;
}

/** What a program reads. */
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

/** Whether a program is given an option; of a long one also what getopt takes for it, its first letters. */
export function hasFlag(flags: readonly string[], name: string): boolean {
  return flags.some((flag) => flag === name || (flag.length > 1 && name.length > 1 && name.startsWith(flag)));
}

/** Arguments that are no options, and all behind `--`. */
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
