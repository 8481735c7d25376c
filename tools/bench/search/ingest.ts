import { beginTrace, newId } from '@steward/crypto';
import { createDatabase, transact } from '@steward/database';
import { createLogger } from '@steward/process';
import { appendSessionContent, upsertRuntimeSession } from '@steward/sessions';
import { median } from '../statistics.ts';
import { measureClosedLoop } from './closed-loop.ts';
import { generateCorpus } from './corpus.ts';

export interface IngestFigure {
  readonly text: string;
  readonly concurrency: number;
  readonly plainPerSecond: number;
  readonly chunkedPerSecond: number;
  /** Time of a write with chunks divided by one without, from the medians of the runs. */
  readonly ratio: number;
}

const RUNS = 3;
const broker = { publishHint: () => undefined };

/** Measures the transaction of the write path with indexing enabled and disabled, alternating. */
export async function measureIngest(databaseUrl: string, accountId: string, seconds: number): Promise<IngestFigure[]> {
  const logger = createLogger({ service: 'bench', level: 'error', pretty: false });
  const database = createDatabase({ url: databaseUrl, applicationName: 'bench-ingest', poolSize: 8, logger });
  const contents = [...generateCorpus({ chunks: 2000, largeShare: 0, seed: 7 })].map((row) => row.content);
  const figures: IngestFigure[] = [];
  try {
    const options = { captureContent: true, maxPendingPerAccount: 1 };
    const opened = await transact({ db: database.db, broker, traceparent: beginTrace() }, (trx, hints) =>
      upsertRuntimeSession(
        trx,
        hints,
        { accountId, sessionSourceType: 'bench', sessionSourceId: newId(), now: new Date() },
        { ...options, indexEnabled: true },
      ),
    );
    const write = async (text: string, indexEnabled: boolean): Promise<void> => {
      const now = new Date();
      await transact({ db: database.db, broker, traceparent: beginTrace() }, (trx, hints) =>
        appendSessionContent(
          trx,
          hints,
          {
            accountId,
            sessionId: opened.session.id,
            entries: [{ kind: 'transcript_message', role: 'user', content: text }],
            now,
          },
          { ...options, indexEnabled },
        ),
      );
    };
    for (const [name, parts] of [
      ['1 chunk', 1],
      ['about 5 chunks', 10],
    ] as const) {
      for (const concurrency of [1, 8]) {
        const rates: Record<'plain' | 'chunked', number[]> = { plain: [], chunked: [] };
        let place = 0;
        for (let run = 0; run < RUNS; run += 1) {
          for (const kind of ['plain', 'chunked'] as const) {
            const measured = await measureClosedLoop(concurrency, seconds, () => {
              place += parts;
              const text = Array.from(
                { length: parts },
                (_v, index) => contents[(place + index) % contents.length],
              ).join('\n');
              return write(text, kind === 'chunked');
            });
            rates[kind].push(measured.perSecond);
          }
        }
        const plain = median(rates.plain);
        const chunked = median(rates.chunked);
        figures.push({
          text: name,
          concurrency,
          plainPerSecond: plain,
          chunkedPerSecond: chunked,
          ratio: plain / chunked,
        });
      }
    }
  } finally {
    await database.close();
  }
  return figures;
}
