import { readCredentialCorpus, type CredentialCorpus, type CredentialSample } from './read-credential-corpus.ts';

type Convert = (text: string) => string;

/** Form in which a sample is tested: its encoding, and the decoding of the output. */
export interface SampleForm {
  readonly name: string;
  readonly wrap: Convert;
  readonly unwrap: Convert;
}

const asItIs: Convert = (text) => text;

export const PLAIN_FORM: SampleForm = { name: 'as it is', wrap: asItIs, unwrap: asItIs };

export interface RuleMeasure {
  readonly samples: number;
  readonly found: number;
}

/**
 * Counts, for each rule of the other scanner, its samples with a credential, and those in which no credential is
 * readable after masking.
 */
export function measureCorpus(
  corpus: CredentialCorpus,
  mask: Convert,
  form: SampleForm = PLAIN_FORM,
): ReadonlyMap<string, RuleMeasure> {
  const rules = new Map<string, RuleMeasure>();
  for (const sample of readCredentialCorpus(corpus)) {
    if (sample.secret === undefined) continue;
    const { samples, found } = rules.get(sample.rule) ?? { samples: 0, found: 0 };
    const isReadable = showsSecret(form.unwrap(mask(form.wrap(sample.text))), sample);
    rules.set(sample.rule, { samples: samples + 1, found: found + (isReadable ? 0 : 1) });
  }
  return rules;
}

export function sumMeasures(measures: Iterable<RuleMeasure>): RuleMeasure {
  return [...measures].reduce(
    (sum, { samples, found }) => ({ samples: sum.samples + samples, found: sum.found + found }),
    { samples: 0, found: 0 },
  );
}

/** Returns true if the credential or a usable part of it is readable. */
function showsSecret(masked: string, { text, secret = '' }: CredentialSample): boolean {
  if (masked.includes(secret)) return true;
  const from = Math.floor(secret.length / 3);
  const part = secret.slice(from, from + Math.min(12, Math.ceil(secret.length / 2)));
  return masked.includes(part) && !text.replaceAll(secret, '').includes(part);
}

/** Lists texts in which the other scanner's rules find nothing and masking hides something. */
export function listHiddenNegatives(corpus: CredentialCorpus, mask: Convert): CredentialSample[] {
  return readCredentialCorpus(corpus).filter(({ text, secret }) => secret === undefined && mask(text) !== text);
}
