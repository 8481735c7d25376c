import { AppError, type Principal } from '@steward/contracts';
import type { ServedModel, TrialOutcome } from '@steward/models';
import { beginHead, buildUsageRow, refuseLimited, requireAllowed } from '@steward/model-calls';
import type { CallingDeps } from './models-deps.ts';

const ENDPOINT = 'model-test';
/** Expected size of a test call: a short prompt and at most 16 output tokens. */
const EXPECTED = { inputBytes: 100, maxOutputTokens: 16, defaultOutputTokens: 16 };
const TAKEN = { counts: { inputTokens: 30, outputTokens: 16 }, source: 'estimated' } as const;

/**
 * Makes a test call. With a limited key, the call counts toward the limits of the key and gets a usage row (GW-19);
 * with other credentials, the call does not count and gets no usage row.
 * @throws model_not_allowed, key_limit_reached, budget_exceeded, unpriced_model
 */
export async function countTrial(
  { clock, askedModels: { calls } }: Pick<CallingDeps, 'clock' | 'askedModels'>,
  { principal, model }: { readonly principal: Principal; readonly model: ServedModel },
  tryIt: () => Promise<TrialOutcome>,
): Promise<TrialOutcome> {
  const { keyLimits = [] } = principal;
  if (keyLimits.length === 0) return tryIt();
  requireAllowed(keyLimits, model.alias);
  const head = { ...beginHead({ path: '/chat/completions', principal, stream: false }, clock), endpoint: ENDPOINT };
  const begun = await calls.begin({ ...head, model, expected: EXPECTED, keyLimits });
  if (begun.kind === 'key_limit_reached') throw refuseLimited(begun);
  if (begun.kind !== 'reserved') throw new AppError(begun.kind, { message: begun.reason });
  const startedAt = performance.now();
  const end = (outcome: TrialOutcome | undefined): Promise<void> =>
    calls.end(
      buildUsageRow({
        head: { ...head, occurredAt: begun.occurredAt },
        model,
        ...{
          status: outcome?.ok === true ? 'ok' : 'error',
          errorClass: outcome?.ok === true ? null : 'provider_error',
        },
        ...{ usage: TAKEN, durationMs: performance.now() - startedAt, firstByteMs: null },
      }),
    );
  const tried = await tryIt().catch(async (error: unknown) => {
    await end(undefined);
    throw error;
  });
  await end(tried);
  return tried;
}
