import type { Redirection } from 'unbash';
import { isSink, placePath } from './list-writes.ts';
import { readFields, readText, type Scope } from './read-words.ts';
import { BYTES_OF_PART, spendBytes, type Reading, type Streams } from './reading.ts';
import { NO_INPUT, type Field, type Input } from './shell-program.ts';
import { findDownload, findWritten } from './written-files.ts';

const NETWORK = /^\/dev\/(?:tcp|udp)\//;
const FROM_NETWORK: Input = { kind: 'programs', names: ['nc'] };
/** Matches file descriptors and process substitutions, which are not files that the program opens. */
const NO_FILE = /^(?:\d+-?|-|\/dev\/fd\/63)$/;

/** Returns what a command reads and writes through its redirections. */
export function readStreams(
  reading: Reading,
  scope: Scope,
  redirections: readonly Redirection[],
  given: Input,
): Streams {
  const writes: string[] = [];
  let input = given;
  let writesUnknown = false;
  for (const redirection of redirections) {
    spendBytes(reading, BYTES_OF_PART);
    if (redirection.type === 'HereDoc') {
      const { text, parts } = redirection.body;
      input = { kind: 'text', text: parts === undefined ? text : readText(parts, scope).text };
      continue;
    }
    if (redirection.target === undefined) continue;
    const fields = readFields(redirection.target, scope);
    if (redirection.type === 'HereString') input = { kind: 'text', text: fields.map(({ text }) => text).join(' ') };
    else input = readInput(reading, redirection.operator, fields) ?? input;
    if (redirection.type !== 'Redirect' || !redirection.operator.includes('>')) continue;
    const paths = fields.filter(({ text }) => !NO_FILE.test(text)).map((field) => placePath(reading, field));
    writesUnknown ||= paths.includes(undefined);
    writes.push(...(paths.filter((path) => path !== undefined && !isSink(path)) as string[]));
  }
  return { input, writes, writesUnknown };
}

/** Returns the input that a redirection provides from a file or a network connection; undefined if it provides none. */
function readInput(reading: Reading, operator: string, fields: readonly Field[]): Input | undefined {
  const goesBothWays = operator.startsWith('>&') || operator.startsWith('&>');
  if (!operator.startsWith('<') && !goesBothWays) return undefined;
  if (fields.some(({ text }) => NETWORK.test(text))) return FROM_NETWORK;
  return goesBothWays ? undefined : readFile(reading, fields);
}

/**
 * Returns the input from a file: the programs that downloaded the file or print its content, or the text that the
 * command line itself wrote to it.
 */
function readFile(reading: Reading, fields: readonly Field[]): Input {
  const names = fields.flatMap((field) => [...field.from, findDownload(reading, field) ?? []].flat());
  if (names.length > 0) return { kind: 'programs', names };
  const written = fields.map((field) => findWritten(reading, field)).find((text) => text !== undefined);
  return written === undefined ? NO_INPUT : { kind: 'text', text: written };
}
