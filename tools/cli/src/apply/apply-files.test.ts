import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { useFolder } from '@steward/testing';
import { createOutput } from '../output.ts';
import { compareFields, listKept, matches } from './compare-fields.ts';
import { KIND } from './kinds.ts';
import { orderDocuments } from './order-documents.ts';
import { readDocuments, type Document } from './read-documents.ts';
import { findItem } from './read-existing.ts';
import { holdsSecret, listReferences, resolveEnvironment, resolveIds } from './references.ts';
import { fingerprint, readState, writeState } from './state-file.ts';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

const OPENAPI = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../docs/reference/openapi.json'), 'utf8'),
) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Lists the fields of the body of a route. */
function listFields(path: string, method: 'post' | 'patch'): string[] {
  const route = OPENAPI.paths[path]?.[method] as {
    readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  };
  const { schema } = route.requestBody.content['application/json'] ?? { schema: {} };
  const named = schema.$ref === undefined ? schema : OPENAPI.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  return Object.keys(named?.properties ?? {}).sort();
}

describe('the kinds of documents', () => {
  it.each(Object.entries(KIND))('a document of the kind %s has the fields of the API', (_name, kind) => {
    const { path, nameField, fields, changeOnly = [], fixed = [] } = kind;
    const item = Object.keys(OPENAPI.paths).find(
      (other) => other.startsWith(`${path}/{`) && !other.slice(path.length + 1).includes('/'),
    );
    const all = [...fields, ...(nameField === undefined ? [] : [nameField])];
    expect(all.filter((field) => !changeOnly.includes(field)).sort()).toEqual(listFields(path, 'post'));
    expect(all.filter((field) => !fixed.includes(field)).sort()).toEqual(listFields(item ?? '', 'patch'));
  });
});

/** Fields without a default: the service does not accept an object without them, or chooses them from others. */
const WITHOUT_DEFAULT: Readonly<Record<keyof typeof KIND, readonly string[]>> = {
  model: ['provider', 'model_identifier', 'base_url'],
  'tool-server': ['url', 'command', 'transport'],
  workflow: [],
  endpoint: ['url'],
  channel: ['kind', 'url'],
  budget: ['scope', 'period', 'limit_amount'],
  flow: ['prompt_template', 'agent_type'],
};

describe('the defaults of fields', () => {
  it.each(Object.entries(KIND))('are known for every field of a %s that has one', (name, { fields, defaults }) => {
    const without = WITHOUT_DEFAULT[name as keyof typeof KIND];
    expect(fields.filter((field) => !without.includes(field)).sort()).toEqual(Object.keys(defaults).sort());
  });
});

describe('files of documents', () => {
  const folder = useFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder(), name), text);
    return join(folder(), name);
  };
  const MODEL = 'kind: model\nname: fast\nspec: { provider: openai }\n';

  it('can contain several documents each, in YAML or JSON; a folder is read in the order of file names', async () => {
    write('b.yaml', `${MODEL}---\nkind: flow\nname: review\nspec:\n  prompt_template: x\n---\n`);
    write('a.json', '{"kind": "policy", "name": "main", "spec": {"rules": []}}');
    write('notes.md', 'kind: nothing');
    write('.steward-state.json', '{}');
    mkdirSync(join(folder(), 'below.yaml.d'));
    const documents = await readDocuments([folder()]);
    expect(documents.map(({ key }) => key)).toEqual(['policy/main', 'model/fast', 'flow/review']);
    expect(documents.at(-1)).toMatchObject({
      spec: { prompt_template: 'x' },
      where: expect.stringMatching(/b\.yaml, document 2 \(flow\/review\)$/),
    });
  });

  it.each([
    ['kind: thing\nname: a\nspec: {}', /document 1: kind must be one of model,/],
    ['kind: model\nspec: {}', /document 1 \(model\): name must be a non-empty string/],
    ['kind: model\nname: a', /\(model\/a\): spec must be an object/],
    ['kind: model\nname: a\nspec: {}\nstatus: x', /\(model\/a\): unknown field "status"/],
    ['kind: model\nname: a\nspec: { color: 1 }', /\(model\/a\): spec\.color is not a field of the kind model/],
    ['kind: model\nname: a\nspec: { alias: b }', /spec\.alias is not allowed: the name of the document is used/],
    ['kind: budget\nname: a\nspec: { scope: account }', /spec\.period is required/],
    [
      `${MODEL}---\n${MODEL}`,
      /document 2 \(model\/fast\): this object is already defined in .*document 1 \(model\/fast\)\./,
    ],
    [
      'kind: policy\nname: a\nspec: {}\n---\nkind: policy\nname: b\nspec: {}',
      /document 2 \(policy\/b\): this object is already defined in/,
    ],
    ['- 1', /document 1: the document is not an object/],
    ['a: [1', /document 1: /],
  ])('are refused with an error that names document and field: %j', async (text, message) => {
    const path = write('one.yaml', text);
    await expect(readDocuments([path])).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  it('are named in the error if they are missing', async () => {
    await expect(readDocuments([join(folder(), 'none.yaml')])).rejects.toMatchObject({
      message: expect.stringContaining('none.yaml cannot be read (ENOENT)'),
    });
    await expect(readDocuments([folder()])).rejects.toMatchObject({ message: expect.stringContaining('contains no') });
  });

  it('have a stored record of the last apply, which belongs to one account', () => {
    const path = join(folder(), 'state.json');
    const empty = readState(path, 'account-1');
    writeState(path, { ...empty, objects: { 'model/fast': { id: '1', made: true, fields: {} } } });
    expect(readState(path, 'account-1')).toMatchObject({ salt: empty.salt, objects: { 'model/fast': { id: '1' } } });
    expect(() => readState(path, 'account-2')).toThrow(/belongs to another account/);
    writeFileSync(path, '{');
    expect(() => readState(path, 'account-1')).toThrow(/is not a state file of "steward apply"/);
  });
});

