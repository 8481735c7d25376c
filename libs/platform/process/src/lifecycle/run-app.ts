import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from '../logging/logger.ts';
import { SettingsError } from '../settings/settings.ts';
import { StartupError } from './startup-error.ts';

export interface RunnableApp {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** Fields of the `service.started` line: masked settings, ports. */
  readonly describe: () => Readonly<Record<string, unknown>>;
}

/**
 * Decisions.md section 7: an unreachable broker or database ends the process within 15 s; this leaves time to report
 * it.
 */
const START_DEADLINE_SECONDS = 14;

/**
 * Lifecycle of every app process: build, start, wait for SIGTERM or SIGINT, stop in order, exit. A fault at start is
 * one line on standard error and exit code 1. An unhandled rejection ends the process, so that its supervisor restarts
 * it clean.
 */
export async function runApp(service: string, build: () => Promise<RunnableApp> | RunnableApp): Promise<void> {
  const startedAt = performance.now();
  const deadline = setTimeout(
    () => fail(service, new StartupError(`start took longer than ${START_DEADLINE_SECONDS} s`)),
    START_DEADLINE_SECONDS * 1000,
  );
  let app: RunnableApp;
  try {
    app = await build();
    await app.lifecycle.start();
  } catch (error) {
    fail(service, error);
  }
  clearTimeout(deadline);
  const { lifecycle, logger, describe } = app;
  const started = {
    duration_ms: Math.round(performance.now() - startedAt),
    uptime_ms: Math.round(process.uptime() * 1000),
  };

  const end = (signal: string, exitCode: number): void => {
    logger.info('service.stopping', { signal });
    void lifecycle.stop().then((finished) => {
      logger.info('service.stopped', { clean: finished });
      process.exit(finished ? exitCode : 1);
    });
  };
  process.once('SIGTERM', () => end('SIGTERM', 0));
  process.once('SIGINT', () => end('SIGINT', 0));
  process.once('uncaughtException', (error) => {
    logger.error('service.crashed', { error });
    end('uncaughtException', 1);
  });
  // Logged after the signal handlers are set: a reader of this line may send a signal at once.
  logger.info('service.started', { ...started, pid: process.pid, ...describe() });
}

function fail(service: string, error: unknown): never {
  const lines =
    error instanceof SettingsError ? error.problems : [error instanceof Error ? error.message : String(error)];
  const known = error instanceof SettingsError || error instanceof StartupError;
  const text = lines.map((line) => `${service}: cannot start: ${line.replace(/\s+/g, ' ')}`).join('\n');
  process.stderr.write(`${text}\n${known || !(error instanceof Error) ? '' : `${error.stack ?? ''}\n`}`);
  process.exit(1);
}
