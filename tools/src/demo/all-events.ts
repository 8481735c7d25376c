import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileSchema, EVENT_TYPES, type EventType } from '@steward/contracts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { requireStatus, type Api } from './api.ts';
import { NOT_EMITTED, SCENES } from './event-scenes.ts';
import { logIn } from './log-in.ts';
import { startEventReceiver, verifyWithPublicLibraries } from './receiver.ts';
import type { Steps } from './steps.ts';

/** Message as defined in an AsyncAPI document. */
interface PublishedMessages {
  readonly components: { readonly messages: Readonly<Record<string, { readonly payload: object }>> };
}

/**
 * Makes the service emit every event type, and checks the received events: their signatures, and their bytes against
 * the published schema.
 */
export async function demonstrateEvents(
  anonymous: Api,
  providerOrigin: string,
  { run, expect }: Pick<Steps, 'run' | 'expect'>,
): Promise<void> {
  const receiver = await startEventReceiver();
  try {
    const api = await logIn(anonymous);
    const { id, secret } = await run('register an endpoint for all events, in a separate account', () => {
      const endpoint = { url: receiver.url, description: 'all events', event_types: [] };
      return requireStatus(201, api.call('POST', '/api/v1/event-webhooks/endpoints', { body: endpoint }));
    });
    for (const { title, play } of SCENES) await run(title, () => play({ api, endpointId: String(id), providerOrigin }));
    const published = readPublishedMessages();
    for (const type of listEmittedTypes()) {
      await run(`receive ${type}, signed and as documented`, async () => {
        const request = await receiver.waitFor(type);
        verifyWithPublicLibraries(request, String(secret));
        const problem = published.get(type)?.(JSON.parse(request.body.toString('utf8')));
        expect(problem === undefined, `a body that conforms to docs/reference/asyncapi.json: ${String(problem)}`);
      });
    }
  } finally {
    await receiver.close();
  }
}

/** Lists every type in the catalog that has an emitter. */
export function listEmittedTypes(): EventType[] {
  return (Object.keys(EVENT_TYPES) as EventType[]).filter((type) => !NOT_EMITTED.includes(type));
}

function readPublishedMessages(): ReadonlyMap<string, (body: unknown) => string | undefined> {
  const text = readFileSync(resolve(WORKSPACE_ROOT, 'docs/reference/asyncapi.json'), 'utf8');
  const { messages } = (JSON.parse(text) as PublishedMessages).components;
  return new Map(Object.entries(messages).map(([type, { payload }]) => [type, compileSchema(payload)]));
}
