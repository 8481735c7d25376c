import { sql, type Kysely } from 'kysely';
import { assertSchemaFits, migrateSlice, type SliceMigrations } from './migrations.ts';
import { createIndexOnline } from './create-index-online.ts';
import { openDatabase, type OpenDatabase } from './testing/open-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

/** Returns a migration that records that it ran, and fails on request. */
const step = (schema: string, name: string, fails = false) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table if not exists ${sql.table(`${schema}.ran`)} (name text)`.execute(db);
    await sql`insert into ${sql.table(`${schema}.ran`)} values (${name})`.execute(db);
    if (fails) throw new Error('no such column');
  },
});

function slice(schema: string, names: readonly string[], failing?: string): SliceMigrations {
  return {
    schema,
    migrations: Object.fromEntries(names.map((name) => [name, step(schema, name, name === failing)])) as never,
  };
}

async function listRan(schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(`${schema}.ran`)}`.execute(database.db);
  return rows.map(({ name }) => name);
}

describe('migrations of a context', () => {
  it('run in the order of their names, each once', async () => {
    const names = ['0001_create_a', '0002_create_b', '0010_create_c'];
    expect(await migrateSlice(database.db, slice('ordered', names.toReversed()))).toEqual(names);
    expect(await migrateSlice(database.db, slice('ordered', names))).toEqual([]);
    expect(await migrateSlice(database.db, slice('ordered', [...names, '0011_create_d']))).toEqual(['0011_create_d']);
    expect(await listRan('ordered')).toEqual([...names, '0011_create_d']);
  });

  it('run once if two processes migrate a database at the same time', async () => {
    const wanted = slice('contended', ['0001_create_a', '0002_create_b']);
    const others = [database.open(), database.open(), database.open()];
    const applied = await Promise.all([database, ...others].map(({ db }) => migrateSlice(db, wanted)));
    expect(applied.flat().sort()).toEqual(['0001_create_a', '0002_create_b']);
    expect(await listRan('contended')).toEqual(['0001_create_a', '0002_create_b']);
  });

  it('leave nothing behind if one of them fails, and name it', async () => {
    const names = ['0001_create_a', '0002_break'];
    await expect(migrateSlice(database.db, slice('failing', names, '0002_break'))).rejects.toMatchObject({
      message: 'migration failing/0002_break failed',
      cause: expect.objectContaining({ message: 'no such column' }) as unknown,
    });
    expect(await migrateSlice(database.db, slice('failing', names))).toEqual(names);
    expect(await listRan('failing')).toEqual(names);
  });

  it('run outside of a transaction if they are online, in order, and again after a crash', async () => {
    const name = 'ran_name';
    const found: boolean[] = [];
    let fails = true;
    const online = {
      isOnline: true,
      async up(db: Kysely<unknown>): Promise<void> {
        await createIndexOnline(db, { schema: 'online', name, definition: 'on online.ran (name)' });
        if (fails) throw new Error('crashed');
        found.push(true);
      },
    };
    const { schema, migrations } = slice('online', ['0001_create_a', '0003_create_c']);
    const wanted = { schema, migrations: { ...migrations, '0002_index_a': online } };
    await expect(migrateSlice(database.db, wanted)).rejects.toThrow('crashed');
    expect(await listRan('online')).toEqual(['0001_create_a']);
    fails = false;
    expect(await migrateSlice(database.db, wanted)).toEqual(['0002_index_a', '0003_create_c']);
    expect(await migrateSlice(database.db, wanted)).toEqual([]);
    expect(found).toEqual([true]);
    const { rows } = await sql<{ indisvalid: boolean }>`
      select indisvalid from pg_index where indexrelid = 'online.ran_name'::regclass`.execute(database.db);
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it('rebuild an index that an earlier attempt left invalid', async () => {
    await sql`create schema broken`.execute(database.db);
    await sql`create table broken.t (v int)`.execute(database.db);
    await sql`insert into broken.t values (1), (1)`.execute(database.db);
    const unique = { schema: 'broken', name: 't_v', definition: 'on broken.t (v)', isUnique: true };
    await expect(createIndexOnline(database.db, unique)).rejects.toThrow(/could not create unique index/);
    await sql`delete from broken.t`.execute(database.db);
    await createIndexOnline(database.db, unique);
    await expect(sql`insert into broken.t values (1), (1)`.execute(database.db)).rejects.toThrow(/t_v/);
  });

  it('do not depend on the migrations of another context', async () => {
    await migrateSlice(database.db, slice('left', ['0001_create_a']));
    expect(await migrateSlice(database.db, slice('right', ['0001_create_a']))).toEqual(['0001_create_a']);
  });

  it('are refused if a frozen migration was removed or renamed', async () => {
    await migrateSlice(database.db, slice('renamed', ['0001_create_a', '0002_create_b']));
    await expect(migrateSlice(database.db, slice('renamed', ['0001_create_x', '0002_create_b']))).rejects.toThrow(
      'migration renamed/(set-up) failed',
    );
  });
});

describe('a process with a schema (PROC-2)', () => {
  const current = slice('guarded', ['0001_create_a', '0002_create_b']);
  beforeAll(() => migrateSlice(database.db, current));

  it('starts if the schema is that of its build', async () => {
    expect(await assertSchemaFits(database.db, current)).toEqual([]);
  });

  it('refuses an older schema, with the missing migrations and the command that applies them', async () => {
    const newer = slice('guarded', ['0001_create_a', '0002_create_b', '0003_create_c']);
    await expect(assertSchemaFits(database.db, newer)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/"guarded" is behind .*0003_create_c.*npm run migrate/) as unknown,
    });
  });

  it('starts on a newer schema, alongside the newer build, and logs unknown migrations', async () => {
    expect(await assertSchemaFits(database.db, slice('guarded', ['0001_create_a']))).toEqual(['0002_create_b']);
  });

  it('refuses a schema from which a newer version removed something that it uses', async () => {
    await migrateSlice(database.db, slice('contracted', ['0001_create_a', '0002_create_b', '0003_contract_a']));
    await expect(assertSchemaFits(database.db, slice('contracted', ['0001_create_a']))).rejects.toThrow(
      /"contracted" is ahead .*removed what this version uses: 0003_contract_a\)/,
    );
  });

  it('treats a database without the schema as an older one', async () => {
    await expect(assertSchemaFits(database.db, slice('absent', ['0001_create_a']))).rejects.toThrow(
      /"absent" is behind .*0001_create_a/,
    );
  });
});
