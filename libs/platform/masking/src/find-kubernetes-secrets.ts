import type { Find } from './credential.ts';
import { isNoReference } from './context-rules.ts';

/**
 * Matches the `kind` field of a Secret; the pattern begins with literal text, which the regular expression engine finds
 * quickly.
 */
const KIND = /kind["']?[ \t]{0,8}:[ \t]{0,8}["']?[Ss]ecret["']?[ \t]{0,8}\r?$/m;
const DATA = /^(\s{0,64})["']?(?:data|stringData)["']?[ \t]{0,8}:[ \t]{0,8}\r?$/;
/** Matches `key: value`; a multi-line value begins with `|` or `>`. */
const ENTRY = /^(\s{0,64})[^\s:#][^:\n]{0,252}:[ \t]{1,8}["']?([^\s"'][^\n"']{0,65536}?)["']?[ \t]{0,8}\r?$/;
const BLOCK = /^[|>][+-]?\d?$/;
const INDENT = /^\s{0,64}/;
const LEAST_LENGTH = 4;

/**
 * Finds the values of a Kubernetes Secret, whatever their names. In `text`, escapes must already have been replaced by
 * the characters they represent.
 */
export function findKubernetesSecrets(text: string, found: Find[]): void {
  if (!KIND.test(text)) return;
  let offset = 0;
  for (const manifest of text.split(/(?<=\n)(?=---)/)) {
    if (KIND.test(manifest)) readManifest(manifest, offset, found);
    offset += manifest.length;
  }
}

function readManifest(manifest: string, offset: number, found: Find[]): void {
  /** Indents of the current `data:` or `stringData:` line and of the current multi-line entry; negative if none. */
  let dataIndent = -1;
  let blockIndent = -1;
  let start = offset;
  for (const line of manifest.split('\n')) {
    const indent = INDENT.exec(line)?.[0].length ?? 0;
    if (line.trim() !== '') {
      if (indent <= dataIndent) dataIndent = -1;
      if (dataIndent < 0 || indent <= blockIndent) blockIndent = -1;
      if (blockIndent >= 0) push(found, start + indent, line.trim());
      else if (dataIndent < 0) dataIndent = DATA.exec(line)?.[1]?.length ?? -1;
      else blockIndent = readEntry(line, start, found);
    }
    start += line.length + 1;
  }
}

/**
 * Returns the indent of the entry if its value begins on the next line. Otherwise adds the value to `found`, and
 * returns a negative number.
 */
function readEntry(line: string, start: number, found: Find[]): number {
  const [, indent = '', value = ''] = ENTRY.exec(line) ?? [];
  if (BLOCK.test(value.trim())) return indent.length;
  push(found, start + line.lastIndexOf(value), value);
  return -1;
}

function push(found: Find[], start: number, value: string): void {
  if (value.length < LEAST_LENGTH || !isNoReference(value)) return;
  found.push({ start, end: start + value.length, rule: 'kubernetes-secret' });
}
