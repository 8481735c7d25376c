import {
  CREDENTIAL_CORPORA,
  KNOWN_MISSES,
  listCredentialShapes,
  listHiddenNegatives,
  listOrdinaryLines,
  measureCorpus,
  readCredentialCorpus,
  SAMPLE_FORMS,
  sumMeasures,
} from '@steward/testing';
import { maskCredentials } from './find-credentials.ts';

/**
 * Runs the rules on the samples with which other scanners test their own rules (MASK-12). The results are published in
 * docs/reference/credentials-found.md.
 */
describe('samples of other scanners', () => {
  it.each([
    ['gitleaks', 6393, 377, 220],
    ['secretlint', 114, 48, 30],
  ] as const)('include those of %s', (corpus, positives, negatives, rules) => {
    const samples = readCredentialCorpus(corpus);
    expect(samples.filter(({ secret }) => secret !== undefined)).toHaveLength(positives);
    expect(samples.filter(({ secret }) => secret === undefined)).toHaveLength(negatives);
    expect(new Set(samples.map(({ rule }) => rule.split('/')[0])).size).toBe(rules);
  });

  it.each(CREDENTIAL_CORPORA)('from %s: only the known misses remain readable', (corpus) => {
    const missed = [...measureCorpus(corpus, maskCredentials)].flatMap(([rule, { samples, found }]) =>
      found < samples ? [{ rule, samples: samples - found }] : [],
    );
    const known = KNOWN_MISSES.filter((miss) => miss.corpus === corpus).map(({ rule, samples }) => ({ rule, samples }));
    expect(sortByRule(missed)).toEqual(sortByRule(known));
  });

  const cases = SAMPLE_FORMS.flatMap((form) => CREDENTIAL_CORPORA.map((corpus) => ({ name: form.name, corpus, form })));
  it.each(cases)('$corpus: the expected share is detected $name', ({ corpus, form }) => {
    const { samples, found } = sumMeasures(measureCorpus(corpus, maskCredentials, form).values());
    expect(found / samples).toBeGreaterThan(corpus === 'gitleaks' ? 0.981 : 0.938);
  });

  it.each(SAMPLE_FORMS)('in the common forms: none remains readable $name', ({ name, wrap, unwrap }) => {
    const shown = listCredentialShapes(1).filter(({ text, secret }) =>
      unwrap(maskCredentials(wrap(text))).includes(secret),
    );
    // A parameter of a URL is an exception: after an equals sign, forty characters of base64 are not necessarily a
    // credential.
    const known = name === 'as a parameter of a URL' ? ['aws secret without a label'] : [];
    expect(shown.map((shape) => shape.name)).toEqual(known);
  });

  it('that are not credentials are hardly changed', () => {
    expect(listHiddenNegatives('gitleaks', maskCredentials).length).toBeLessThanOrEqual(138);
    expect(listHiddenNegatives('secretlint', maskCredentials).length).toBeLessThanOrEqual(24);
  });

  it('cause at most 10 findings in 10,000 ordinary lines', () => {
    const lines = listOrdinaryLines().flatMap((kind) => kind.lines);
    expect(lines).toHaveLength(10_000);
    expect(lines.filter((line) => maskCredentials(line) !== line).length).toBeLessThanOrEqual(10);
  });
});

function sortByRule<T extends { readonly rule: string }>(misses: readonly T[]): T[] {
  return [...misses].sort((a, b) => (a.rule < b.rule ? -1 : 1));
}
