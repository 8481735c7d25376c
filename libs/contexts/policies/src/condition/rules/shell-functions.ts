import { CelScalar, celFunc, celList, listType, mapType, type CelFunc, type CelInput } from '@bufbuild/cel';
import { LRUCache } from 'lru-cache';
import { cleanPath, isInside } from '../../shell/rules/clean-path.ts';
import { listPatchedFiles } from '../../shell/rules/list-patched-files.ts';
import { readArguments, readShell } from '../../shell/rules/read-shell.ts';
import { hasFlag, type ShellProgram } from '../../shell/rules/shell-program.ts';
import type { ArgumentSize, ShellSize } from './condition-work.ts';
import { toCelValue } from './to-cel-value.ts';

interface ReadCommand {
  readonly value: CelInput;
  readonly size: ShellSize;
}

/** Cache of parsed command lines by their strings: one decision reads the same command line many times. */
const known = new LRUCache<string, ReadCommand>({
  max: 200,
  maxSize: 4_000_000,
  sizeCalculation: ({ size }) => 1_000 + size.length + 4 * size.bytes + 50 * size.members,
});

const DYNAMIC_MAP = mapType(CelScalar.STRING, CelScalar.DYN);
const TEXTS = listType(CelScalar.STRING);

export const SHELL_FUNCTIONS: readonly CelFunc[] = [
  celFunc('shell', [CelScalar.STRING], listType(DYNAMIC_MAP), (text) => readCommand(text).value as never),
  celFunc('shell', [listType(CelScalar.DYN)], listType(DYNAMIC_MAP), (words) => readCommand([...words]).value as never),
  celFunc('path', [CelScalar.STRING], CelScalar.STRING, cleanPath),
  celFunc('inside', [CelScalar.STRING, CelScalar.STRING], CelScalar.BOOL, isInside),
  celFunc('patchFiles', [CelScalar.STRING], TEXTS, (text) => celList(listPatchedFiles(text)) as never),
  celFunc('hasFlag', [DYNAMIC_MAP, CelScalar.STRING], CelScalar.BOOL, (program, name) => {
    const flags = program.get('flags') as Iterable<unknown> | undefined;
    return (
      flags !== undefined &&
      hasFlag(
        [...flags].filter((flag) => typeof flag === 'string'),
        name,
      )
    );
  }),
];

/**
 * Returns a function that measures command lines in the arguments of one call; the length of each command line is
 * counted only once.
 */
export function createShellMeter(args: unknown): NonNullable<ArgumentSize['measureShell']> {
  const read = new Set<unknown>();
  return (path) => {
    const command = path.reduce(getMember, args);
    if (typeof command !== 'string' && !isTexts(command)) return NO_COMMAND;
    const { size } = readCommand(command);
    const isNew = !read.has(command);
    read.add(command);
    return isNew ? size : { ...size, length: 0 };
  };
}

/** Size for a value that is not a command line: the function `shell` fails for it, without parsing anything. */
const NO_COMMAND: ShellSize = { length: 0, programs: 0, members: 0, bytes: 0 };

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/**
 * Returns the programs of a command line, and their size.
 * @throws if a list contains anything other than strings
 */
function readCommand(command: string | readonly unknown[]): ReadCommand {
  if (typeof command !== 'string' && !isTexts(command)) throw new Error('shell takes a string or a list of strings');
  const key = typeof command === 'string' ? `text ${command}` : JSON.stringify(command);
  const found = known.get(key);
  if (found !== undefined) return found;
  const programs = typeof command === 'string' ? readShell(command) : readArguments(command);
  const read = { value: toCelValue(programs), size: measurePrograms(key.length, programs) };
  known.set(key, read);
  return read;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function measurePrograms(length: number, programs: readonly ShellProgram[]): ShellSize {
  let members = 0;
  let bytes = 0;
  for (const program of programs) {
    bytes += program.program.length + program.subcommand.length;
    for (const list of [program.args, program.flags, program.writes, program.pipes_to, program.code_from]) {
      members += list.length;
      for (const text of list) bytes += text.length;
    }
  }
  return { length, programs: programs.length, members, bytes };
}
