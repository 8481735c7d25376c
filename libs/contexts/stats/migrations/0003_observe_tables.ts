import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How rows of a table become facts: SQL over a row with the alias `r`. */
interface Observed {
  readonly source: string;
  readonly table: string;
  readonly at: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly failed?: string;
  readonly amount?: string;
  readonly input?: string;
  readonly output?: string;
  readonly bin?: string;
  /** Condition for the rows that are facts. */
  readonly when?: string;
}

const MODEL_CALL: Observed = {
  source: 'model_call',
  table: 'models.usage',
  at: 'r.occurred_at',
  keys: {
    model: 'r.model_alias',
    agent: 'r.managed_agent_id',
    key: 'r.api_key_id',
    flow: 'r.flow_id',
    person: 'r.user_id',
    result: 'r.status',
  },
  failed: `(r.status = 'error')::integer`,
  amount: 'coalesce(r.cost_usd, 0)',
  input: 'coalesce(r.input_tokens, 0)',
  output: 'coalesce(r.output_tokens, 0)',
};

const SESSION: Observed = {
  source: 'session',
  table: 'gateway.runtime_session',
  at: 'r.started_at',
  keys: {
    source: 'left(r.session_source_type, 255)',
    agent: `case r.runtime_principal_type when 'managed_agent' then left(r.runtime_principal_id, 255) end`,
    key: 'r.api_key_id',
    flow: 'r.flow_id',
  },
};

const TOOL_CALL: Observed = {
  source: 'tool_call',
  table: 'gateway.session_content',
  at: 'r.occurred_at',
  keys: {
    tool: 'left(r.tool_name, 255)',
    agent: `(select case s.runtime_principal_type when 'managed_agent' then left(s.runtime_principal_id, 255) end
      from gateway.runtime_session s where s.account_id = r.account_id and s.id = r.runtime_session_id)`,
    key: 'r.api_key_id',
    result: 'r.status',
  },
  failed: `coalesce(r.status in ('denied', 'declined', 'error'), false)::integer`,
  // A copied call was counted in its original session.
  when: `r.kind = 'tool_call' and r.copy_of is null`,
};

const DELIVERED_MS = 'extract(epoch from r.finished_at - r.created_at) * 1000';
const DELIVERY: Observed = {
  source: 'delivery',
  table: 'webhooks.delivery_done',
  at: 'r.finished_at',
  keys: { endpoint: 'r.endpoint_id', type: 'r.event_type', result: 'r.status' },
  failed: `(r.status = 'dead')::integer`,
  amount: `case r.status when 'delivered' then greatest(${DELIVERED_MS}, 0) else 0 end`,
  bin: `case r.status when 'delivered' then stats.bin(${DELIVERED_MS}) else 0 end`,
};

const RAN_MS = 'extract(epoch from r.finished_at - r.started_at) * 1000';
const EXECUTION: Observed = {
  source: 'execution',
  table: 'flows.execution',
  at: 'r.finished_at',
  keys: { flow: 'r.flow_id', result: 'r.status', trigger: 'r.trigger_type' },
  failed: `(r.status = 'FAILED')::integer`,
  amount: `coalesce(greatest(${RAN_MS}, 0), 0)`,
  bin: `coalesce(stats.bin(${RAN_MS}), 0)`,
  when: 'r.finished_at is not null',
};

const APPROVAL: Observed = {
  source: 'approval',
  table: 'approvals.approval_request',
  at: 'r.requested_at',
  keys: {
    tool: 'left(r.tool_name, 255)',
    agent: 'r.managed_agent_id',
    workflow: 'r.approval_workflow_id',
    person: 'r.requester_user_id',
  },
};

const WAITED_MS = 'extract(epoch from r.resolved_at - r.requested_at) * 1000';
const APPROVAL_END: Observed = {
  source: 'approval_end',
  table: 'approvals.approval_request',
  at: 'r.resolved_at',
  keys: { result: 'r.status', tool: 'left(r.tool_name, 255)', workflow: 'r.approval_workflow_id' },
  failed: `(r.status <> 'approved')::integer`,
  amount: `greatest(${WAITED_MS}, 0)`,
  bin: `stats.bin(${WAITED_MS})`,
  when: 'r.resolved_at is not null',
};

const CHUNK: Observed = {
  source: 'chunk',
  table: 'search.chunk',
  at: 'now()',
  keys: { kind: 'r.source_kind' },
};

/** Sources whose rows are first summed up by minute and group, and then written as one fact. */
const SUMMED: readonly Observed[] = [CHUNK];

/**
 * Counts what other contexts record, by triggers on their tables, without any code in these contexts. The functions run
 * as their owner, so that apps do not need the right to write facts.
 */
