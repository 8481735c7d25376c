import { setTimeout as sleep } from 'node:timers/promises';
import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { WHOLE_CALL_MS } from './ask-server.ts';
import type { ServerNotice } from './call-transport.ts';
import type { Connection } from './connections.ts';
import type { Listening } from './tool-server-client.ts';

/**
 * Duration of a stream in milliseconds, after which the stream is closed and opened again; shorter than the time limit
 * of a response, which also applies to streams.
 */
const STREAM_MS = WHOLE_CALL_MS - 10_000;
/**
 * Shortest and longest delay in milliseconds before a stream is opened again; the delay is doubled after each short
 * stream.
 */
const [RETRY_MS, MOST_RETRY_MS] = [2_000, 120_000];
const ASK_MS = 15_000;
const PASS: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'steward', validate: (value) => ({ value }) },
};

/**
 * Listens for notifications of a server until aborted. The connection is renewed at long intervals, even if the server
 * has no notifications to offer.
 */
export async function keepListening(
  begin: (onNotice: (notice: ServerNotice) => void) => Promise<Connection>,
  listening: Listening,
): Promise<void> {
  const { signal, onNotice } = listening;
  let retryMs = RETRY_MS;
  while (!signal.aborted) {
    const begunAt = performance.now();
    const connection = await begin(onNotice).catch(() => undefined);
    if (connection !== undefined) {
      await listenOnce(connection, listening).catch(() => undefined);
      await connection.end().catch(() => undefined);
    }
    const lasted = performance.now() - begunAt > STREAM_MS / 2;
    retryMs = lasted ? RETRY_MS : Math.min(retryMs * 2, MOST_RETRY_MS);
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

async function listenOnce({ client, era }: Connection, { uris, signal }: Listening): Promise<void> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const subscribed = resources?.subscribe === true ? uris : [];
  const isOver = sleep(STREAM_MS, undefined, { signal }).catch(() => undefined);
  if (era.kind === 'legacy') {
    for (const uri of subscribed) {
      // Failures are ignored: if the server does not know one of the resources, changes to the others are still
      // reported.
      await client
        .request({ method: 'resources/subscribe', params: { uri } }, PASS, { signal, timeout: ASK_MS })
        .catch(() => undefined);
    }
    return isOver;
  }
  const filter = {
    ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
    ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    ...(subscribed.length === 0 ? {} : { resourceSubscriptions: [...subscribed] }),
  };
  if (Object.keys(filter).length === 0) return isOver;
  const subscription = await client.listen(filter, { timeout: ASK_MS });
  await Promise.race([isOver, subscription.closed]);
  await subscription.close();
}
