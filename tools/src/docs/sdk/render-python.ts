import { nameOf, readApi, type Answer, type Operation, type Schema } from './read-operations.ts';

const NOTE = '# Made from the OpenAPI document by `npm run docs`.\n';

/** Reserved words of Python. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'from',
  'class',
  'global',
  'in',
  'is',
  'not',
  'pass',
  'import',
  'async',
]);

const toSnake = (id: string): string => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Renders the named schemas as `TypedDict`s and aliases. */
export function renderPythonTypes(): string {
  const { schemas } = readApi();
  const names = new Set(Object.keys(schemas));
  const nested: string[] = [];
  const rendered = Object.entries(schemas).map(([name, schema]) => renderType(name, schema, { names, nested }));
  // An alias is evaluated where it is defined, so the types to which it refers come before it.
  const [classes, aliases] = [true, false].map((isClass) =>
    rendered.filter((text) => text.startsWith('class ') === isClass),
  );
  return `${NOTE}
"""Bodies, queries and answers of the API, as the service documents them."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, TypedDict, Union

${[...nested, ...(classes ?? []), ...(aliases ?? [])].join('\n\n')}

__all__ = [
${[...names].map((name) => `    "${name}",`).join('\n')}
]
`;
}

interface Naming {
  readonly names: Set<string>;
  /** Classes of the unnamed parts of schemas. */
  readonly nested: string[];
}

function renderType(name: string, schema: Schema, naming: Naming): string {
  if (!isFields(schema)) return `${name} = ${renderExpression(schema, name, naming)}`;
  const fields = Object.entries(schema.properties ?? {});
  const required = fields.filter(([field]) => (schema.required ?? []).includes(field));
  const optional = fields.filter(([field]) => !(schema.required ?? []).includes(field));
  // This form is needed because some names are reserved words of Python, which cannot be fields in the class form.
  if (fields.some(([field]) => KEYWORDS.has(field) || !/^\w+$/.test(field))) {
    const items = fields.map(([field, part]) => `"${field}": ${quote(renderField(name, field, part, naming))}`);
    return `${name} = TypedDict("${name}", {${items.join(', ')}}, total=False)`;
  }
  if (optional.length === 0) return renderClass(name, 'TypedDict', required, schema, naming);
  if (required.length === 0) return renderClass(name, 'TypedDict, total=False', optional, schema, naming);
  const base = renderClass(`_${name}Required`, 'TypedDict', required, {}, naming, name);
  return `${base}\n\n${renderClass(name, `_${name}Required, total=False`, optional, schema, naming)}`;
}

const quote = (text: string): string => `"${text.replaceAll('"', "'")}"`;

function renderClass(
  name: string,
  bases: string,
  fields: readonly (readonly [string, Schema])[],
  { description }: Schema,
  naming: Naming,
  owner = name,
): string {
  const lines = fields.map(([field, schema]) => {
    const note = describe(schema).map((line) => `    # ${line}\n`);
    return `${note.join('')}    ${field}: ${renderField(owner, field, schema, naming)}`;
  });
  const text = description === undefined ? [] : [`    """${description.replaceAll('\\', '\\\\')}"""\n`];
  return `class ${name}(${bases}):\n${[...text, ...(lines.length === 0 ? ['    pass'] : lines)].join('\n')}\n`;
}

/** Renders the notes of a field, which are next to it, so lines are limited to a readable width. */
function describe({ description = '' }: Schema): string[] {
  if (description === '') return [];
  return description
    .split('\n')
    .flatMap((line) => line.match(/.{1,94}(?=\s|$)/g)?.map((part) => part.trim()) ?? [line]);
}

function renderField(owner: string, field: string, schema: Schema, naming: Naming): string {
  return renderExpression(schema, `${owner}${toTitle(field)}`, naming);
}

const toTitle = (field: string): string =>
  field.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

const isFields = (schema: Schema): boolean =>
  schema.properties !== undefined && Object.keys(schema.properties).length > 0;

