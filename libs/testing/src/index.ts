/**
 * Testing: what tests need around them: a cloned database per file, a broker per file, a real HTTP receiver, waiting for
 * facts, a clock. The servers of a run are started by `tools/src/jest`.
 *
 * Not here: stand-ins for our own parts. Imported by tests and benches only.
 */
export { createTestDatabase } from './create-test-database.ts';
export type { TestDatabase } from './create-test-database.ts';
export { eventually } from './eventually.ts';
export type { EventuallyOptions } from './eventually.ts';
export { createFakeClock } from './fake-clock.ts';
export { startHttpReceiver } from './http-receiver.ts';
export type { HttpReceiver, ReceivedRequest, Respond } from './http-receiver.ts';
export { startTestBroker } from './start-test-broker.ts';
export type { TestBroker } from './start-test-broker.ts';
export { readTestEnvironment, TEST_ENVIRONMENT, writeTestEnvironment } from './test-environment.ts';
export type { TestEnvironment } from './test-environment.ts';
