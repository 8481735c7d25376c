/**
 * Declares the parts that are used of the packages in tools/bench/package.json, so that types are checked even where
 * the packages are not installed: `npm ci` of the root leaves them out.
 */
declare module 'graphile-worker' {
  import type pg from 'pg';

  interface Log {
    info(message: string): void;
  }
  export const Logger: new (factory: () => () => undefined) => Log;
  export function makeWorkerUtils(options: { readonly connectionString: string; readonly logger: Log }): Promise<{
    migrate(): Promise<void>;
    addJobs(jobs: readonly { readonly identifier: string; readonly payload: unknown }[]): Promise<unknown>;
    release(): Promise<void>;
  }>;
  export function run(options: {
    readonly pgPool: pg.Pool;
    readonly noHandleSignals: boolean;
    readonly parsedCronItems: readonly never[];
    readonly logger: Log;
    readonly preset: { readonly worker: Readonly<Record<string, unknown>> };
    readonly taskList: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  }): Promise<unknown>;
}

declare module 'pg-boss' {
  interface Job<Data> {
    readonly id: string;
    readonly data: Data;
  }
  export class PgBoss {
    constructor(options: {
      readonly connectionString: string;
      readonly max?: number;
      readonly supervise: boolean;
      readonly schedule: boolean;
    });
    on(event: 'error', listener: (error: Error) => void): this;
    start(): Promise<this>;
    stop(): Promise<void>;
    createQueue(name: string): Promise<void>;
    insert(name: string, jobs: readonly { readonly data: object }[]): Promise<unknown>;
    work<Data>(
      name: string,
      options: Readonly<Record<string, unknown>>,
      handler: (jobs: readonly Job<Data>[]) => Promise<unknown>,
    ): Promise<string>;
  }
}

declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  export function from(statement: string): Writable & Submittable;
}
