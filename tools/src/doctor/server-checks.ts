import { adviseIf, type Check } from './finding.ts';

const MEGABYTE = 1_048_576;

export const checkVersions: Check = async (client) => {
  const found = await client.query<{ server: string; vector: string | null; encoding: string }>(
    `select current_setting('server_version') as server, current_setting('server_encoding') as encoding,
       (select extversion from pg_extension where extname = 'vector') as vector`,
  );
  const { server = '', vector = null, encoding = '' } = found.rows[0] ?? {};
  return [
    { topic: 'Postgres', found: server },
    {
      topic: 'pgvector',
      found: vector ?? 'not installed',
      ...adviseIf(
        vector === null || isBelow(vector, [0, 8, 4]),
        'install pgvector 0.8.4 or newer: earlier ones can build a broken HNSW index in parallel or while vacuuming',
      ),
    },
    {
      topic: 'encoding',
      found: encoding,
      ...adviseIf(encoding !== 'UTF8', 'create the database with encoding UTF8: other ones refuse what agents write'),
    },
  ];
};

/** Returns true if a dotted version number is below the wanted one. */
export function isBelow(version: string, wanted: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [place, number] of wanted.entries()) {
    const part = parts[place] ?? 0;
    if (part !== number) return part < number;
  }
  return false;
}

export const checkMemory: Check = async (client) => {
  const found = await client.query<{ name: string; bytes: string }>(
    `select name, (setting::bigint * case unit when '8kB' then 8192 when 'kB' then 1024 when 'MB' then 1048576 else 1 end) as bytes
     from pg_settings where name in ('work_mem', 'shared_buffers', 'maintenance_work_mem')`,
  );
  const bytes = new Map(found.rows.map((row) => [row.name, Number(row.bytes)]));
  const index = await client.query<{ bytes: string | null }>(
    `select sum(pg_relation_size(inhrelid)) as bytes from pg_inherits where inhparent = 'search.chunk_tsv_index'::regclass`,
  );
  const indexBytes = Number(index.rows[0]?.bytes ?? 0);
  const workMemory = bytes.get('work_mem') ?? 0;
  const buffers = bytes.get('shared_buffers') ?? 0;
  return [
    {
      topic: 'work_mem',
      found: showBytes(workMemory),
      ...adviseIf(
        workMemory < 16 * MEGABYTE,
        'set work_mem to 16MB or more for statements other than searches (searches set 32MB themselves): if a bitmap does not fit, every row is read again',
      ),
    },
    {
      topic: 'shared_buffers',
      found: `${showBytes(buffers)}, text index ${showBytes(indexBytes)}`,
      ...adviseIf(
        buffers < indexBytes,
        'set shared_buffers to at least the size of the text index; a quarter of the memory is usual',
      ),
    },
    {
      topic: 'maintenance_work_mem',
      found: showBytes(bytes.get('maintenance_work_mem') ?? 0),
      ...adviseIf(
        (bytes.get('maintenance_work_mem') ?? 0) < 64 * MEGABYTE,
        'set maintenance_work_mem to 256MB or more: it is used for flushing pending lists and building indexes',
      ),
    },
  ];
};

const OLD_TRANSACTION_MINUTES = 60;

export const checkTransactions: Check = async (client) => {
  const found = await client.query<{ minutes: number | null; application: string | null }>(
    `select extract(epoch from now() - xact_start)::float8 / 60 as minutes, application_name as application from pg_stat_activity
     where datname = current_database() and xact_start is not null and pid <> pg_backend_pid() order by xact_start limit 1`,
  );
  const { minutes = 0, application = '' } = found.rows[0] ?? {};
  return [
    {
      topic: 'oldest transaction',
      found: found.rowCount === 0 ? 'none' : `${(minutes ?? 0).toFixed(1)} minutes (${application ?? ''})`,
      ...adviseIf(
        (minutes ?? 0) > OLD_TRANSACTION_MINUTES,
        'end it: while it is open, rows deleted since its start cannot be cleaned up',
      ),
    },
  ];
};

export function showBytes(bytes: number): string {
  if (bytes >= 1024 * MEGABYTE) return `${(bytes / 1024 / MEGABYTE).toFixed(1)} GB`;
  return bytes >= MEGABYTE ? `${(bytes / MEGABYTE).toFixed(0)} MB` : `${(bytes / 1024).toFixed(0)} kB`;
}
