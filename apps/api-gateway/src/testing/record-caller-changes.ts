import type pg from 'pg';

/** Background work changes these too, at any time; what is read of them is not used again. */
const CHANGED_IN_BACKGROUND = ['tool_servers.revision', 'trackers.revision'];

/**
 * Records, from now on, the tables in which something changes that is read of callers (ACC-54). Returns the function
 * that returns the tables that changed since it was last called.
 */
export async function recordCallerChanges(admin: pg.Client): Promise<() => Promise<string[]>> {
  await admin.query('create table gateway.recorded_change (source text not null)');
  await admin.query('grant insert on gateway.recorded_change to public');
  const { rows } = await admin.query<{ text: string }>(
    `select pg_get_functiondef('gateway.note_caller_change'::regproc) as text`,
  );
  const recording = `insert into gateway.recorded_change values (tg_table_schema || '.' || tg_table_name); return null;`;
  const text = rows[0]?.text ?? '';
  if (!text.includes('return null;')) throw new Error('the function has no statement before which it can record');
  await admin.query(text.replace('return null;', recording));
  return async () => {
    const taken = await admin.query<{ source: string }>('delete from gateway.recorded_change returning source');
    return [...new Set(taken.rows.map(({ source }) => source))].filter((one) => !CHANGED_IN_BACKGROUND.includes(one));
  };
}
