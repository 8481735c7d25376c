import { PLAIN_FORM, type SampleForm } from './measure-corpus.ts';

const HIDDEN = '[redacted]';

/** Forms in which a text that contains a credential is embedded in another text. */
export const SAMPLE_FORMS: readonly SampleForm[] = [
  PLAIN_FORM,
  {
    name: 'in a JSON string',
    wrap: (text) => JSON.stringify({ stdout: `a\n${text}\nb` }),
    unwrap: unescape,
  },
  {
    name: 'in JSON in a JSON string',
    wrap: (text) => JSON.stringify(JSON.stringify({ stdout: `a\n${text}\nb` })),
    unwrap: (masked) => unescape(unescape(masked)),
  },
  {
    name: 'in JSON that was cut off',
    wrap: (text) => JSON.stringify({ stdout: `a\n${text}\nb and more words` }).slice(0, -12),
    unwrap: unescape,
  },
  {
    name: 'as a parameter of a URL',
    wrap: (text) => `https://example.com/search?q=${encodeURIComponent(text)}&page=2`,
    unwrap: (masked) => masked.replaceAll(/(?:%[0-9A-F]{2})+/g, decode),
  },
  {
    name: 'in base64',
    wrap: (text) => `data: ${Buffer.from(`${text}\n`).toString('base64')}`,
    unwrap: (masked) =>
      masked
        .split(HIDDEN)
        .map((part) => Buffer.from(part.replace('data: ', ''), 'base64').toString())
        .join(HIDDEN),
  },
  {
    name: 'in base64 of many lines',
    wrap: (text) => toLines(`# ${'-'.repeat(60)}\n${text}\n`),
    unwrap: (masked) =>
      masked
        .split(HIDDEN)
        .map((part) => Buffer.from(part, 'base64').toString())
        .join(HIDDEN),
  },
];

/** Encodes a text in the format of the command `base64`. */
function toLines(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n');
}

function unescape(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})|\\(.)/g, (_all, code: string | undefined, sign: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return ({ n: '\n', t: '\t', r: '\r' } as Record<string, string>)[sign] ?? sign;
  });
}

function decode(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}
