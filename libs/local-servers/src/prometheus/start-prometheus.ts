import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startChildServer, type ChildServer } from '../child-server.ts';
import { ensurePrograms } from '../ensure-programs.ts';
import { findFreePort } from '../find-free-port.ts';
import { retryTakenPort } from '../retry-taken-port.ts';
import type { ResolveOptions } from '../server-options.ts';

export interface PrometheusOptions extends Pick<ResolveOptions, 'allowInstall' | 'progress'> {
  readonly dataDirectory: string;
  /** Content of the server's configuration file. */
  readonly config: string;
}

export interface PrometheusServer {
  readonly url: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Starts the distribution's Prometheus on a free port of the loopback address. Installs the package if it is missing.
 */
export async function startPrometheus(options: PrometheusOptions): Promise<PrometheusServer> {
  await ensurePrometheus(options);
  return retryTakenPort(() => start(options));
}

/** Makes `prometheus` and `promtool`, which is in the same package, available on PATH. */
export function ensurePrometheus(options: Pick<ResolveOptions, 'allowInstall' | 'progress'>): Promise<void> {
  return ensurePrograms(['prometheus'], options);
}

async function start({ dataDirectory, config }: PrometheusOptions): Promise<PrometheusServer> {
  mkdirSync(dataDirectory, { recursive: true });
  const file = resolve(dataDirectory, 'prometheus.yaml');
  writeFileSync(file, config);
  const port = await findFreePort();
  const url = `http://${HOST}:${port}`;
  const server: ChildServer = await startChildServer({
    name: 'prometheus',
    file: 'prometheus',
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${resolve(dataDirectory, 'tsdb')}`,
      `--web.listen-address=${HOST}:${port}`,
      '--log.level=warn',
    ],
    user: undefined,
    stopSignal: 'SIGTERM',
    async probe() {
      const { ok, status } = await fetch(`${url}/-/ready`);
      if (!ok) throw new Error(`it responds with ${status}`);
    },
  });
  return { url, stop: () => server.stop() };
}
