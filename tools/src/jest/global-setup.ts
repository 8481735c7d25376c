import {
  ensurePrograms,
  makeScratchDirectory,
  readServerChoices,
  removeStaleScratch,
  startPostgres,
} from '@steward/local-servers';
import { releaseAtEnd, TEST_ENVIRONMENT, writeTestEnvironment } from '@steward/testing';
import { cheapenLogins } from '../servers/cheapen-logins.ts';
import { createTemplate } from '../servers/create-template.ts';

/** Programs that tests run: git for the repositories of flows, and others for the CI scripts. */
const PROGRAMS = ['git', 'curl', 'jq'];

/**
 * Sets up the integration tests once for a whole run: one temporary Postgres and one migrated template database. Each
 * test file clones the template, so that files do not see each other's rows. Brokers are started for each file.
 */
export default async function setUp(): Promise<void> {
  if (process.env[TEST_ENVIRONMENT] !== undefined) return;
  const progress = (line: string): void => void process.stderr.write(`test set-up: ${line}\n`);
  const choices = readServerChoices(process.env);
  removeStaleScratch();
  await ensurePrograms(PROGRAMS, { ...choices, progress });
  const postgres = await startPostgres({
    existingUrl: process.env.TEST_DATABASE_URL,
    dataDirectory: makeScratchDirectory('postgres'),
    durable: false,
    ...choices,
    progress,
  });
  releaseAtEnd(() => postgres.stop());
  const environment = await createTemplate(postgres.url);
  // The roles of a server of the environment keep the verifiers that Postgres derives.
  if (postgres.origin !== 'environment') await cheapenLogins(environment);
  writeTestEnvironment(environment);
}