export const observeTables: Migration = {
  async up(db) {
    await observe(db, MODEL_CALL, { name: 'insert', on: 'insert', per: 'statement' });
    await observe(db, MODEL_CALL, { name: 'update', on: 'update', per: 'statement' });
    await observe(db, SESSION, { name: 'insert', on: 'insert', per: 'row' });
    await observe(db, TOOL_CALL, { name: 'insert', on: 'insert', per: 'row' });
    await observe(db, DELIVERY, { name: 'insert', on: 'insert', per: 'statement' });
    await observe(db, EXECUTION, { name: 'end', on: 'update', per: 'row', when: 'old.finished_at is null' });
    await observe(db, APPROVAL, { name: 'insert', on: 'insert', per: 'row' });
    await observe(db, APPROVAL_END, { name: 'end', on: 'update', per: 'row', when: 'old.resolved_at is null' });
    await observe(db, CHUNK, { name: 'insert', on: 'insert', per: 'statement' });
    await observe(db, CHUNK, { name: 'delete', on: 'delete', per: 'statement' });
    for (const observed of [MODEL_CALL, SESSION, TOOL_CALL, DELIVERY, EXECUTION, APPROVAL, APPROVAL_END])
      await countStored(db, observed);
    await countStored(db, { ...CHUNK, at: 'r.indexed_at' });
  },
};

interface TriggerOptions {
  readonly name: string;
  readonly on: 'insert' | 'update' | 'delete';
  readonly per: 'row' | 'statement';
  readonly when?: string;
}

const COLUMNS = sql`account_id, source, at, keys, count, failed, amount, input, output, bin`;

/** The facts of rows; `sign` is -1 for rows that are gone. */
function selectFacts(observed: Observed, rows: string, sign = 1): RawBuilder<unknown> {
  const keys = Object.entries(observed.keys).map(([name, value]) => `'${name}', ${value}`);
  const signed = (value: string | undefined) => (value === undefined ? '0' : `${sign} * (${value})`);
  const text = `
    select r.account_id, '${observed.source}' as source, ${observed.at} as at, jsonb_build_object(${keys.join(', ')}) as keys, ${sign} as count,
      ${signed(observed.failed)} as failed, ${signed(observed.amount)} as amount, ${signed(observed.input)} as input,
      ${signed(observed.output)} as output, ${observed.bin ?? '0'} as bin
    from ${rows} r where ${observed.when ?? 'true'}`;
  if (!SUMMED.some(({ source }) => source === observed.source)) return sql.raw(text);
  return sql.raw(`
    select account_id, source, at, keys, sum(count), 0, 0, 0, 0, 0 from (${text}) f group by account_id, source, at, keys`);
}

async function observe(db: Kysely<unknown>, observed: Observed, { name, on, per, when }: TriggerOptions) {
  const id = `note_${observed.source}_${name}`;
  const gone = on === 'insert' ? [] : [selectFacts(observed, 'gone', -1)];
  const come = on === 'delete' ? [] : [selectFacts(observed, 'come')];
  const rows = per === 'row' ? [selectFacts(observed, '(select new.*)')] : [...gone, ...come];
  const inserts = sql.join(
    rows.map((facts) => sql`insert into stats.pending (${COLUMNS}) ${facts};`),
    sql` `,
  );
  await sql`
    create function ${sql.id('stats', id)}() returns trigger language plpgsql security definer
    set search_path to 'pg_catalog', 'pg_temp' as $$
    begin
      ${inserts}
      return null;
    end $$
  `.execute(db);
  await sql`revoke all on function ${sql.id('stats', id)}() from public`.execute(db);
  const images = [...(on === 'insert' ? [] : ['old table as gone']), ...(on === 'delete' ? [] : ['new table as come'])];
  const condition = [
    ...(when === undefined ? [] : [when]),
    ...(observed.when === undefined ? [] : [observed.when.replaceAll('r.', 'new.')]),
  ].join(' and ');
  const scope =
    per === 'statement'
      ? `referencing ${images.join(' ')} for each statement`
      : `for each row ${condition === '' ? '' : `when (${condition})`}`;
  await sql`
    create trigger ${sql.id(id)} after ${sql.raw(on)} on ${sql.table(observed.table)} ${sql.raw(scope)}
    execute function ${sql.id('stats', id)}()
  `.execute(db);
}

/**
 * Counts the rows that exist already. Those of the last day are left to the roll-up, which keeps them for short steps.
 */
async function countStored(db: Kysely<unknown>, observed: Observed): Promise<void> {
  const facts = selectFacts(observed, observed.table);
  const isNew = sql`at >= now() - interval '25 hours'`;
  await sql`insert into stats.pending (${COLUMNS}) select ${COLUMNS} from (${facts}) f (${COLUMNS}) where ${isNew}`.execute(
    db,
  );
  await sql`
    insert into stats.roll_up (account_id, source, dimension, step, at, key, bin, count, failed, amount, input, output)
    select f.account_id, f.source, d.dimension, s.step,
      date_bin(make_interval(secs => s.step), f.at, timestamptz '2000-01-01 00:00:00+00') as place,
      coalesce(d.key, ''), f.bin, sum(f.count), sum(f.failed), sum(f.amount), sum(f.input), sum(f.output)
    from (${facts}) f (${COLUMNS})
    cross join lateral (select '', '' union all select * from jsonb_each_text(f.keys)) d (dimension, key)
    cross join (values (900), (3600)) s (step)
    where not (${isNew})
    group by 1, 2, 3, 4, 5, 6, 7
  `.execute(db);
}
