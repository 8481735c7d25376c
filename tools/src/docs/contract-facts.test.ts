import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { listDeclaredRoutes } from '@steward/api-gateway';
import { ERROR_CODES } from '@steward/contracts';
import { APP_SETTINGS } from '../app-settings.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import {
  listUnknownRoutes,
  listUnknownSettings,
  listWrongBounds,
  listWrongDefaults,
  listWrongLimits,
  listWrongStatuses,
  readApiBounds,
  readCitedNumbers,
  readRuleTexts,
  saysNumber,
} from './contract-facts.ts';

const read = (file: string): string => readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8');
const list = (pattern: string): string[] => globSync(pattern, { cwd: WORKSPACE_ROOT }).sort();
const declared = new Map(
  Object.values(APP_SETTINGS).flatMap((settings) =>
    Object.values(settings).map((setting) => [setting.variable, setting] as const),
  ),
);
const RULES = list('docs/contract/*.md');
const PAGES = [...RULES, ...list('docs/{use,operate}/*.md'), 'docs/reference/limits.md', 'README.md', 'SECURITY.md'];

/** Variables read by other programs: the command line, agents, compose, runtimes, tools of the repository. */
const OTHERS = new Set(
  `STEWARD_API_KEY STEWARD_API_URL STEWARD_EXECUTION_ID STEWARD_KEY STEWARD_PROMPT_FILE STEWARD_TOKEN STEWARD_URL
   STEWARD_NOTICE_URL STEWARD_WEBHOOK_URL STEWARD_WORKSPACE ANTHROPIC_CUSTOM_HEADERS AWS_SECRET_ACCESS_KEY CLAUDE_CONFIG_DIR CODEX_HOME
   GEMINI_CLI_HOME OPENAI_API_KEY OPENAI_BASE_URL SPAN_ONLY TRACELOOP_BASE_URL TRACELOOP_HEADERS XDG_DATA_HOME
   API_GATEWAY_MEMORY BACKFILL_SWEEPER_MEMORY BIND_ADDRESS COMPOSE_PROFILES FLOW_SERVICE_ROLE FLOW_TRIGGER_MEMORY GRAFANA_PORT
   SEARCH_INDEXER_MEMORY WEBHOOK_DISPATCHER_MEMORY DATABASE_ROLE_PASSWORDS NATS_PASSWORD_API_GATEWAY
   GIT_PAGER GIT_SSH_COMMAND HTTP_PROXY HTTPS_PROXY NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY SSL_CERT_FILE STEWARD_* LD_* ..._FILE`.split(
    /\s+/,
  ),
);
/** Routes of third-party protocols, which the API does not declare. */
const FOREIGN = [
  'POST /openai/v1/chat/completions',
  'GET /openai/v1/models',
  'GET /openai/v1/responses/{id}',
  'DELETE /openai/v1/responses/{id}',
  'POST /anthropic/v1/messages',
  'GET /anthropic/v1/models',
  'POST /mcp/v1',
  'GET /mcp/v1',
  'GET /.well-known/oauth-protected-resource',
];
const routes = new Set([
  ...listDeclaredRoutes().map(({ method, path }) => `${method.toUpperCase()} ${path}`),
  ...FOREIGN,
]);
const bounds = readApiBounds(JSON.parse(read('docs/reference/openapi.json')));
/** Names of constants that are computed from the number in a rule, as the comment at the constant shows. */
const DERIVED = new Set(['MAX_HEADER_BYTES']);

