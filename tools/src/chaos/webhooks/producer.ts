import { setTimeout as delay } from 'node:timers/promises';
import { createClient, createOwner, expectSuccess } from '../client.ts';
import type { Ledger } from './ledger.ts';

export interface ProducerAccount {
  readonly token: string;
  readonly secret: string;
}

const PAUSE_MS = 15;

/** Creates an account with one endpoint that receives every event. */
export async function createAccount(baseUrl: string, receiverUrl: string): Promise<ProducerAccount> {
  const token = await createOwner(baseUrl);
  const endpoint = await expectSuccess(
    createClient(baseUrl, token).call('POST', '/api/v1/event-webhooks/endpoints', {
      url: receiverUrl,
      description: 'chaos',
      event_types: ['session.ended'],
    }),
  );
  return { token, secret: String(endpoint.body.secret) };
}

/**
 * Opens and ends sessions until `stopping` is aborted. A session counts as emitted when the API has reported that it
 * ended; an interrupted call can safely be repeated, because ending an ended session changes nothing. All opened
 * sessions are ended before the function returns.
 */
export async function produce(
  { baseUrl, token, name }: { readonly baseUrl: string; readonly token: string; readonly name: string },
  ledger: Ledger,
  { stopping, givingUp }: { readonly stopping: AbortSignal; readonly givingUp: AbortSignal },
): Promise<void> {
  const client = createClient(baseUrl, token);
  for (let count = 1; !stopping.aborted; count += 1) {
    const session = { session_source_type: 'chaos', session_source_id: `${name}-${count}` };
    const opened = await client.callUntilAnswered('POST', '/api/v1/runtime-sessions', session, stopping);
    if (opened === undefined) return;
    const id = String(opened.body.id);
    const ended = await client.callUntilAnswered('POST', `/api/v1/runtime-sessions/${id}/end`, {}, givingUp);
    if (ended !== undefined) ledger.recordEmitted(id);
    await delay(PAUSE_MS);
  }
}