const document = (key: string, spec: Document['spec'] = {}): Document => {
  const [kind, name] = key.split('/') as [Document['kind'], string];
  return { key, kind, name, spec, where: key };
};

describe('references in a document', () => {
  it('determine the order: each document follows those it refers to; otherwise documents are ordered by kind', () => {
    const documents = [
      document('flow/b', { ai_model_id: '${ID:model/fast}' }),
      document('budget/of-flow', { scope_id: '${ID:flow/b}' }),
      document('budget/all'),
      document('model/fast', { fallback_model_ids: ['${ID:model/slow}', '${ID:user/ada}'] }),
      document('model/slow'),
      document('policy/main'),
    ];
    expect(orderDocuments(documents).map(({ key }) => key)).toEqual([
      ...['model/slow', 'model/fast', 'policy/main', 'flow/b', 'budget/of-flow', 'budget/all'],
    ]);
    const circle = [document('flow/a', { x: '${ID:flow/b}' }), document('flow/b', { x: ['${ID:flow/a}'] })];
    expect(() => orderDocuments(circle)).toThrow(/flow\/a: circular reference: flow\/a -> flow\/b -> flow\/a/);
  });

  it('are replaced by ids and by environment variables, which are never printed', () => {
    let printed = '';
    const sink = { write: (text: string) => (printed += text) };
    const output = createOutput({ stdout: sink, stderr: sink, env: {} });
    const one = document('model/fast', { api_key: '${ENV:KEY}', list: [{ a: 'x ${ENV:KEY} y' }], id: '${ID:flow/b}' });
    const resolved = resolveEnvironment(one, { KEY: 'the-secret-of-a-test' }, output);
    expect(resolveIds(resolved, (key) => (key === 'flow/b' ? '7' : undefined))).toEqual({
      ...{ api_key: 'the-secret-of-a-test', list: [{ a: 'x the-secret-of-a-test y' }], id: '7' },
    });
    expect([listReferences(one), holdsSecret(one.spec), holdsSecret({ a: ['${ID:a/b}'] })]).toEqual([
      ['flow/b'],
      true,
      false,
    ]);
    output.line('the-secret-of-a-test');
    expect(printed).not.toContain('the-secret-of-a-test');
    expect(() => resolveEnvironment(one, {}, output)).toThrow(
      /model\/fast: spec\.api_key: the environment variable KEY is not set/,
    );
  });
});

