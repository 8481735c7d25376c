import type { Component, Logger } from '@steward/process';
import { createDatabase, type Database, type DatabaseOptions } from './create-database.ts';

export interface PoolPlan {
  readonly size: number;
  /** Session settings of each connection, such as `statement_timeout`. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface PoolsOptions<Name extends string> extends Pick<DatabaseOptions, 'admit'> {
  readonly url: string;
  /** Name of the service; the pools are named `steward-<service>-<name>` in `pg_stat_activity`. */
  readonly service: string;
  readonly logger: Logger;
  readonly pools: Readonly<Record<Name, PoolPlan>>;
}

/**
 * Creates named pools in addition to the common pool of the process, for work that must neither wait for other work nor
 * block it, and therefore needs its own connections. Each pool is opened on first use; the component closes all of
 * them.
 */
export function createPools<Name extends string>({ url, service, logger, pools, admit }: PoolsOptions<Name>) {
  const opened = Object.entries<PoolPlan>(pools).map(([name, { size, settings = {} }]) => {
    const applicationName = `steward-${service}-${name}`;
    const options = { url, applicationName, poolSize: size, logger, sessionSettings: settings, admit };
    return [name, createDatabase(options)] as const;
  });
  const component: Component = {
    name: `pools: ${Object.keys(pools).join(', ')}`,
    stop: async () => {
      await Promise.all(opened.map(([, database]) => database.close()));
    },
  };
  return { pools: Object.fromEntries(opened) as Readonly<Record<Name, Database>>, component };
}
