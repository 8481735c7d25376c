import { resolve } from 'node:path';
import { APP_ROLES } from '@steward/database';
import { startAppProcess, type AppProcess } from '@steward/testing';
import { SECRET_KEY } from './start-gateway.ts';
import type { usePeople } from './people-tests.ts';

const MAIN = resolve(import.meta.dirname, '../main.ts');

/** A line with which a process reports that it has started. */
export interface StartedLine {
  readonly event: string;
  readonly process?: string;
  readonly pid: number;
  readonly port: number;
  readonly health_port?: number;
}

export interface GatewayProcess {
  readonly app: AppProcess;
  readonly started: StartedLine;
  /** Base URL, without a path. */
  readonly url: string;
}

/** Starts a gateway in a separate process, on the database and the broker of the gateway of the test. */
export async function startGatewayProcess(
  people: ReturnType<typeof usePeople>,
  environment: Readonly<Record<string, string>>,
): Promise<GatewayProcess> {
  const { database, broker } = people.gateway();
  const app = await startAppProcess(MAIN, {
    DATABASE_URL: database.urlForRole(APP_ROLES.apiGateway),
    NATS_URL: broker.urlFor('api-gateway'),
    SECRET_KEY,
    HOST: '127.0.0.1',
    PORT: '0',
    HEALTH_PORT: '0',
    WARM_UP_SECONDS: '0',
    ...environment,
  });
  const [started] = readStarted(app, 'service.started');
  if (started === undefined) throw new Error(app.readOutput());
  return { app, started, url: `http://127.0.0.1:${started.port}` };
}

export function readStarted(app: AppProcess, event: string): StartedLine[] {
  const lines = app
    .readOutput()
    .split('\n')
    .filter((line) => line.includes(`"${event}"`));
  return lines.map((line) => JSON.parse(line) as StartedLine);
}
