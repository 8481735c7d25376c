import { readPodState, type Pod } from './pod-state.ts';

const pod = (status: object, metadata: object = {}): Pod => ({ metadata: { name: 'pod', ...metadata }, status });
const container = (state: object, more: object = {}): Pod => pod({ containerStatuses: [{ state }], ...more });

describe('the state of the pod of a run', () => {
  it.each<[string, Pod | undefined, object]>([
    ['one that is new', pod({ phase: 'Pending' }), { kind: 'waiting' }],
    [
      'one without a node',
      pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }] }),
      { kind: 'waiting', reason: '0/3 nodes are available' },
    ],
    ['one whose image comes', container({ waiting: { reason: 'ContainerCreating' } }), { kind: 'waiting' }],
    ['one whose image may come yet', container({ waiting: { reason: 'ErrImagePull' } }), { kind: 'waiting' }],
    ['one that runs', container({ running: {} }, { phase: 'Running' }), { kind: 'running' }],
    [
      'one without an image',
      container({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } }),
      { kind: 'over', reason: 'ImagePullBackOff: no such image', isOutOfMemory: false },
    ],
    [
      'one that needed more memory',
      container({ terminated: { reason: 'OOMKilled', exitCode: 137 } }),
      { kind: 'over', reason: 'it exceeded its memory limit', isOutOfMemory: true },
    ],
    [
      'one whose node needed its place',
      pod({ phase: 'Failed', reason: 'Evicted', message: 'the node was low on memory' }),
      { kind: 'over', reason: 'Evicted: the node was low on memory', isOutOfMemory: false },
    ],
    [
      'one whose supervisor ended',
      container({ terminated: { reason: 'Error', exitCode: 125 } }),
      { kind: 'over', reason: 'its container ended with exit code 125', isOutOfMemory: false },
    ],
    [
      'one that is removed',
      pod({ containerStatuses: [{ state: { running: {} } }] }, { deletionTimestamp: '2026-11-28T10:00:00Z' }),
      { kind: 'over', reason: 'it was removed', isOutOfMemory: false },
    ],
    ['one that is gone', undefined, { kind: 'over', reason: 'it was removed', isOutOfMemory: false }],
  ])('is read of %s', (_what, given, expected) => {
    expect(readPodState(given)).toEqual(expected);
  });
});
