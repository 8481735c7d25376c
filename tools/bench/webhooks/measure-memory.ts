import { readFileSync } from 'node:fs';
import { newId } from '@steward/crypto';
import { createTestDatabase, startTestBroker } from '@steward/testing';
import { median } from '../statistics.ts';
import type { AppProcess } from '../start-app-process.ts';
import { startDispatcher } from './start-dispatcher.ts';
import { startProducer } from './start-producer.ts';
import type { Sink } from './start-sink.ts';

export interface MemorySample {
  readonly deliveries: number;
  readonly rssMb: number;
  readonly heapMb: number;
}

export interface MemoryResult {
  /** Samples after the warm-up, one for each portion. */
  readonly samples: readonly MemorySample[];
  /** Median of the last three samples minus the median of the first three, in MB. */
  readonly rssGrowthMb: number;
  readonly heapGrowthMb: number;
}

const ACCOUNTS = 4;
const ENDPOINTS = 5;
const PORTION = 10_000;
const WARM_UP_PORTIONS = 3;
const PORTIONS = 10;
const LANES = 16;

/**
 * Measures the memory of one dispatcher process over 100,000 deliveries, portion by portion, after a warm-up of 30,000.
 */
export async function measureMemory(sink: Sink, say: (line: string) => void): Promise<MemoryResult> {
  const database = await createTestDatabase();
  const broker = await startTestBroker();
  const producer = await startProducer(database, broker.url);
  const dispatcher = await startDispatcher(database, broker.url);
  try {
    const accountIds = Array.from({ length: ACCOUNTS }, () => newId());
    for (const accountId of accountIds) {
      for (let index = 0; index < ENDPOINTS; index += 1)
        await producer.addEndpoint(accountId, `${sink.url}/ok/${index}`);
    }
    const samples: MemorySample[] = [];
    for (let portion = 1 - WARM_UP_PORTIONS; portion <= PORTIONS; portion += 1) {
      await sink.expect(PORTION);
      let left = PORTION / ENDPOINTS;
      const emitLane = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await producer.emit(accountIds[left % ACCOUNTS] ?? '', newId());
        }
      };
      await Promise.all(Array.from({ length: LANES }, emitLane));
      await sink.waitForAll();
      if (portion < 1) continue;
      const sample = { deliveries: portion * PORTION, ...(await readMemory(dispatcher)) };
      samples.push(sample);
      say(`${sample.deliveries} deliveries: ${sample.rssMb.toFixed(1)} MB, of it heap ${sample.heapMb.toFixed(1)} MB`);
    }
    const grow = (read: (sample: MemorySample) => number): number =>
      median(samples.slice(-3).map(read)) - median(samples.slice(0, 3).map(read));
    return { samples, rssGrowthMb: grow(({ rssMb }) => rssMb), heapGrowthMb: grow(({ heapMb }) => heapMb) };
  } finally {
    await dispatcher.stop();
    await producer.stop();
    await broker.stop();
    await database.drop();
  }
}

const MEGABYTE = 1024 * 1024;

async function readMemory(dispatcher: AppProcess): Promise<{ rssMb: number; heapMb: number }> {
  const status = readFileSync(`/proc/${dispatcher.pid}/status`, 'utf8');
  const rssKb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  const metrics = await (await fetch(`${dispatcher.healthUrl}/metrics`)).text();
  const heap = Number(/^nodejs_heap_size_used_bytes\S* (\S+)/m.exec(metrics)?.[1]);
  return { rssMb: rssKb / 1024, heapMb: heap / MEGABYTE };
}
