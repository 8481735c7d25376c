import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@steward/async';
import { AppError, type Principal } from '@steward/contracts';
import type { AnyDatabase } from '@steward/database';
import type { ProviderPools } from '@steward/egress';
import type { SourceAnswer } from '@steward/http';
import { buildProviderUrl, findModelForCall, type ModelFamily, type ServedModel } from '@steward/slice-models';
import type { SecretBoxes } from '../../secret-boxes.ts';
import { passAnswer } from './answers/pass-answer.ts';
import type { CallPath } from './call-path.ts';
import { createCallSignal } from './call-signal.ts';
import { dialModels } from './dial-models.ts';
import { listClientHeaders, listProviderHeaders } from './provider-headers.ts';
import { readCall, writeProviderBody } from './read-call.ts';

export interface PassDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly secretBoxes: Pick<SecretBoxes, 'model'>;
  readonly pools: Pick<ProviderPools, 'choose'>;
}

export interface Call {
  readonly family: ModelFamily;
  readonly path: CallPath;
  readonly principal: Principal;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

const WHOLE_CALL_MS = 3_600_000;

/** Finds the model, asks its provider, and gives the answer back unread (GW-6). */
export async function passCall(deps: PassDeps, call: Call): Promise<SourceAnswer> {
  const { family, path, principal, headers } = call;
  const body = readCall(call.body);
  const chain = await findChain(deps, { accountId: principal.accountId, name: body.model, family });
  const asksForUsage = path === '/chat/completions' && body.isStream && body.usageEdits.length > 0;
  const ending = createCallSignal(call.signal, WHOLE_CALL_MS);
  try {
    const { model, attempts, answer } = await dialModels({
      pools: deps.pools,
      chain,
      signal: ending.signal,
      now: () => deps.clock.now(),
      buildRequest: (served) => ({
        url: buildProviderUrl(served, path),
        headers: listProviderHeaders(served, family, headers),
        body: writeProviderBody(body, served.modelIdentifier, asksForUsage),
      }),
    });
    const { source, withholds } = passAnswer({
      answer,
      path,
      inputBytes: body.bytes.byteLength,
      withholdsUsage: asksForUsage,
      client: call.signal,
      onEnd: ending.release,
    });
    const { 'content-length': _length, ...otherHeaders } = answer.headers;
    return {
      status: answer.statusCode,
      headers: {
        ...listClientHeaders(withholds ? otherHeaders : answer.headers),
        'X-Service-Model': model.alias,
        'X-Service-Attempts': String(attempts),
      },
      source,
    };
  } catch (error) {
    ending.release();
    if (ending.isOverTime()) throw new AppError('provider_timeout', { cause: error });
    // Nobody hears of it: it is told apart from a failure of ours in the log.
    if (call.signal.aborted) throw new AppError('bad_request', { message: 'The client left.', cause: error });
    throw error;
  }
}

async function findChain(
  { db, clock, secretBoxes }: PassDeps,
  asked: { readonly accountId: string; readonly name: string; readonly family: ModelFamily },
): Promise<readonly ServedModel[]> {
  const found = await findModelForCall(db, { ...asked, now: clock.now() }, secretBoxes.model);
  switch (found.kind) {
    case 'found':
      return found.chain;
    case 'not_found':
      throw new AppError('model_not_found');
    case 'disabled':
      throw new AppError('model_not_found', { message: 'The model is disabled.' });
    case 'ambiguous': {
      const message = `Several models have this identifier. Send the alias of one: ${found.aliases.join(', ')}.`;
      throw new AppError('model_not_found', { message });
    }
    case 'other_provider': {
      const prefix = asked.family === 'openai' ? '/anthropic/v1' : '/openai/v1';
      const message = `The model is served by the provider "${found.provider}". Call it below ${prefix}.`;
      throw new AppError('wrong_provider', { message });
    }
  }
}
