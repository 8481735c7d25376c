/**
 * Testing: what tests need around them: a cloned database per file, a broker per file, a real HTTP receiver, waiting for
 * facts, a clock. The servers of a run are started by `tools/src/jest`.
 *
 * Not here: stand-ins for our own parts. Imported by tests and benches only.
 */
export { askJetStream, trySubscribe } from './ask-jetstream.ts';
export { bareEnvironment } from './bare-environment.ts';
export { listCredentialShapes } from './credential-shapes.ts';
export type { CredentialShape } from './credential-shapes.ts';
export { createTestDatabase } from './create-test-database.ts';
export type { TestDatabase } from './create-test-database.ts';
export { eventually, PATIENCE_MS } from './eventually.ts';
export type { EventuallyOptions } from './eventually.ts';
export { createFakeClock } from './fake-clock.ts';
export { hashCheaply } from './hash-cheaply.ts';
export { listLookups, readLookupTexts } from './lookups/read-lookup-texts.ts';
export type { Lookup, LookupText } from './lookups/read-lookup-texts.ts';
export { findProcesses } from './find-processes.ts';
export { startAppProcess } from './start-app-process.ts';
export type { AppProcess } from './start-app-process.ts';
export { startHttpReceiver } from './http-receiver.ts';
export type { HttpReceiver, ReceivedRequest, Respond } from './http-receiver.ts';
export { startTestBroker, startTestBrokerCluster } from './start-test-broker.ts';
export type { TestBroker, TestBrokerCluster } from './start-test-broker.ts';
export { startTestObjectStore } from './start-test-object-store.ts';
export type { TestObjectStore } from './start-test-object-store.ts';
export { createTestCertificates } from './test-certificates.ts';
export type { TestCertificate, TestCertificates } from './test-certificates.ts';
export { releaseAfterAll } from './release-after-all.ts';
export { releaseAll } from './release-all.ts';
export type { Release } from './release-all.ts';
export { resolvingTo } from './resolving-to.ts';
export { createSeededRandom } from './seeded-random.ts';
export { useOpened } from './use-opened.ts';
export { readTestEnvironment, TEST_ENVIRONMENT, writeTestEnvironment } from './test-environment.ts';
export type { TestEnvironment } from './test-environment.ts';
