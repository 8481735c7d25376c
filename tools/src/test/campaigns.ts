/**
 * Test files with a campaign of random or repeated attacks, which have a daily and a full size (`sizeCampaign`). `npm
 * test -- --full` runs them at their full size.
 */
export const CAMPAIGN_FILES: readonly string[] = [
  'apps/api-gateway/src/fuzz-routes.int.test.ts',
  'apps/api-gateway/src/known-callers.int.test.ts',
  'apps/api-gateway/src/surfaces/api/policies/document-bombs.int.test.ts',
  'apps/api-gateway/src/surfaces/mcp/servers/bomb-servers.int.test.ts',
  'apps/api-gateway/src/surfaces/mcp/servers/killed-process.int.test.ts',
  'apps/api-gateway/src/surfaces/model-gateway/pass-call.int.test.ts',
  'apps/backfill-sweeper/src/crash.int.test.ts',
  'libs/contexts/identity/src/credentials/operations/caller-schedules.int.test.ts',
  'libs/mcp-client/src/create-tool-server-client.int.test.ts',
  'tools/src/attack/answers/attack-answers.e2e.test.ts',
  'tools/src/attack/bombs/attack-requests.e2e.test.ts',
  'tools/src/attack/credentials/attack-credentials.e2e.test.ts',
  'tools/src/e2e/flows.e2e.test.ts',
];
