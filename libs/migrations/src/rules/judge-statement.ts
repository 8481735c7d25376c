/** Properties of a step that determine which statements it may contain. */
export interface StatementContext {
  /** True for a contract step: the previous version does not use what the step removes. */
  readonly isContract: boolean;
  /** True if the step runs outside a transaction. */
  readonly isOnline: boolean;
  /**
   * Returns true if one of the judged steps has created the table or function (`schema.name`), so that nothing uses it
   * yet.
   */
  readonly isNew: (name: string) => boolean;
}

/** Tables that stay small in any deployment: they contain a few rows of the product itself or of each account. */
const SMALL: ReadonlySet<string> = new Set(['gateway.role']);

const CONTRACTS: readonly (readonly [RegExp, string])[] = [
  [
    /\bdrop (?:table|view|materialized view|schema|type|domain|function|procedure|sequence)\b/,
    'drops an object that a running version may use',
  ],
  [/\bdrop column\b/, 'drops a column that a running version may use'],
  [
    /\brename (?:to|column|constraint)\b|\balter table \S+ rename\b/,
    'renames an object that a running version refers to by name',
  ],
  [/\balter (?:column )?\S+ (?:set data )?type\b/, 'changes the type of a column that a running version writes'],
  [/\bset not null\b/, 'requires a value that a running version may omit'],
  [/\brevoke\b/, 'revokes a permission that a running version may need'],
];

const TABLE = String.raw`(?:only )?(?:if exists )?("?\w+"?\."?\w+"?)`;
const VOLATILE = /\bdefault (?:\(?\s*)(?:gen_random_uuid|uuid_generate|random|clock_timestamp|nextval|timeofday)/;

/**
 * Returns the reasons why a statement must not be part of a step that is applied while apps are running; the list is
 * empty if the statement is allowed.
 */
export function judgeStatement(statement: string, context: StatementContext): string[] {
  const text = normalize(statement);
  const contracts = context.isContract
    ? []
    : CONTRACTS.filter(([pattern]) => pattern.test(text) && !isOfNewObject(text, context)).map(
        ([, reason]) => `${reason}: move it to a contract step of a later version (NNNN_contract_...)`,
      );
  return [...contracts, ...judgeLocks(text, context), ...judgeBackfill(text, context)];
}

/** Effect of one statement on existing tables: its locks are held during later statements of the same transaction. */
export interface StatementReach {
  /** A table that stays locked for writers until the transaction ends. */
  readonly locked: string | undefined;
  /** A table whose rows the statement copies. */
  readonly copied: string | undefined;
}

export function readReach(statement: string, { isNew }: StatementContext): StatementReach {
  const text = normalize(statement);
  const keepExisting = (table: string | undefined): string | undefined =>
    table === undefined || isNew(table) || SMALL.has(table) ? undefined : table;
  const trigger = /^create (?:or replace )?(?:constraint )?trigger\b/.test(text) ? readTable(text, 'on') : undefined;
  const altered = /^alter table\b/.test(text) ? readTable(text, 'alter table') : undefined;
  const isCopy = /\binsert into\b.*\bselect\b/.test(text);
  const sources = isCopy ? text.matchAll(new RegExp(String.raw`\b(?:from|join) ${TABLE}`, 'g')) : [];
  const read = [...sources].map(([, table = '']) => table.replaceAll('"', '')).filter((table) => table.includes('.'));
  return {
    locked: keepExisting(trigger ?? altered),
    copied: read.find((table) => keepExisting(table) !== undefined),
  };
}

/** Returns a statement without comments and without the bodies of functions, which run only when they are called. */
function normalize(statement: string): string {
  return statement
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/--[^\n]*/g, ' ')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function readTable(text: string, before: string): string | undefined {
  return new RegExp(`${before} ${TABLE}`).exec(text)?.[1]?.replaceAll('"', '');
}

function isOfNewObject(text: string, { isNew }: StatementContext): boolean {
  const name = readTable(text, 'alter table') ?? readTable(text, 'revoke .* on function');
  return name !== undefined && isNew(name);
}

function judgeLocks(text: string, context: StatementContext): string[] {
  const altered = readTable(text, 'alter table');
  const locks = /^(?:lock |vacuum full|cluster\b|reindex (?!.*concurrently))/.test(text);
  return [
    ...judgeIndex(text, context),
    ...(altered === undefined || context.isNew(altered) || SMALL.has(altered)
      ? []
      : judgeAlter(text, context.isOnline)),
    ...(locks ? ['locks a table that running apps use'] : []),
  ];
}

function judgeIndex(text: string, { isOnline, isNew }: StatementContext): string[] {
  if (!/\bcreate +(?:unique )?index\b/.test(text)) return [];
  if (/\bconcurrently\b/.test(text))
    return isOnline ? [] : ['builds an index concurrently in a transaction: make the step online'];
  const table = readTable(text, 'on');
  const isFree = table === undefined || isNew(table) || SMALL.has(table);
  return isFree
    ? []
    : [`builds an index of ${table}, which blocks its writers: use createIndexOnline in an online step`];
}

/**
 * Changes to a table with rows: the pattern of the change, the pattern or mode that makes the change harmless, and the
 * reason to refuse it.
 */
const ALTERATIONS: readonly (readonly [RegExp, RegExp | 'online' | undefined, string])[] = [
  [
    /\badd (?:constraint \S+ )?(?:check|foreign key)\b/,
    /\bnot valid\b/,
    'checks every row under a lock: add the constraint as not valid here, and validate it in an online step',
  ],
  [/\badd column\b[^,]* references \S+/, undefined, 'checks every row under a lock: add the foreign key as not valid'],
  [
    /\badd (?:constraint \S+ )?(?:unique|primary key|exclude)\b/,
    /\busing index\b/,
    'builds an index under a lock: use createIndexOnline, then "using index"',
  ],
  [
    /\badd column\b[^,]* not null\b/,
    /\bdefault\b/,
    'adds a column that a running version does not fill: give it a default, or make it nullable',
  ],
  [VOLATILE, undefined, 'rewrites every row under a lock'],
  [/\bgenerated always as\b.*\bstored\b/, undefined, 'rewrites every row under a lock'],
  [/\bset (?:un)?logged\b/, undefined, 'rewrites every row under a lock'],
  [/\bvalidate constraint\b/, 'online', 'reads every row in a transaction: make the step online'],
];

function judgeAlter(text: string, isOnline: boolean): string[] {
  return ALTERATIONS.filter(
    ([pattern, unless]) => pattern.test(text) && !(unless === 'online' ? isOnline : unless?.test(text) === true),
  ).map(([, , reason]) => reason);
}

function judgeBackfill(text: string, { isOnline, isNew }: StatementContext): string[] {
  if (/^create\b|^alter\b|^grant\b|^comment\b/.test(text)) return [];
  const table = readTable(text, 'update') ?? readTable(text, 'delete from') ?? readTable(text, 'merge into');
  if (table === undefined || isNew(table) || SMALL.has(table)) return [];
  if (isOnline && /\blimit\b/.test(text)) return [];
  return [`changes every row of ${table} at once: use batches with a limit in an online step`];
}
