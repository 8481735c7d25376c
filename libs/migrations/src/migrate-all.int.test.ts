import pg from 'pg';
import { createTestDatabase, readTestEnvironment } from '@steward/testing';
import { migrateAll } from './migrate-all.ts';

describe('migrations', () => {
  const name = `steward_migrate_${process.pid}`;
  let admin: pg.Client;
  let url: string;

  beforeAll(async () => {
    const { adminUrl } = readTestEnvironment();
    admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    await admin.query(`create database ${name}`);
    const target = new URL(adminUrl);
    target.pathname = `/${name}`;
    url = target.href;
  });
  afterAll(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  it('are applied once each, by any number of concurrent processes', async () => {
    const lines: string[] = [];
    const migrate = () => migrateAll({ databaseUrl: url, log: (line) => lines.push(line) });
    await Promise.all([migrate(), migrate(), migrate()]);
    const applied = lines.filter((line) => line.startsWith('applied '));
    expect(applied.length).toBeGreaterThan(8);
    expect(new Set(applied).size).toBe(applied.length);
    await migrate();
    expect(lines.filter((line) => line.startsWith('applied '))).toHaveLength(applied.length);
  });

  it('have all been applied to the template database of the tests', async () => {
    const database = await createTestDatabase();
    const lines: string[] = [];
    await migrateAll({ databaseUrl: database.url, log: (line) => lines.push(line) });
    await database.drop();
    expect(lines).toEqual([]);
  });
});
