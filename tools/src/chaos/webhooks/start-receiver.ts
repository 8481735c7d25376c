import { setTimeout as delay } from 'node:timers/promises';
import { startHttpReceiver } from '@steward/testing';
import { verifyWebhook } from '@steward/webhook-verify';
import type { Ledger } from './ledger.ts';

export interface ChaosReceiver {
  /** Returns the endpoint URL for one producer. */
  urlFor(index: number): string;
  /** Sets the secret of a producer's endpoint, which is known only after the endpoint has been created. */
  trust(index: number, secret: string): void;
  countRefused(): number;
  close(): Promise<void>;
}

/**
 * Maximum delay of a response in milliseconds, long enough that some posts are always pending when a fault is injected.
 */
const SLOWEST_ANSWER_MS = 60;

/** The member of an event's data that names what has happened. */
const FACT_KEYS: Readonly<Record<string, string>> = {
  'session.ended': 'runtime_session_id',
  'flow.execution.finished': 'execution_id',
  'approval.decided': 'approval_request_id',
};

/**
 * Starts a receiver that verifies each request as a customer would, and records it; requests with an invalid signature
 * are refused and counted.
 */
export async function startReceiver(ledger: Ledger, slowestAnswerMs = SLOWEST_ANSWER_MS): Promise<ChaosReceiver> {
  const secrets = new Map<string, string>();
  let refused = 0;
  const receiver = await startHttpReceiver(async (request, response) => {
    try {
      const event = verifyWebhook(request.body, request.headers, secrets.get(request.path) ?? '');
      const fact = (event.data as unknown as Readonly<Record<string, string>>)[FACT_KEYS[event.type] ?? ''];
      if (fact !== undefined) ledger.recordReceived(fact, event.id);
      await delay(Math.random() * slowestAnswerMs);
      response.writeHead(200).end();
    } catch {
      refused += 1;
      response.writeHead(400).end();
    }
  });
  return {
    urlFor: (index) => `${receiver.url}/producer/${index}`,
    trust: (index, secret) => void secrets.set(`/producer/${index}`, secret),
    countRefused: () => refused,
    close: () => receiver.close(),
  };
}
