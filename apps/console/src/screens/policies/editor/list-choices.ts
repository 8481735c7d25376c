import type { AccountNames } from '../../../queries/policy-names.ts';
import type { ConditionName, PolicySchema, SchemaNode } from '../../../queries/policy-schema.ts';
import type { Place } from './read-place.ts';

export interface Choice {
  readonly label: string;
  readonly kind: 'property' | 'enum' | 'text' | ConditionName['kind'];
  /** The text that is inserted, and the position of the cursor in it. */
  readonly insert: string;
  readonly cursor: number;
  readonly description?: string | undefined;
}

export interface Choices {
  /** Start offset of the text that a choice replaces. */
  readonly from: number;
  readonly choices: readonly Choice[];
}

/**
 * Lists what can be written at a position in a policy: keys and values of its schema, names of objects of the account,
 * and the names that a condition may use.
 */
export function listChoices(place: Place, schema: PolicySchema, names: AccountNames): Choices | undefined {
  const node = findNode(schema, place.path);
  if (node === undefined) return undefined;
  const key = place.path.findLast((step) => typeof step === 'string') ?? '';
  if (key === 'condition') return listConditionChoices(place, schema['x-condition-names']);
  const { from } = place;
  // Names are offered for the items of a list, not in place of the list.
  if (node.type === 'array') return undefined;
  if (node.properties === undefined) return { from, choices: listValues(node, place, names[key] ?? []) };
  return place.kind === 'open' ? { from, choices: listKeys(node.properties, place) } : undefined;
}

function findNode(schema: SchemaNode, path: Place['path']): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema;
  for (const step of path) node = typeof step === 'number' ? node?.items : node?.properties?.[step];
  return node;
}

function listKeys(properties: Readonly<Record<string, SchemaNode>>, place: Place): Choice[] {
  return Object.entries(properties)
    .filter(([key]) => !place.taken.has(key))
    .map(([key, node]) => ({
      label: key,
      kind: 'property',
      ...insertKey(key, node, place),
      description: node.description,
    }));
}

/**
 * Returns the text to insert for a key, including the beginning of its value: a list or a mapping begins on the next
 * line or, in a flow collection, with a bracket.
 */
function insertKey(key: string, node: SchemaNode, { quote, isFlow, indent }: Place): Pick<Choice, 'insert' | 'cursor'> {
  // The closing quote and the colon are usually there already, or are typed next.
  if (quote !== '') return put(key);
  const brackets = node.type === 'array' ? '[]' : node.type === 'object' ? '{}' : undefined;
  if (brackets === undefined) return put(`${key}: `);
  if (isFlow) return { insert: `${key}: ${brackets}`, cursor: key.length + 3 };
  return put(`${key}:\n${' '.repeat(indent + 2)}${node.type === 'array' ? '- ' : ''}`);
}

const put = (insert: string): Pick<Choice, 'insert' | 'cursor'> => ({ insert, cursor: insert.length });

function listValues(node: SchemaNode, { quote }: Place, ofAccount: readonly string[]): Choice[] {
  const fixed = node.enum ?? (node.type === 'boolean' ? ['true', 'false'] : []);
  const quoted = node.const === undefined ? ofAccount : [node.const, ...ofAccount];
  return [
    ...fixed.map((value): Choice => ({ label: value, kind: 'enum', ...put(value) })),
    ...quoted.map((value): Choice => ({ label: value, kind: 'text', ...put(writeText(value, quote)) })),
  ];
}

/**
 * Matches texts that need no quotes in YAML, but also the words in `NO_TEXT`, which YAML parses as strings only if they
 * are quoted.
 */
const PLAIN = /^[A-Za-z_][\w./@ -]*$/;
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function writeText(value: string, quote: Place['quote']): string {
  if (quote === '"') return JSON.stringify(value).slice(1, -1);
  if (quote === "'") return value.replaceAll("'", "''");
  return PLAIN.test(value) && !NO_TEXT.test(value) && value.trim() === value ? value : JSON.stringify(value);
}

/**
 * Lists the names that can be used in a condition; after a dot, these are methods and the fields of the variable before
 * the dot.
 */
function listConditionChoices({ from, typed }: Place, names: readonly ConditionName[]): Choices {
  const word = /[\w.]*$/.exec(typed)?.[0] ?? '';
  const dot = word.lastIndexOf('.');
  const at = from + typed.length - word.length + dot + 1;
  const owner = dot < 0 ? undefined : word.slice(0, dot);
  const fields = names.filter(({ name, kind }) => kind === 'field' && name.startsWith(`${owner}.`));
  const isRight = ({ kind }: ConditionName): boolean =>
    owner === undefined ? kind !== 'field' && kind !== 'method' : kind === 'method';
  return {
    from: at,
    choices: [...(owner === undefined ? [] : fields), ...names.filter(isRight)].map(({ name, kind, description }) => {
      const label = name.slice(name.lastIndexOf('.') + 1);
      const isCalled = kind === 'function' || kind === 'method';
      return {
        label,
        kind,
        insert: isCalled ? `${label}()` : label,
        cursor: label.length + (isCalled ? 1 : 0),
        description,
      };
    }),
  };
}
