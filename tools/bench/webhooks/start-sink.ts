import { resolve } from 'node:path';
import { startProcess } from '../child-process.ts';
import type { Arrival, SinkAnswer, SinkCommand, SinkSample } from './sink-messages.ts';

export interface Sink {
  readonly url: string;
  /** Discards all requests received so far, and expects this many. */
  expect(count: number): Promise<void>;
  waitForWarmUp(): Promise<void>;
  waitForAll(timeoutMs?: number): Promise<void>;
  report(): Promise<{ readonly arrivals: readonly Arrival[]; readonly sample: SinkSample | undefined }>;
  stop(): Promise<void>;
}

export async function startSink(): Promise<Sink> {
  const child = startProcess<SinkCommand, SinkAnswer>(resolve(import.meta.dirname, 'workers/sink.ts'));
  const { port } = await child.waitFor('listening');
  return {
    url: `http://127.0.0.1:${port}`,
    async expect(expected) {
      child.forget();
      child.send({ kind: 'reset', expected });
      await child.waitFor('ready');
    },
    async waitForWarmUp() {
      await child.waitFor('warmed_up');
    },
    async waitForAll(timeoutMs) {
      await child.waitFor('all_arrived', timeoutMs);
    },
    async report() {
      child.send({ kind: 'report' });
      return child.waitFor('report');
    },
    stop: () => child.stop(),
  };
}