describe('a documentation page', () => {
  it.each(PAGES)('names existing settings, with their defaults: %s', (file) => {
    const page = read(file);
    expect([...listUnknownSettings(page, declared, OTHERS), ...listWrongDefaults(page, declared)]).toEqual([]);
  });

  it.each(RULES)('states current limits, statuses, routes and bounds: %s', (file) => {
    const page = read(file);
    expect([
      ...listWrongLimits(page, declared),
      ...listWrongStatuses(page, ERROR_CODES),
      ...listUnknownRoutes(page, routes),
      ...listWrongBounds(page, bounds),
    ]).toEqual([]);
  });

  it('contains the value of every constant whose comment cites a rule', () => {
    const rules = new Map(RULES.flatMap((file) => [...readRuleTexts(read(file))]));
    const sources = list('{apps,libs}/**/src/**/*.ts').filter((file) => !/node_modules|\.test\.ts$/.test(file));
    const cited = sources.flatMap((file) =>
      readCitedNumbers(read(file)).map((number) => ({
        ...number,
        file,
        texts: number.rules.flatMap((rule) => rules.get(rule) ?? []),
      })),
    );
    const wrong = cited.filter(
      ({ name, value, texts }) =>
        texts.length > 0 && !DERIVED.has(name) && !texts.some((text) => saysNumber(text, value)),
    );
    expect(wrong.map(({ file, name, value, rules: ids }) => `${file}: ${name} is ${value}; ${ids.join(', ')}`)).toEqual(
      [],
    );
    expect(cited.length).toBeGreaterThan(30);
  });

  it('lists every role of an app (PROC-14)', () => {
    const roles = Object.entries(APP_SETTINGS).flatMap(([app, settings]) =>
      Object.values(settings)
        .filter(({ variable }) => variable === 'SERVICE_ROLE')
        .flatMap(({ allowed = '' }) => allowed.split(', ').map((role) => [app, role])),
    );
    const rows = [...read('docs/contract/processes.md').matchAll(/^\| `([\w-]+)` +\| `(\w+)`/gm)];
    expect(rows.map(([, app, role]) => [app, role])).toEqual(roles);
  });
});

describe('the check of documentation pages', () => {
  const some = [...declared.values()].find(({ variable }) => variable === 'ACCOUNT_MAX_USERS');
  const one = new Map(some === undefined ? [] : [[some.variable, some]]);

  it('reports unknown settings', () => {
    const page =
      '`ACCOUNT_MAX_USERS`, `ACCOUNT_MAX_...`, `..._MAX_USERS`, `ACCOUNT_MIN_USERS`, `ACCOUNT_MIN_*`, `HTTP_PROXY`, `UTF8`';
    expect(listUnknownSettings(page, one, OTHERS)).toEqual([
      'ACCOUNT_MIN_USERS is no setting',
      'ACCOUNT_MIN_* is no setting',
    ]);
  });

  it('reports wrong defaults and limits', () => {
    expect(
      listWrongDefaults(
        '`ACCOUNT_MAX_USERS` (1,000), `ACCOUNT_MAX_USERS` (100 a day)\n| `ACCOUNT_MAX_USERS` | 10 |',
        one,
      ),
    ).toEqual(['ACCOUNT_MAX_USERS is 1000 by default, not 100', 'ACCOUNT_MAX_USERS is 1000 by default, not 10']);
    const rows = '| LIM-1 | 1000 users | `ACCOUNT_MAX_USERS` | 409 |\n| LIM-2 | 10,000 | `..._MAX_USERS` | 409 |';
    expect(listWrongLimits(rows, one)).toEqual(['LIM-2 does not say 1000, the default of ACCOUNT_MAX_USERS']);
  });

  it('reports error codes with a wrong status, and unknown codes', () => {
    expect(
      listWrongStatuses('403 `not_found`, 404 `not_found`, 409 `no_such_code`', { not_found: { status: 404 } }),
    ).toEqual(['not_found is 404, not 403', 'no_such_code is no error code']);
  });

  it('reports requests that no route handles', () => {
    const routes = new Set(['POST /api/v1/flows/:id/stop']);
    expect(listUnknownRoutes('`POST /flows/ID/stop`, `POST /{id}/stop`, `GET /{id}/stop`', routes)).toEqual([
      'no route is GET /{id}/stop',
    ]);
  });

  it('reports wrong limits of fields', () => {
    const quorum = { anyOf: [{ type: 'integer', minimum: 1, maximum: 10 }, { type: 'null' }] };
    const api = {
      body: { properties: { quorum } },
      parameters: [{ name: 'wait', schema: { minimum: 0, maximum: 300 } }],
    };
    const stated = '`quorum` (1 to 10), `quorum` (1 to 1,000), `wait` (0 to 60), `other` (1 to 2)';
    expect(listWrongBounds(stated, readApiBounds(api))).toEqual([
      'quorum is 1..10, not 1..1000',
      'wait is 0..300, not 0..60',
    ]);
  });

  it('compares numbers in the text of a rule with the constant that cites it, in any unit', () => {
    expect(
      readCitedNumbers('/** LIM-53. */\nexport const MAX_WAIT = 10 * 60_000;\n/** Why not. */\nconst N = 3;'),
    ).toEqual([{ name: 'MAX_WAIT', value: 600_000, rules: ['LIM-53'] }]);
    expect(
      ['for 10 minutes', 'for ten minutes', '600 s', '600,000 ms', '6,000'].map((text) => saysNumber(text, 600_000)),
    ).toEqual([true, true, true, true, false]);
  });
});
