interface Connection {
  query(text: string): Promise<unknown>;
}

/** Stops the clock of schedules at this time, for every process. For tests, with the role that owns the schema. */
export async function setScheduleClock(connection: Connection, time: Date): Promise<void> {
  await connection.query(
    `create or replace function flows.schedule_clock() returns timestamptz
     language sql stable set search_path = pg_catalog, pg_temp as $$ select '${time.toISOString()}'::timestamptz $$`,
  );
}
