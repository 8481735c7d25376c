/**
 * Testing: the environment of tests: a cloned database per file, a broker per file, a real HTTP receiver, waiting for
 * conditions, a clock. `tools/src/jest` starts the servers of a run. Not here: mocks of parts of the product. Imported
 * by tests and benches only.
 */
export { askJetStream, trySubscribe } from './ask-jetstream.ts';
export { bareEnvironment } from './bare-environment.ts';
export { KNOWN_MISSES } from './credential-corpora/known-misses.ts';
export { listOrdinaryLines } from './credential-corpora/list-ordinary-lines.ts';
export { listHiddenNegatives, measureCorpus, sumMeasures } from './credential-corpora/measure-corpus.ts';
export {
  CREDENTIAL_CORPORA,
  encodeSample,
  readCredentialCorpus,
  type CredentialSample,
} from './credential-corpora/read-credential-corpus.ts';
export { SAMPLE_FORMS } from './credential-corpora/sample-forms.ts';
export { BOMB_KINDS, preparePackedBombs, QUICK_BOMB_KINDS, type BombKind } from './bombs/bomb-answers.ts';
export { DOCUMENT_BOMBS } from './bombs/document-bombs.ts';
export { PACKINGS, packBomb, type Packing } from './bombs/packed-bomb.ts';
export { startBombServer, type BombServer, type BombStage } from './bombs/start-bomb-server.ts';
export { isTriedToday, seedCampaign, sizeCampaign } from './campaign.ts';
export { captureOutput } from './capture-output.ts';
export { listCredentialShapes, type CredentialShape } from './credential-shapes.ts';
export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { eventually, TIMEOUT_MS, type EventuallyOptions } from './eventually.ts';
export { scaleLimit } from './machine-pace.ts';
export { createFakeClock } from './fake-clock.ts';
export { inlineReferences } from './inline-references.ts';
export { hashCheaply } from './hash-cheaply.ts';
export { listLookups, readLookupTexts, type Lookup, type LookupText } from './lookups/read-lookup-texts.ts';
export { findProcesses } from './find-processes.ts';
export { startAppProcess, TEST_BUNDLES, type AppProcess } from './start-app-process.ts';
export { startHttpReceiver, type HttpReceiver, type ReceivedRequest, type Respond } from './http-receiver.ts';
export {
  endWithProcess,
  startTestBroker,
  startTestBrokerCluster,
  type TestBroker,
  type TestBrokerCluster,
} from './start-test-broker.ts';
export {
  sendEvents,
  sendJson,
  startRawToolServer,
  type RawToolAnswer,
  type RawToolServer,
} from './start-raw-tool-server.ts';
export { startTestObjectStore, type TestObjectStore } from './start-test-object-store.ts';
export { createTestCertificates, type TestCertificate, type TestCertificates } from './test-certificates.ts';
export { playCluster, type PlayedCluster } from './kubernetes/play-cluster.ts';
export { openOnce } from './open-once.ts';
export { releaseAfterAll } from './release-after-all.ts';
export { releaseAtEnd, releaseProcess } from './release-at-end.ts';
export { releaseAll, type Release } from './release-all.ts';
export { resolvingTo } from './resolving-to.ts';
export { createSeededRandom } from './seeded-random.ts';
export { startPlayedTracker, type PlayedTrackerKind } from './trackers/played-tracker.ts';
export { useFolder } from './use-folder.ts';
export { useOpened } from './use-opened.ts';
export {
  readTestEnvironment,
  TEST_ENVIRONMENT,
  writeTestEnvironment,
  type TestEnvironment,
} from './test-environment.ts';
export { startTestReplication, type TestReplication } from './start-test-replication.ts';
