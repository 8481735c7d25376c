import { specTypeSchemas, type Tool } from '@modelcontextprotocol/client';
import { toPlainJson } from '@steward/text';
import { isRecord } from './is-record.ts';

export interface FittedTools {
  /** As the server describes them, but for what no client takes. */
  readonly tools: readonly Tool[];
  /** What was left out, by the names of its tools. */
  readonly faults: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Each tool by itself: one that clients cannot take costs its list nothing. Clients refuse a whole list for one tool with a null or
 * a schema that does not say `object`, so what is optional is left out and a schema says so; what is said stays, in its order.
 */
export function fitTools(listed: readonly unknown[]): FittedTools {
  const tools: Tool[] = [];
  const faults = new Set<string>();
  for (const tool of listed) {
    if (!isRecord(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') {
      faults.add('a tool without a name is left out');
      continue;
    }
    const note = (what: string): void => void faults.add(what);
    const fitted = fitTool(tool, tool['name'], note);
    if (fitted !== undefined) tools.push(fitted);
  }
  return { tools, faults: [...faults] };
}

function fitTool(tool: Fields, name: string, note: Note): Tool | undefined {
  const fitted = dropOutputSchema({ ...tool, inputSchema: fitSchema(tool['inputSchema']) }, name, note);
  dropTask(fitted, name, note);
  for (const [field, member] of findIssues(fitted)) dropField(fitted, [field, member], name, note);
  const cleaned = Object.fromEntries(Object.entries(fitted).filter(([, value]) => value !== undefined));
  if (findIssues(cleaned).length === 0) return cleaned as unknown as Tool;
  note(`the tool ${name} is left out: clients do not accept its definition`);
  return undefined;
}

type Note = (what: string) => void;

/** Clients do not call a tool that runs as a task alone of a service that has no tasks: whether it runs otherwise its server says. */
function dropTask(tool: Record<string, unknown>, name: string, note: Note): void {
  const { execution } = tool;
  if (!isRecord(execution) || execution['taskSupport'] !== 'required') return;
  note(`the tool ${name} requires being called as a task, which is not supported: it is called like other tools`);
  delete tool['execution'];
}

/** Of an object it is as strict as that of arguments; of something else it is for clients of 2026 (`fitToolToObject`). */
function dropOutputSchema(tool: Record<string, unknown>, name: string, note: Note): Record<string, unknown> {
  const { outputSchema } = tool;
  if (isRecord(outputSchema))
    return { ...tool, outputSchema: isOfObject(outputSchema) ? fitSchema(outputSchema) : outputSchema };
  if (outputSchema !== undefined && outputSchema !== null)
    note(`the outputSchema of the tool ${name} is left out: it is not a schema`);
  delete tool['outputSchema'];
  return tool;
}

const isOfObject = (schema: unknown): boolean => isRecord(schema) && schema['type'] === 'object';

/** For a client of a revision before 2026, which refuses a list with an `outputSchema` that is not of an object. */
export function fitToolToObject(tool: Tool): Tool {
  const { outputSchema, ...rest } = tool;
  return outputSchema === undefined || isOfObject(outputSchema) ? tool : (rest as Tool);
}

function dropField(
  tool: Record<string, unknown>,
  [field, member]: readonly [string, string | undefined],
  name: string,
  note: Note,
): void {
  const value = tool[field];
  if (field === 'name') return;
  if (value !== null) note(`the invalid ${member ?? field} of the tool ${name} is left out`);
  tool[field] = field === 'annotations' && member !== undefined && isRecord(value) ? omit(value, member) : undefined;
}

/** Which fields clients do not take, and which member of them. */
function findIssues(tool: Fields): (readonly [field: string, member: string | undefined])[] {
  // Its schemas, which may be large, are as they have to be.
  const { outputSchema: _outputSchema, ...rest } = tool;
  const checked = specTypeSchemas.Tool['~standard'].validate(toPlainJson({ ...rest, inputSchema: { type: 'object' } }));
  if (checked instanceof Promise) throw new Error('schemas of the protocol are read at once');
  return (checked.issues ?? []).map(({ path = [] }) => {
    const [field, member] = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return [field ?? '', member];
  });
}

/** The schema of an object: arguments are one, whatever else it says. */
function fitSchema(schema: unknown): Fields {
  if (!isRecord(schema)) return { type: 'object' };
  const fitted: Record<string, unknown> = { ...schema, type: 'object' };
  const { properties, required } = schema;
  if (isRecord(properties)) fitted['properties'] = fitProperties(properties);
  else delete fitted['properties'];
  if (!Array.isArray(required)) delete fitted['required'];
  else if (!required.every((name) => typeof name === 'string'))
    fitted['required'] = required.filter((name) => typeof name === 'string');
  return fitted;
}

/** Clients take schemas of members that are objects: `true` and `false` are written as such. */
function fitProperties(properties: Fields): Fields {
  if (Object.values(properties).every(isRecord)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isRecord(schema) ? schema : schema === false ? { not: {} } : {},
    ]),
  );
}

function omit(fields: Fields, left: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== left));
}
