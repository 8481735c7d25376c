import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { MASK_VERSION } from '@steward/masking';
import { toStorableText } from '@steward/text';
import type { ChunkSource } from '../chunk-source.ts';
import { prepareChunks } from './write-chunks.ts';

const optional = fc.option(fc.constantFrom('', 'a', 'ž', '\u001f', '\ud800'), { nil: null });
const sources = fc.record({
  accountId: fc.constant('account'),
  runtimeSessionId: fc.constant('session'),
  sourceKind: fc.constant('transcript_message' as const),
  sourceId: fc.uuid(),
  occurredAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
  role: optional,
  text: fc.oneof(
    { weight: 20, arbitrary: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\u0000', '\udc00')) },
    { weight: 1, arbitrary: fc.constant('x '.repeat(90_000)) },
  ),
  redactionState: fc.constantFrom('clear' as const, 'metadata_only' as const),
  modelAlias: optional,
  providerName: optional,
  runtimePrincipalId: optional,
  apiKeyId: optional,
  flowId: optional,
  status: optional,
});

/** Returns the hash as the chunks of all releases have it. */
function hashSource(source: ChunkSource, redactionState: string, isCut: boolean): string {
  const { role, occurredAt, status, runtimePrincipalId, apiKeyId, flowId, modelAlias, providerName } = source;
  const facts = [
    MASK_VERSION,
    redactionState,
    role,
    occurredAt.toISOString(),
    status,
    runtimePrincipalId,
    apiKeyId,
    flowId,
  ];
  if ((modelAlias ?? providerName ?? null) !== null) facts.push(modelAlias, providerName);
  if (isCut) facts.push('head and tail');
  const hash = createHash('sha256')
    .update(facts.map((fact) => fact ?? '').join('\u001f'))
    .update('\u001e');
  return hash.update(toStorableText(source.text)).digest('hex');
}

it('the hash of a source does not change between releases: nothing that is stored is written again (CORP-4)', () => {
  fc.assert(
    fc.property(sources, (source) => {
      const prepared = prepareChunks(source);
      const isCut = prepared.chunks.some(({ gapFollows }) => gapFollows);
      const { redactionState } = prepared.source;
      expect(prepared.hash.toString('hex')).toBe(hashSource(source, redactionState, isCut));
    }),
  );
});