describe('fields of a document', () => {
  it.each([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: { b: null } }, { a: {} }, true],
    [['b', 'a'], ['a', 'b'], true],
    [[2, 1], [1, 2], false],
    [[{ a: 1 }], [{ a: 1, b: 2 }], true],
    [[1], [1, 2], false],
    [null, undefined, true],
    [1, '1', false],
    [{}, null, false],
  ])('are compared: %j with %j', (desired, current, same) => {
    expect(matches(desired, current)).toBe(same);
  });

  const salt = 'salt';
  const compare = (spec: object, current: object, fields: Record<string, { applied: string; observed: string }> = {}) =>
    compareFields({
      kind: { hidden: { api_key: 'has_api_key' }, defaults: { api_key: null, timeout: 60, config: {}, list: [] } },
      ...{ spec: { ...spec }, current: { ...current }, salt },
      desired: JSON.parse(JSON.stringify(spec).replace('${ENV:KEY}', 'secret')) as Record<string, unknown>,
      stored: { id: '1', made: true, fields },
    }).map(({ field, isDrift, isSecret }) => [field, isDrift, isSecret]);

  it('are unchanged if neither the document nor the response of the service has changed', () => {
    const noted = (applied: unknown, observed: unknown, secret = false) => ({
      applied: fingerprint(applied, salt, secret),
      observed: fingerprint(observed, salt, secret),
    });
    expect(compare({ url: 'http://a' }, { url: 'http://a/***' })).toEqual([['url', false, false]]);
    expect(compare({ url: 'http://a' }, { url: 'http://a/***' }, { url: noted('http://a', 'http://a/***') })).toEqual(
      [],
    );
    expect(compare({ url: 'http://a' }, { url: 'http://b/***' }, { url: noted('http://a', 'http://a/***') })).toEqual([
      ['url', true, false],
    ]);
    const key = { api_key: noted('secret', true, true) };
    expect(compare({ api_key: '${ENV:KEY}' }, { has_api_key: true })).toEqual([['api_key', false, true]]);
    expect(compare({ api_key: '${ENV:KEY}' }, { has_api_key: true }, key)).toEqual([]);
    expect(compare({ api_key: '${ENV:KEY}' }, { has_api_key: false }, key)).toEqual([['api_key', true, true]]);
    expect(compare({ api_key: null }, { has_api_key: true }, key)).toEqual([['api_key', false, true]]);
    expect(compare({ api_key: null }, { has_api_key: false })).toEqual([]);
  });

  it('return to their defaults if the document no longer contains them, and the service has other values', () => {
    const noted = (value: unknown, secret = false) => ({
      applied: fingerprint(value, salt, secret),
      observed: fingerprint(value, salt, secret),
    });
    const fields = {
      ...{ timeout: noted(5), config: noted({ a: 1 }), list: noted([]), url: noted('x') },
      api_key: noted('secret', true),
    };
    const compared = {
      kind: { hidden: { api_key: 'has_api_key' }, defaults: { api_key: null, timeout: 60, config: {}, list: [] } },
      ...{ spec: {}, desired: {}, stored: { id: '1', made: true, fields }, salt },
      current: { timeout: 5, config: { a: 1 }, list: [], has_api_key: true, url: 'x' },
    };
    expect(
      compareFields(compared).map(({ field, after, isUnset, isSecret }) => [field, after, isUnset, isSecret]),
    ).toEqual([
      ['timeout', 60, true, false],
      ['config', {}, true, false],
      ['api_key', null, true, true],
    ]);
    expect(listKept(compared)).toEqual(['url']);
    expect(compareFields({ ...compared, stored: undefined })).toEqual([]);
    expect(compareFields({ ...compared, current: { timeout: 60, config: {}, list: [], has_api_key: false } })).toEqual(
      [],
    );
  });

  it('differ if the document no longer contains a part of an object', () => {
    const noted = {
      applied: fingerprint({ a: 1, b: 2 }, salt, false),
      observed: fingerprint({ a: 1, b: 2 }, salt, false),
    };
    expect(compare({ config: { a: 1 } }, { config: { a: 1, b: 2 } }, { config: noted })).toEqual([
      ['config', false, false],
    ]);
    expect(compare({ config: { a: 1 } }, { config: { a: 1, b: 2 } })).toEqual([]);
  });

  it('are not printed if they were a secret when they were applied', () => {
    const url = {
      applied: fingerprint('https://a/secret', salt, true),
      observed: fingerprint('https://a/secret', salt, true),
    };
    expect(compare({ url: 'https://b' }, { url: 'https://a/secret' }, { url })).toEqual([['url', false, true]]);
  });

  it('are not printed if the service never returns them, even if the document contains them in plain text', () => {
    expect(compare({ api_key: 'in-clear' }, { has_api_key: false })).toEqual([['api_key', false, true]]);
  });
});

describe('the object that belongs to a document', () => {
  const items = [
    { id: 'id-1', description: 'one' },
    { id: 'id-2', description: '' },
    { id: 'id-3', description: 'both' },
    { id: 'id-4', description: 'both' },
  ];
  const find = (name: string) =>
    findItem({ items: new Map([['endpoint', items]]), users: new Map() }, document(`endpoint/${name}`), {})?.id;

  it('is found by its name, or by its id if its name is not unique or missing', () => {
    expect(['one', 'id-2', 'id-4', 'none'].map(find)).toEqual(['id-1', 'id-2', 'id-4', undefined]);
    expect(() => find('both')).toThrow(/endpoint\/both: 2 objects match this document: id-3, id-4/);
  });
});
