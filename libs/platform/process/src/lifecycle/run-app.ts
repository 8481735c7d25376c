import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from '../logging/logger.ts';
import { SettingsError } from '../settings/settings.ts';
import { StartupError } from './startup-error.ts';

export interface RunnableApp {
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  /** Fields of the `service.started` line: masked settings, ports. */
  readonly describe: () => Readonly<Record<string, unknown>>;
  /** Time limit in seconds for the start, for an app that starts other processes and waits for them. */
  readonly startDeadlineSeconds?: number;
  /** First word of the lifecycle event names: `process` for a process of a group, which is not the whole service. */
  readonly subject?: 'service' | 'process';
}

/**
 * Time limit in seconds for the start: an unreachable broker or database has to end the process within 15 s, and this
 * limit leaves time to report the error.
 */
const START_DEADLINE_SECONDS = 14;

/**
 * Runs the lifecycle of every app process: build, start, wait for SIGTERM or SIGINT, stop in order, exit. An error at
 * startup is printed on standard error, with one line per problem and the stack trace of an unexpected error; the exit
 * code is 1. An uncaught exception or unhandled rejection ends the process, so that its supervisor restarts it in a
 * clean state.
 */
export async function runApp(service: string, build: () => Promise<RunnableApp> | RunnableApp): Promise<void> {
  const startedAt = performance.now();
  let deadline = watchStart(service, START_DEADLINE_SECONDS);
  let app: RunnableApp;
  try {
    app = await build();
    if (app.startDeadlineSeconds !== undefined) {
      clearTimeout(deadline);
      deadline = watchStart(service, app.startDeadlineSeconds);
    }
    await app.lifecycle.start();
  } catch (error) {
    fail(service, error);
  }
  clearTimeout(deadline);
  const { lifecycle, logger, describe, subject = 'service' } = app;
  const started = {
    duration_ms: Math.round(performance.now() - startedAt),
    uptime_ms: Math.round(process.uptime() * 1000),
  };

  const end = (signal: string, exitCode: number): void => {
    logger.info(`${subject}.stopping`, { signal });
    void lifecycle.stop().then((finished) => {
      logger.info(`${subject}.stopped`, { clean: finished });
      process.exit(finished ? exitCode : 1);
    });
  };
  process.once('SIGTERM', () => end('SIGTERM', 0));
  process.once('SIGINT', () => end('SIGINT', 0));
  process.once('uncaughtException', (error) => {
    logger.error(`${subject}.crashed`, { error });
    end('uncaughtException', 1);
  });
  // The line is logged only after the signal handlers are set, since a program that waits for it may send a signal at
  // once.
  logger.info(`${subject}.started`, { ...started, pid: process.pid, ...describe() });
}

function watchStart(service: string, seconds: number): NodeJS.Timeout {
  return setTimeout(() => fail(service, new StartupError(`the start took longer than ${seconds} s`)), seconds * 1000);
}

function fail(service: string, error: unknown): never {
  const lines =
    error instanceof SettingsError ? error.problems : [error instanceof Error ? error.message : String(error)];
  const known = error instanceof SettingsError || error instanceof StartupError;
  const text = lines.map((line) => `${service}: cannot start: ${line.replace(/\s+/g, ' ')}`).join('\n');
  process.stderr.write(`${text}\n${known || !(error instanceof Error) ? '' : `${error.stack ?? ''}\n`}`);
  process.exit(1);
}