function renderExpression(schema: Schema, place: string, naming: Naming): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.anyOf !== undefined) return renderUnion(schema.anyOf, place, naming);
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(renderLiteral).join(', ')}]`;
  if (schema.const !== undefined) return `Literal[${renderLiteral(schema.const)}]`;
  if (Array.isArray(schema.type)) return `Union[${schema.type.map(renderPlain).join(', ')}]`;
  if (schema.type === 'array') {
    return schema.items === undefined ? 'List[Any]' : `List[${renderExpression(schema.items, `${place}Item`, naming)}]`;
  }
  if (schema.type === 'object') return renderObject(schema, place, naming);
  return renderPlain(schema.type as string | undefined);
}

function renderUnion(members: readonly Schema[], place: string, naming: Naming): string {
  const parts = members.map((member, index) =>
    renderExpression(
      member,
      members.filter(isFields).length > 1 || naming.names.has(place) ? `${place}${index + 1}` : place,
      naming,
    ),
  );
  return `Union[${[...new Set(parts)].join(', ')}]`;
}

function renderObject(schema: Schema, place: string, naming: Naming): string {
  if (isFields(schema)) {
    if (naming.names.has(place)) throw new Error(`two types have the name ${place}`);
    naming.nested.push(renderType(place, schema, naming));
    return place;
  }
  const values = Object.values(schema.patternProperties ?? {});
  const value =
    values[0] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  return value === undefined ? 'Dict[str, Any]' : `Dict[str, ${renderExpression(value, `${place}Value`, naming)}]`;
}

const renderLiteral = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

function renderPlain(type: string | undefined): string {
  const plain: Readonly<Record<string, string>> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
    array: 'List[Any]',
    object: 'Dict[str, Any]',
  };
  return plain[type ?? ''] ?? 'Any';
}

/** Renders one method for each operation. */
export function renderPythonOperations(): string {
  return `${NOTE}# mypy: disable-error-code="no-any-return"

"""One method for each operation of the API."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union
from urllib.parse import quote

from . import types as t
from .caller import Answer, Caller, RawBody
from .pages import Pages


def _encode(part: str) -> str:
    return quote(str(part), safe="")


class Operations:
    """One method for each operation of the API. Paths, fields and answers are as the service documents them."""

    def __init__(self, caller: Caller) -> None:
        #: Sends requests of operations that have no method here.
        self.caller = caller
${readApi().operations.map(renderMethod).join('\n')}
`;
}

function renderMethod(operation: Operation): string {
  const { id, method, path, params, query, body, answer, repeat } = operation;
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => `{_encode(${name})}`);
  const request = [
    `"${method}"`,
    `${params.length === 0 ? '' : 'f'}"${address}"`,
    ...(query === undefined ? [] : ['query=query']),
    ...(body === undefined ? [] : [body.kind === 'raw' ? 'raw_body=body' : 'body=body']),
    ...(answer.kind === 'bytes' ? ['raw_answer=True'] : []),
    ...(repeat === undefined ? [] : [`repeat="${repeat}"`]),
    ...(repeat === 'key' ? ['idempotency_key=idempotency_key'] : []),
    'timeout=timeout',
  ];
  const call = answer.kind === 'page' ? 'pages' : 'call';
  return `
    def ${toSnake(id)}(
        self,
${listArguments(operation)
  .map((each) => `        ${each},`)
  .join('\n')}
    ) -> ${renderAnswer(answer)}:
        """${renderNotes(operation)}"""
        return self.caller.${call}(
${request.map((each) => `            ${each},`).join('\n')}
        )`;
}

function renderNotes({ summary, description }: Operation): string {
  const paragraphs = [summary, ...description.split('\n\n')].filter(
    (text) => text !== '' && !text.startsWith('Body: '),
  );
  const text = paragraphs
    .join('\n\n')
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\n        ')
    .replaceAll(/ +\n/g, '\n');
  const closed = text.endsWith('"') ? `${text} ` : text;
  return paragraphs.length > 1 ? `${closed}\n        ` : closed;
}

function listArguments({ params, query, body, repeat }: Operation): string[] {
  const optional = (type: string) => `Optional[${type}] = None`;
  return [
    ...params.map((name) => `${name}: str`),
    ...renderBody(body),
    ...(query === undefined ? [] : [`query: ${query.required ? `t.${query.type}` : optional(`t.${query.type}`)}`]),
    '*',
    ...(repeat === 'key' ? [`idempotency_key: ${optional('str')}`] : []),
    `timeout: ${optional('float')}`,
  ];
}

function renderBody(body: Operation['body']): string[] {
  if (body === undefined) return [];
  if (body.kind === 'raw') return ['body: RawBody'];
  const type = body.kind === 'json' ? `t.${body.type}` : 'Mapping[str, Any]';
  return [body.required ? `body: ${type}` : `body: Optional[${type}] = None`];
}

function renderAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'json':
      return answer.types.length === 1
        ? `t.${answer.types[0] ?? ''}`
        : `Union[${answer.types.map((type) => `t.${type}`).join(', ')}]`;
    case 'page':
      return `Pages[t.${answer.page}, t.${answer.item}]`;
    case 'bytes':
      return 'Answer';
    case 'any':
      return 'Any';
    case 'nothing':
      return 'None';
  }
}
