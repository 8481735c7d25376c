import { maskCredentials, maskJson } from '@steward/masking';
import { listCredentialShapes } from '@steward/testing';
import { flattenText } from './flatten-text.ts';

const around = (text: string): string => `before\n${text}\nafter it, some more words`;

/** The formats in which tools return their output. */
const FORMS: readonly [name: string, wrap: (text: string) => unknown][] = [
  ['plain', (text) => around(text)],
  ['in a field', (text) => ({ exit_code: 0, stdout: around(text) })],
  ['in a JSON string', (text) => ({ output: JSON.stringify({ stdout: around(text) }) })],
  ['encoded twice', (text) => JSON.stringify(JSON.stringify({ stdout: around(text) }))],
  ['in JSON cut off', (text) => JSON.stringify({ exit_code: 0, stdout: around(text) }).slice(0, -9)],
  ['in JSON within a sentence', (text) => `The tool said: ${JSON.stringify({ stdout: around(text) })} and ended.`],
];

/** Returns whether the text contains the credential or a usable part of it. */
function shows(text: string, secret: string): boolean {
  const from = Math.floor(secret.length / 3);
  const part = secret.slice(from, from + Math.min(12, Math.ceil(secret.length / 2)));
  return text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)) || text.includes(part);
}

describe('the secret part of a credential', () => {
  it('is tested for at least 225 common forms', () => {
    expect(listCredentialShapes().length).toBeGreaterThanOrEqual(225);
  });

  it.each(FORMS)('does not occur in the search corpus if it is given %s', (_name, wrap) => {
    const shown = [1, 2, 3].flatMap((seed) =>
      listCredentialShapes(seed).filter(({ text, secret }) => shows(maskCredentials(flattenText(wrap(text))), secret)),
    );
    expect(shown.map(({ name }) => name)).toEqual([]);
  });

  it.each(FORMS)('does not occur in the masked timeline if it is given %s', (_name, wrap) => {
    const shown = [4, 5].flatMap((seed) =>
      listCredentialShapes(seed).filter(({ text, secret }) => shows(JSON.stringify(maskJson(wrap(text))), secret)),
    );
    expect(shown.map(({ name }) => name)).toEqual([]);
  });
});
