import { cleanPath } from './clean-path.ts';
import { listNamedOutputs } from './named-outputs.ts';
import { listPatchedFiles } from './list-patched-files.ts';
import type { Reading, Streams } from './reading.ts';
import { hasFlag, listOperands, type Field, type ShellProgram } from './shell-program.ts';

/** Matches devices: writing to them does not change a file. */
const SINKS = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+|zero|(?:tcp|udp)\/.*)$/;
/** Programs that write or delete all their operands. */
const ALL_OPERANDS = new Set([
  ...[
    'tee',
    'touch',
    'mkdir',
    'mkfifo',
    'rm',
    'rmdir',
    'unlink',
    'shred',
    'truncate',
    'mv',
    'sponge',
    'trash',
    'srm',
    'ed',
    'ex',
  ],
]);
/** Programs that write no content: an unknown file name does not set `writes_unknown`. */
const NAMES_ALONE = new Set(['touch', 'mkdir', 'rm', 'rmdir', 'unlink', 'chmod']);
const LAST_OPERAND = new Set(['cp', 'install', 'ln', 'link', 'rsync', 'scp']);
/** Programs whose first operand is a mode or an owner, not a file. */
const BUT_FIRST = new Set(['chmod', 'chown', 'chgrp', 'setfacl']);

export function isSink(path: string): boolean {
  return SINKS.test(path);
}

/** Adds the files that a program writes, as far as its arguments and redirections show them. */
export function addWrites(reading: Reading, program: ShellProgram, fields: readonly Field[], streams: Streams): void {
  program.writes.push(...streams.writes);
  program.writes_unknown ||= streams.writesUnknown;
  for (const field of listOutputs(program, fields, streams)) addWrite(reading, program, field);
}

function addWrite(reading: Reading, program: ShellProgram, field: Field): void {
  const path = placePath(reading, field);
  if (path === undefined) program.writes_unknown ||= !NAMES_ALONE.has(program.program);
  else if (!isSink(path)) program.writes.push(path);
}

/** Records the link that `ln -s target name` creates: a path below the name is then below the target. */
export function noteLink(reading: Reading, { program, flags }: ShellProgram, fields: readonly Field[]): void {
  const [target, name] = listOperands(fields);
  if (
    program !== 'ln' ||
    name === undefined ||
    target === undefined ||
    !flags.some((flag) => flag === 's' || flag === 'symbolic')
  )
    return;
  const [from, to] = [placePath(reading, name), placePath(reading, target)];
  if (from !== undefined && to !== undefined && from !== to) reading.links.set(from, to);
}

/** Returns the clean path of a word; undefined if its folder is unknown. */
export function placePath(reading: Reading, field: Field): string | undefined {
  const path = findPath(reading, field);
  if (path === undefined) return undefined;
  for (const [name, target] of reading.links)
    if (path.startsWith(`${name}/`)) return cleanPath(target + path.slice(name.length));
  return path;
}

