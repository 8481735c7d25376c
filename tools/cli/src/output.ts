import { stripVTControlCharacters } from 'node:util';
import { maskCredentials } from '@steward/masking';
import { escapeSigns, showSigns } from '@steward/text';

export interface Output {
  /** Writes one line of the result to standard output. */
  line(text: string): void;
  /** Writes one line to standard error: progress and problems. */
  note(text: string): void;
  /** Prints the credential that the command created, on a separate line; no other function prints a credential. */
  credential(value: string): void;
  /** Registers a secret: from now on, this value is printed as asterisks wherever it occurs. */
  keepSecret(value: string | undefined): void;
  readonly styles: Styles;
}

export interface Styles {
  bold(text: string): string;
  dim(text: string): string;
  mark(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

interface Sink {
  write(text: string): unknown;
}

export interface OutputOptions {
  readonly stdout: Sink & { readonly isTTY?: boolean };
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Minimum length of a secret: shorter values are too weak as secrets, and hiding them would obscure ordinary words. */
const SHORTEST_SECRET = 6;
/**
 * Matches credentials of this service that were not registered, for example in the log line of an agent or a mistyped
 * command.
 */
const KNOWN_SHAPES = /\b(?:flw_|whsec_|stw_)[A-Za-z0-9_+/=-]{16,}/g;

/** Creates the object through which all output goes, and which hides credentials. */
export function createOutput({ stdout, stderr, env }: OutputOptions): Output {
  const secrets = new Set<string>();
  const hide = (text: string): string => {
    let hidden = text;
    for (const secret of secrets) hidden = hidden.replaceAll(secret, '***');
    return maskCredentials(hidden.replaceAll(KNOWN_SHAPES, '***'));
  };
  return {
    line: (text) => void stdout.write(`${hide(text)}\n`),
    note: (text) => void stderr.write(`${hide(text)}\n`),
    credential: (value) => void stdout.write(`${value}\n`),
    keepSecret(value) {
      if (value === undefined || value.length < SHORTEST_SECRET) return;
      secrets.add(value);
      const encoded = encodeURIComponent(value);
      if (encoded !== value) secrets.add(encoded);
    },
    styles: createStyles(usesColour(stdout.isTTY === true, env)),
  };
}

function usesColour(isTerminal: boolean, env: OutputOptions['env']): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

function createStyles(enabled: boolean): Styles {
  const style =
    (on: number, off: number) =>
    (text: string): string =>
      enabled ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: style(1, 22), dim: style(2, 22), mark: style(7, 27), good: style(32, 39), bad: style(31, 39) };
}

/**
 * Returns external text (logs, snippets, payloads) without its colors; other control sequences and invisible characters
 * are escaped.
 */
export function cleanText(text: string): string {
  return showSigns(stripVTControlCharacters(text));
}

/** Formats a time for display, to the minute, in UTC. */
export function formatMinute(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ');
}

/**
 * Formats JSON for standard output. JSON leaves C1 control characters, which some terminals interpret, and invisible
 * characters unescaped.
 */
export function formatJson(value: unknown, indent?: number): string {
  return escapeSigns(JSON.stringify(value, undefined, indent));
}
