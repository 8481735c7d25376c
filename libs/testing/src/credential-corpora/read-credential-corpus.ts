import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A sample text with which another scanner tests a rule. */
export interface CredentialSample {
  readonly rule: string;
  readonly text: string;
  /** Credential in the text, which must not be readable anywhere; undefined if the rule finds nothing in the text. */
  readonly secret?: string;
  /** Path of the file, if the rule requires it. */
  readonly path?: string;
}

export const CREDENTIAL_CORPORA = ['gitleaks', 'secretlint'] as const;
export type CredentialCorpus = (typeof CREDENTIAL_CORPORA)[number];

/**
 * Reads the samples with which gitleaks and secretlint (MIT, THIRD_PARTY_NOTICES.md) test their rules, as
 * `tools/src/credential-corpora/main.ts` imported them.
 */
export function readCredentialCorpus(corpus: CredentialCorpus): CredentialSample[] {
  return readFileSync(resolve(import.meta.dirname, `${corpus}.txt`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(rotate(line)) as CredentialSample);
}

/**
 * Encodes a sample as one line: JSON with letters and digits rotated, because repository hosts would mistake the
 * samples for leaks.
 */
export function encodeSample(sample: CredentialSample): string {
  return rotate(JSON.stringify(sample));
}

/**
 * Rotates letters by 13 and digits by 5: the operation is its own inverse. Other characters are unchanged, so that
 * JSON's syntax and escapes remain valid.
 */
function rotate(text: string): string {
  return text.replaceAll(/[A-Za-z0-9]/g, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 65) return String.fromCharCode(48 + ((code - 48 + 5) % 10));
    const first = code < 97 ? 65 : 97;
    return String.fromCharCode(first + ((code - first + 13) % 26));
  });
}