function findPath({ folder }: Reading, { text, isKnown }: Field): string | undefined {
  const isOpen = !isKnown && /^["']?[$`]/.test(text);
  const clean = cleanPath(text);
  if (isOpen && clean.startsWith('$')) return undefined;
  if (/^[/~]/.test(clean) || folder === '.') return clean;
  return folder === undefined ? undefined : cleanPath(`${folder}/${clean}`);
}

function listOutputs(described: ShellProgram, fields: readonly Field[], { input }: Streams): readonly Field[] {
  const { program } = described;
  const operands = listOperands(fields);
  if (ALL_OPERANDS.has(program)) return operands;
  if (BUT_FIRST.has(program)) return operands.slice(1);
  if (LAST_OPERAND.has(program)) {
    const target = findValues(fields, ['t'], ['target-directory']);
    return target.length > 0 ? target : operands.slice(1).slice(-1);
  }
  const own = Object.hasOwn(OUTPUTS, program) ? (OUTPUTS[program]?.({ fields, operands, input }) ?? []) : [];
  const given = { fields, operands };
  return [...own, ...listNamedOutputs(described, given, (letters, longs) => findValues(fields, letters, longs))];
}

interface Given {
  readonly fields: readonly Field[];
  readonly operands: readonly Field[];
  readonly input: Streams['input'];
}

const OUTPUTS: Readonly<Record<string, (given: Given) => readonly Field[]>> = {
  dd: ({ fields }) =>
    fields.filter(({ text }) => text.startsWith('of=')).map((field) => ({ ...field, text: field.text.slice(3) })),
  sed: listEdited,
  gsed: listEdited,
  perl: listEdited,
  curl: ({ fields, operands }) => [
    ...findValues(fields, ['o'], ['output', 'output-dir']),
    ...(isRemoteName(fields) ? nameRemote(operands) : []),
  ],
  wget({ fields, operands }) {
    const named = findValues(fields, ['O', 'P'], ['output-document', 'directory-prefix']);
    const [folder] = findValues(fields, ['P'], ['directory-prefix']);
    if (folder === undefined) return named.length > 0 ? named : nameRemote(operands);
    return [...named, ...nameRemote(operands).map((file) => ({ ...file, text: `${folder.text}/${file.text}` }))];
  },
  tar: ({ fields }) => findValues(fields, ['C'], ['directory']),
  bsdtar: ({ fields }) => findValues(fields, ['C'], ['directory']),
  make: ({ fields }) =>
    fields
      .filter(({ text }) => /^(?:DESTDIR|PREFIX|prefix)=/.test(text))
      .map((field) => ({ ...field, text: field.text.slice(field.text.indexOf('=') + 1) })),
  awk: listPrinted,
  gawk: listPrinted,
  mawk: listPrinted,
  vim: listSaved,
  vi: listSaved,
  nvim: listSaved,
  patch: (given) => [...given.operands.slice(0, 1), ...listPatched(given)],
  apply_patch: listPatched,
  applypatch: listPatched,
};

/** Returns the files to which an awk program prints, and all operands but the first if it edits in place. */
function listPrinted({ fields, operands }: Given): readonly Field[] {
  const isEdited = fields.some(
    ({ text }, index) => text === 'inplace' && /^-(?:i|-include)$/.test(fields[index - 1]?.text ?? ''),
  );
  const printed = fields.flatMap((field) =>
    [...field.text.matchAll(/>{1,2}\s*"([^"]+)"/g)].map(([, text = '']) => ({ ...field, text, isKnown: true })),
  );
  return isEdited ? [...printed, ...operands.slice(1)] : printed;
}

/** Returns the files that an editor opens, if its options contain a command that saves files; otherwise none. */
function listSaved({ fields, operands }: Given): readonly Field[] {
  const commands = fields.filter(
    ({ text }, index) => /^\+/.test(text) || /^(?:-c|--cmd)$/.test(fields[index - 1]?.text ?? ''),
  );
  if (!commands.some(({ text }) => /^\+?:?(?:w|wq|x|wa|wqa|xa|up\w*)\b/.test(text))) return [];
  return operands.filter((field) => !commands.includes(field));
}

function listEdited({ fields, operands }: Given): readonly Field[] {
  const scripts = findValues(fields, ['e', 'E'], ['expression']);
  const files = scripts.length === 0 ? operands.slice(1) : operands.filter((field) => !scripts.includes(field));
  return isInPlace(fields) ? files : [];
}

function listPatched({ fields, input }: Given): Field[] {
  const patch = input.kind === 'text' ? input.text : fields.map(({ text }) => text).join('\n');
  return listPatchedFiles(patch).map((text) => ({ text, isKnown: true, isGlob: false, from: [], mayBeOption: false }));
}

function isInPlace(fields: readonly Field[]): boolean {
  return fields.some(({ text }) => /^-[A-Za-z]*i/.test(text) || /^--in-place/.test(text));
}

function isRemoteName(fields: readonly Field[]): boolean {
  return fields.some(({ text }) => /^-[A-Za-z]*O/.test(text) || hasFlag([text.slice(2)], 'remote-name'));
}

function nameRemote(operands: readonly Field[]): Field[] {
  return operands
    .filter(({ text }) => text.includes('/'))
    .map((field) => ({ ...field, text: field.text.split(/[?#]/)[0]?.split('/').at(-1) || 'index.html' }));
}

/** Returns the values of the given options: `-o file`, `-ofile`, `-so file`, `--output file`, `--output=file`. */
function findValues(fields: readonly Field[], letters: readonly string[], longs: readonly string[]): Field[] {
  return fields.flatMap((field, index) => {
    const { text } = field;
    const next = fields[index + 1];
    const [name = '', value] = text.startsWith('--') ? text.slice(2).split(/=(.*)/s) : [];
    if (name !== '' && longs.includes(name))
      return value === undefined ? (next ? [next] : []) : [{ ...field, text: value }];
    if (text.startsWith('--') || !text.startsWith('-')) return [];
    const place = [...text].findIndex((letter, at) => at > 0 && letters.includes(letter));
    if (place === -1) return [];
    if (place < text.length - 1) return [{ ...field, text: text.slice(place + 1) }];
    return next === undefined ? [] : [next];
  });
}
