import { createRouteTree } from './route-tree.ts';

const tree = createRouteTree([
  { method: 'GET', path: '/flows/executions', value: 'executions' },
  { method: 'GET', path: '/flows/executions/{id}', value: 'execution' },
  { method: 'GET', path: '/flows/{flow_id}', value: 'flow' },
  { method: 'DELETE', path: '/flows/{flow_id}', value: 'delete flow' },
  { method: 'POST', path: '/flows/{flow_id}/trigger', value: 'trigger' },
  { method: 'GET', path: '/flows/{flow_id}/runs/{run}', value: 'run' },
  { method: 'DELETE', path: '/flows/{other_name}', value: 'never' },
]);

describe('the route tree', () => {
  it.each([
    ['GET', '/flows/executions', 'executions', {}],
    ['GET', '/flows/executions/7', 'execution', { id: '7' }],
    ['GET', '/flows/7', 'flow', { flow_id: '7' }],
    ['DELETE', '/flows/7', 'delete flow', { flow_id: '7' }],
    // A fixed segment that leads nowhere is a value, too.
    ['GET', '/flows/executions/runs/3', 'run', { flow_id: 'executions', run: '3' }],
    ['POST', '/flows/7/trigger', 'trigger', { flow_id: '7' }],
    ['GET', '/flows/constructor', 'flow', { flow_id: 'constructor' }],
  ])('finds %s %s', (method, path, value, params) => {
    expect(tree.find(method, path)).toEqual({ value, params });
  });

  it.each([
    ['a method that the first fitting path does not know, though a later one does', 'DELETE', '/flows/executions'],
    ['the same below it', 'POST', '/flows/executions/trigger'],
    ['a path that ends too early', 'GET', '/flows'],
    ['a path that goes on', 'GET', '/flows/7/trigger/more'],
    ['another case', 'GET', '/Flows/7'],
    ['a method in small letters', 'get', '/flows/7'],
  ])('leaves %s to others', (_what, method, path) => {
    expect(tree.find(method, path)).toBeUndefined();
  });
});
