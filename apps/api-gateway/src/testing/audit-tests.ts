import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { useOpened } from '@steward/testing';
import { fits, listAuditedRoutes, type AuditedArea } from './audited-routes.ts';
import { startTestGateway, type CallOptions, type JsonResponse } from './start-gateway.ts';

export interface AuditedRow {
  readonly account_id: string;
  readonly actor: readonly [kind: string, id: string | null];
  readonly source: string;
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly status: string;
  readonly details: object;
}

/** A request and its expected row, which by default is one of the owner with success. */
export interface AuditedRequest {
  readonly request: readonly [method: string, path: string, options?: CallOptions];
  readonly answers: number;
  readonly row: (body: JsonResponse['body']) => Partial<AuditedRow> & Pick<AuditedRow, 'action' | 'resource_type'>;
  /** Status of the request if its row cannot be written: by default the request fails, and nothing is changed. */
  readonly unlogged?: number;
}

export type AuditedTable = readonly (readonly [what: string, prepare: () => Promise<AuditedRequest>])[];

/** Returns the expected fields of a row. */
export const did = (
  action: string,
  resource_type: string,
  resource_id: string | null = null,
  details: object = {},
) => ({
  action,
  resource_type,
  resource_id,
  details,
});

/** The id of a request whose audit row the database rejects. */
const UNLOGGED = 'unlogged';

async function openAudited(environment: Readonly<Record<string, string>>) {
  // No row may change between two digests of the tables, except by the request.
  const gateway = await startTestGateway({ STATS_ROLL_UP_SECONDS: '3600', ...environment });
  const owner = await gateway.registerAccount();
  const admin = new pg.Client({ connectionString: gateway.database.url });
  await admin.connect();
  await admin.query(`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit row'; end $$;
    create trigger refuse before insert on gateway.audit_log for each row when (new.request_id = '${UNLOGGED}')
      execute function refuse_audit()`);
  return {
    gateway,
    owner,
    admin,
    digests: await writeDigests(admin),
    async close() {
      await admin.end();
      await gateway.close();
    },
  };
}

/**
 * Returns a query for digests of all rows, per table. Parsing and planning it takes much longer than reading the tables,
 * so it is prepared once; a partitioned table is read as a whole, so that partitions may be added and dropped later.
 */
async function writeDigests(admin: pg.Client): Promise<string> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
     order by 1`,
  );
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, md5(string_agg(r::text, ',' order by r::text)) as rows from ${name} r`,
  );
  return `${digests.join(' union all ')} order by name`;
}

/** Sets up the test file: a gateway, an account, and a database that rejects audit rows on demand. */
export function useAudit(environment: Readonly<Record<string, string>> = {}) {
  const opened = useOpened(() => openAudited(environment));
  const gateway = () => opened().gateway;
  const owner = () => opened().owner;
  const admin = () => opened().admin;

  const send = ([method, path, options]: AuditedRequest['request'], requestId: string): Promise<JsonResponse> =>
    gateway().call(method, path, { ...options, headers: { ...options?.headers, 'x-request-id': requestId } });
  const readRows = async (requestId: string): Promise<AuditedRow[]> => {
    const { rows } = await admin().query<AuditedRow>(
      `select account_id, json_build_array(actor_kind, actor_id) as actor, source, action, resource_type, resource_id, status, details
       from gateway.audit_log where request_id = $1 order by id`,
      [requestId],
    );
    return rows;
  };
  /** Returns a digest of all rows, per table. */
  const readState = async (): Promise<unknown> =>
    (await admin().query({ name: 'digests', text: opened().digests })).rows;
  /** Sends a request that must succeed, as the owner unless a token is given; returns the body of the response. */
  const call = async (method: string, path: string, body?: unknown, token = owner().accessToken) => {
    const answer = await gateway().call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
    expect([method, path, answer.status < 300]).toEqual([method, path, true]);
    return answer.body;
  };
  /** Returns a further request of the owner, for a table of requests. */
  const ask = (method: string, path: string, body?: unknown): AuditedRequest['request'] => [
    method,
    `/api/v1${path}`,
    { token: owner().accessToken, ...(body === undefined ? {} : { body }) },
  ];
  async function expectRow({ request, answers, row }: AuditedRequest): Promise<void> {
    const requestId = randomUUID();
    const { status, body } = await send(request, requestId);
    expect([status, await readRows(requestId)]).toEqual([
      answers,
      [
        {
          account_id: owner().accountId,
          actor: ['user', owner().userId],
          source: 'console',
          resource_id: null,
          status: 'success',
          details: {},
          ...row(body),
        },
      ],
    ]);
  }
  async function expectNothingUnlogged({ request, unlogged }: AuditedRequest): Promise<void> {
    const before = await readState();
    expect((await send(request, UNLOGGED)).status).toBe(unlogged ?? 500);
    expect(await readRows(UNLOGGED)).toEqual([]);
    if (unlogged === undefined) expect(await readState()).toEqual(before);
  }

  return {
    gateway,
    owner,
    /** The database as its superuser. */
    admin,
    call,
    ask,
    /** Creates a key of the owner that may only read flows. */
    createNarrowKey: (): Promise<{ id: string; key: string }> =>
      call('POST', '/auth/api-keys', { name: 'narrow', scopes: ['view_flows'] }),
    /**
     * Tests that each request of the table writes its row, and changes nothing if the row cannot be written; then that
     * every route of the area is covered.
     */
    describeTable(area: AuditedArea, table: AuditedTable): void {
      const asked: string[] = [];
      describe('the audit log records actor, subject and outcome in the transaction of the change, when', () => {
        it.each(table)('%s', async (_what, prepare) => {
          const audited = await prepare();
          await expectNothingUnlogged(audited);
          await expectRow(audited);
          asked.push(`${audited.request[0]} ${audited.request[1]}`);
        });
      });
      it('every route that declares an audit record was called', () => {
        const left = listAuditedRoutes(area).filter((route) => !asked.some((request) => fits(route, request)));
        expect(left.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
      });
    },
    async expectNoRow({ request, answers }: Pick<AuditedRequest, 'request' | 'answers'>): Promise<void> {
      const requestId = randomUUID();
      expect((await send(request, requestId)).status).toBe(answers);
      expect(await readRows(requestId)).toEqual([]);
    },
  };
}
