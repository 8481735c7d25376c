import { buildExampleEvent, EVENT_TYPES, type EventType } from '@steward/contracts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];
const GENERATED = 'Generated from `libs/contracts/src/events` by `npm run docs`.';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly format?: string;
  readonly description?: string | undefined;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[] | undefined;
}

/** Renders a page for each event type, and an index page, keyed by file name. */
export function listEventPages(): Readonly<Record<string, () => string>> {
  const pages = TYPES.map((type) => [`docs/reference/events/${type}.md`, () => renderEvent(type)] as const);
  return { 'docs/reference/events/README.md': renderIndex, ...Object.fromEntries(pages) };
}

function renderIndex(): string {
  return [
    '# Events',
    '',
    GENERATED,
    '',
    'The events that Steward posts to the [endpoints](../../use/event-webhooks.md) of an account, with their fields. In machine-readable form: [AsyncAPI](../asyncapi.json) (served at `/docs/asyncapi.json`), `webhooks` of ' +
      '[OpenAPI](../openapi.json), `GET /api/v1/event-webhooks/catalogue`. [Receivers](../../use/receivers/README.md) that are ready to run, and types for TypeScript in [`@steward/webhook-verify`](../../../libs/webhook-verify/README.md).',
    '',
    '| type | when |',
    '|---|---|',
    ...TYPES.map((type) => `| [\`${type}\`](${type}.md) | ${EVENT_TYPES[type].description} |`),
    '',
  ].join('\n');
}

function renderEvent(type: EventType): string {
  const { description, once, use, schema } = EVENT_TYPES[type];
  return [
    `# ${type}`,
    '',
    GENERATED,
    '',
    description,
    '',
    `One event for each ${once}.`,
    '',
    use,
    '',
    '| key of `data` | kind | meaning |',
    '|---|---|---|',
    ...listRows(schema, ''),
    '',
    'The request as it is posted, with the [headers of every event](../../use/event-webhooks.md#a-request):',
    '',
    '```json',
    JSON.stringify(buildExampleEvent(type), null, 2),
    '```',
    '',
  ].join('\n');
}

/** Renders one row for each key; nested keys are written with dots. */
function listRows(schema: Schema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const optional = schema.required?.includes(name) === true ? '' : ', may be missing';
    const kind = `${describeKind(property)}${optional}`.replaceAll('|', '\\|');
    const inner = [property, ...(property.anyOf ?? [])].find(({ properties }) => properties !== undefined);
    return [
      `| \`${path}\` | ${kind} | ${property.description ?? ''} |`,
      ...(inner === undefined ? [] : listRows(inner, `${path}.`)),
    ];
  });
}

function describeKind(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(describeKind))].join(', ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.items !== undefined) return `list of ${describeKind(schema.items)}`;
  return schema.format ?? (schema.type === 'string' ? 'text' : (schema.type ?? 'anything'));
}
