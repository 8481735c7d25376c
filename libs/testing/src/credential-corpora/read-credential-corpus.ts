import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A text that another scanner's rule is tried with. */
export interface CredentialSample {
  readonly rule: string;
  readonly text: string;
  /** What must be readable nowhere; undefined when the rule finds nothing in the text. */
  readonly secret?: string;
  /** Of the file, where the rule asks for it. */
  readonly path?: string;
}

export const CREDENTIAL_CORPORA = ['gitleaks', 'secretlint'] as const;
export type CredentialCorpus = (typeof CREDENTIAL_CORPORA)[number];

/**
 * The samples that gitleaks and secretlint (MIT, THIRD_PARTY_NOTICES.md) try their rules with, as
 * `tools/src/credential-corpora/main.ts` took them over.
 */
export function readCredentialCorpus(corpus: CredentialCorpus): CredentialSample[] {
  return readFileSync(resolve(import.meta.dirname, `${corpus}.txt`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(rotate(line)) as CredentialSample);
}

/** One line: JSON with letters and digits rotated, or hosts of repositories would take the samples for leaks. */
export function encodeSample(sample: CredentialSample): string {
  return rotate(JSON.stringify(sample));
}

/** Letters by 13 and digits by 5 places: its own inverse. Other characters stay, so JSON's signs and escapes do. */
function rotate(text: string): string {
  return text.replaceAll(/[A-Za-z0-9]/g, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 65) return String.fromCharCode(48 + ((code - 48 + 5) % 10));
    const first = code < 97 ? 65 : 97;
    return String.fromCharCode(first + ((code - first + 13) % 26));
  });
}
