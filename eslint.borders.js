/**
 * Allowed imports: apps -> APIs of contexts -> use cases -> contexts -> platform -> contracts. Apps never import each
 * other; tests may use the testing libs. A context may only import contexts of lower tiers, so that no cycle can arise
 * (ADR 0026); APIs never import each other (ADR 0066).
 */
export const depConstraints = [
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:testing'] },
  {
    sourceTag: 'type:testing',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:testing', 'type:migrations'],
  },
  {
    sourceTag: 'type:context',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:context', 'type:testing'],
  },
  // Use cases span contexts in one transaction.
  {
    sourceTag: 'type:use-case',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:context', 'type:testing'],
  },
  // Libraries for HTTP: the building blocks of routes, and code shared by routes of several contexts.
  { sourceTag: 'type:http', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:testing'] },
  {
    sourceTag: 'type:api',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:http', 'type:context', 'type:testing'],
  },
  // The HTTP API of a context may call any context, and no other API: code shared by two of them is in `type:api`.
  {
    sourceTag: 'type:context-api',
    onlyDependOnLibsWithTags: [
      'type:contracts',
      'type:platform',
      'type:http',
      'type:api',
      'type:context',
      'type:use-case',
      'type:testing',
    ],
  },
  { sourceTag: 'type:schema', onlyDependOnLibsWithTags: ['type:contracts', 'type:platform'] },
  {
    sourceTag: 'type:migrations',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:platform', 'type:schema', 'type:context', 'type:testing'],
  },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: [
      'type:contracts',
      'type:platform',
      'type:schema',
      'type:context',
      'type:use-case',
      'type:http',
      'type:api',
      'type:context-api',
      'type:migrations',
      'type:testing',
    ],
  },
  // Libraries published for receivers: their tests compare them with the sender, and their code has no dependencies
  // (see below).
  { sourceTag: 'type:client', onlyDependOnLibsWithTags: ['type:contracts', 'scope:webhooks', 'type:testing'] },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['*'] },
  // Code that runs in a browser, while all other code is for Node.
  { sourceTag: 'platform:browser', onlyDependOnLibsWithTags: ['platform:browser'] },
  // Audit, access and outgoing events: every other context may need these; they need no others.
  { sourceTag: 'tier:0', onlyDependOnLibsWithTags: ['scope:shared'] },
  { sourceTag: 'tier:1', onlyDependOnLibsWithTags: ['scope:shared', 'tier:0'] },
  // The only context that may import one of its own tier is `sessions`: content and its chunks are stored in one
  // transaction. The search context itself does not import any context of its own tier.
  { sourceTag: 'tier:1+search', onlyDependOnLibsWithTags: ['scope:shared', 'tier:0', 'scope:search'] },
  { sourceTag: 'tier:2', onlyDependOnLibsWithTags: ['scope:shared', 'tier:0', 'tier:1', 'tier:1+search'] },
  // Only the gateway serves HTTP to clients and calls every context; a worker calls those for which its role has
  // grants.
  { allSourceTags: ['type:app', 'scope:search'], onlyDependOnLibsWithTags: ['scope:shared', 'scope:search'] },
  { allSourceTags: ['type:app', 'scope:webhooks'], onlyDependOnLibsWithTags: ['scope:shared', 'scope:webhooks'] },
  {
    allSourceTags: ['type:app', 'scope:flows'],
    onlyDependOnLibsWithTags: [
      'scope:shared',
      'scope:flows',
      'scope:identity',
      'scope:sessions',
      'scope:webhooks',
      'scope:search',
    ],
  },
  {
    allSourceTags: ['type:app', 'scope:backfill'],
    onlyDependOnLibsWithTags: [
      'scope:shared',
      'scope:approvals',
      'scope:backfill',
      'scope:identity',
      'scope:sessions',
      'scope:webhooks',
      'scope:search',
    ],
  },
];

export const BROKER_CLIENT = ['nats', '@nats-io/transport-node', '@nats-io/jetstream'].map((name) => ({
  name,
  message: 'Only libs/platform/broker/src/nats may import the NATS client.',
}));

/**
 * The surfaces of the gateway: code that two of them need belongs in a context, a use case or `libs/api` (ADR 0066).
 */
const SURFACES = ['api', 'mcp', 'model-gateway', 'opentelemetry'];
export const BETWEEN_SURFACES = SURFACES.map((surface) => ({
  files: [`apps/api-gateway/src/surfaces/${surface}/**/*.ts`],
  ignores: ['**/*.test.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: BROKER_CLIENT,
        patterns: [
          {
            regex: `(^|/)(\\.\\.|surfaces)/(${SURFACES.filter((other) => other !== surface).join('|')})/`,
            message: 'A surface must not import another surface.',
          },
          ...(surface === 'api'
            ? []
            : [{ regex: '^@steward/.*-api$', message: 'A surface must not import the API of a context.' }]),
        ],
      },
    ],
  },
}));
