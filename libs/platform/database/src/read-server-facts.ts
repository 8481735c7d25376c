import { sql } from 'kysely';
import type { AnyDatabase } from './transact.ts';

/** Size of the database and connections of its server, for operators. */
export interface ServerFacts {
  readonly sizeBytes: number;
  /** Number of connections of all clients to the server; `maxConnections` is the maximum that it accepts. */
  readonly connections: number;
  readonly maxConnections: number;
  /**
   * Number of connections to this database, by the application name of the client. Behind a pooler, these may be the
   * connections of the pooler.
   */
  readonly connectionsByApplication: Readonly<Record<string, number>>;
}

/** Reads the facts without special privileges: a role may see the names of other clients, but not their statements. */
export async function readServerFacts(db: AnyDatabase): Promise<ServerFacts> {
  const { rows } = await sql<{
    size: string;
    connections: number;
    most: number;
    applications: Readonly<Record<string, number>>;
  }>`
    select pg_database_size(current_database()) as size, current_setting('max_connections')::int as most,
      (select count(*)::int from pg_stat_activity where datid is not null) as connections,
      (
        select coalesce(json_object_agg(name, connections), '{}') from (
          select application_name as name, count(*)::int as connections from pg_stat_activity
          where datname = current_database() group by application_name
        ) named
      ) as applications
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the query for the facts of the server returned no row');
  return {
    sizeBytes: Number(row.size),
    connections: row.connections,
    maxConnections: row.most,
    connectionsByApplication: row.applications,
  };
}
