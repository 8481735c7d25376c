import { createRouter } from './router.ts';

const PATHS = [
  '/flows/executions',
  '/flows/executions/{id}',
  '/flows/{flow_id}',
  '/flows/{flow_id}/trigger',
  '/flows/{flow_id}/runs/{run}',
  '/docs/*',
];
const find = createRouter({
  paths: new Map(PATHS.map((path) => [path, path])),
  unknown: 'unknown',
  unreadable: 'unreadable',
});

describe('the router', () => {
  it.each([
    ['/flows/executions', '/flows/executions', {}],
    ['/flows/executions/7', '/flows/executions/{id}', { id: '7' }],
    ['/flows/7', '/flows/{flow_id}', { flow_id: '7' }],
    // A fixed segment that leads nowhere is matched as a value.
    ['/flows/executions/runs/3', '/flows/{flow_id}/runs/{run}', { flow_id: 'executions', run: '3' }],
    ['/flows/7/trigger', '/flows/{flow_id}/trigger', { flow_id: '7' }],
    ['/flows/7/trigger/', '/flows/{flow_id}/trigger', { flow_id: '7' }],
    ['/flows/constructor', '/flows/{flow_id}', { flow_id: 'constructor' }],
    ['/flows/a%2Fb%20c', '/flows/{flow_id}', { flow_id: 'a/b c' }],
    ['/flows/100%25', '/flows/{flow_id}', { flow_id: '100%' }],
    [`/flows/${'x'.repeat(10_000)}`, '/flows/{flow_id}', { flow_id: 'x'.repeat(10_000) }],
    ['http://api.example.test/flows/7', '/flows/{flow_id}', { flow_id: '7' }],
    ['/docs/some/where', '/docs/*', { '*': 'some/where' }],
  ])('takes %s to %s', (url, value, params) => {
    expect(find(url)).toEqual({ value, params, query: {} });
  });

  it.each([
    ['a path that ends too early', '/flows', 'unknown'],
    ['a path that goes on', '/flows/7/trigger/more', 'unknown'],
    ['another case', '/Flows/7', 'unknown'],
    ['an empty segment', '//flows/7', 'unknown'],
    ['nothing', '', 'unknown'],
    ['an escape that is none', '/flows/%zz', 'unreadable'],
    ['an escape that ends too early', '/flows/%e4%b', 'unreadable'],
  ])('finds nothing at %s (API-8)', (_what, url, value) => {
    expect(find(url)).toMatchObject({ value });
  });

  it('reads the query, each name with one value or several', () => {
    expect(find('/flows/7?q=a%20b+c&tag=x&tag=y&broken=%zz').query).toEqual({
      q: 'a b c',
      tag: ['x', 'y'],
      broken: '%zz',
    });
  });
});
