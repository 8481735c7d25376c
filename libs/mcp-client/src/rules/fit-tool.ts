import { specTypeSchemas, type Tool } from '@modelcontextprotocol/client';
import { toPlainJson } from '@steward/text';
import { isRecord } from './is-record.ts';

export interface FittedTools {
  /** Tool descriptions from the server, without parts that clients reject. */
  readonly tools: readonly Tool[];
  /** Messages that describe the omitted parts and name the tools. */
  readonly faults: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts each tool separately, so that an invalid tool does not affect the others in its list. Clients reject a whole
 * list because of one tool that contains a null, or whose schema does not have the type `object`; therefore invalid
 * optional fields are removed and the type is added. The other fields and their order are not changed. A tool without a
 * name, or one that clients would still reject, is omitted.
 */
export function fitTools(listed: readonly unknown[]): FittedTools {
  const tools: Tool[] = [];
  const faults = new Set<string>();
  for (const tool of listed) {
    if (!isRecord(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') {
      faults.add('a tool without a name is omitted');
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
  note(`the tool ${name} is omitted: clients do not accept its definition`);
  return undefined;
}

type Note = (what: string) => void;

/**
 * Removes the property which states that a tool can be called only as a task: clients do not call such a tool if the
 * service does not support tasks. The server decides whether the tool can be called without a task.
 */
function dropTask(tool: Record<string, unknown>, name: string, note: Note): void {
  const { execution } = tool;
  if (!isRecord(execution) || execution['taskSupport'] !== 'required') return;
  note(`the tool ${name} must be called as a task, which is not supported: it is called like other tools`);
  delete tool['execution'];
}

/**
 * Returns the tool with a valid output schema, or without one. A schema of the type `object` is corrected like the
 * schema of the arguments; other schemas are accepted only by clients of the 2026 revision (`fitToolToObject`).
 */
function dropOutputSchema(tool: Record<string, unknown>, name: string, note: Note): Record<string, unknown> {
  const { outputSchema } = tool;
  if (isRecord(outputSchema))
    return { ...tool, outputSchema: isOfObject(outputSchema) ? fitSchema(outputSchema) : outputSchema };
  if (outputSchema !== undefined && outputSchema !== null)
    note(`the outputSchema of the tool ${name} is omitted: it is not a schema`);
  delete tool['outputSchema'];
  return tool;
}

const isOfObject = (schema: unknown): boolean => isRecord(schema) && schema['type'] === 'object';

/**
 * Removes an `outputSchema` that is not an object schema, for a client of a revision before 2026, which would reject
 * the whole list.
 */
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
  if (value !== null) note(`the invalid ${member ?? field} of the tool ${name} is omitted`);
  tool[field] = field === 'annotations' && member !== undefined && isRecord(value) ? omit(value, member) : undefined;
}

/** Returns the fields that clients do not accept, each with its invalid member if there is one. */
function findIssues(tool: Fields): (readonly [field: string, member: string | undefined])[] {
  // The schemas of the tool are not checked: they may be large, and have already been corrected.
  const { outputSchema: _outputSchema, ...rest } = tool;
  const checked = specTypeSchemas.Tool['~standard'].validate(toPlainJson({ ...rest, inputSchema: { type: 'object' } }));
  if (checked instanceof Promise) throw new Error('a schema of the protocol was not validated synchronously');
  return (checked.issues ?? []).map(({ path = [] }) => {
    const [field, member] = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return [field ?? '', member];
  });
}

/**
 * Converts a schema to one of the type `object`, since arguments are always an object, even if the schema states
 * otherwise.
 */
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

/** Converts the schemas `true` and `false` of properties to objects, since clients accept only objects as schemas. */
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
