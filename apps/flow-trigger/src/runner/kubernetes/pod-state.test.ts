import { readPodState, type Pod } from './pod-state.ts';

const pod = (status: object, metadata: object = {}): Pod => ({ metadata: { name: 'pod', ...metadata }, status });
const container = (state: object, more: object = {}): Pod => pod({ containerStatuses: [{ state }], ...more });

describe('the state of the pod of a run', () => {
  it.each<[string, Pod | undefined, object]>([
    ['a new pod', pod({ phase: 'Pending' }), { kind: 'waiting' }],
    [
      'a pod without a node',
      pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }] }),
      { kind: 'waiting', reason: '0/3 nodes are available' },
    ],
    ['a pod whose image is being pulled', container({ waiting: { reason: 'ContainerCreating' } }), { kind: 'waiting' }],
    [
      'a pod whose image pull may still succeed',
      container({ waiting: { reason: 'ErrImagePull' } }),
      { kind: 'waiting' },
    ],
    ['a running pod', container({ running: {} }, { phase: 'Running' }), { kind: 'running' }],
    [
      'a pod without an image',
      container({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } }),
      { kind: 'over', reason: 'ImagePullBackOff: no such image', isOutOfMemory: false },
    ],
    [
      'a pod that exceeded its memory',
      container({ terminated: { reason: 'OOMKilled', exitCode: 137 } }),
      { kind: 'over', reason: 'it exceeded its memory limit', isOutOfMemory: true },
    ],
    [
      'a pod that its node evicted',
      pod({ phase: 'Failed', reason: 'Evicted', message: 'the node was low on memory' }),
      { kind: 'over', reason: 'Evicted: the node was low on memory', isOutOfMemory: false },
    ],
    [
      'a pod whose supervisor ended',
      container({ terminated: { reason: 'Error', exitCode: 125 } }),
      { kind: 'over', reason: 'its container ended with exit code 125', isOutOfMemory: false },
    ],
    [
      'a pod that is being removed',
      pod({ containerStatuses: [{ state: { running: {} } }] }, { deletionTimestamp: '2026-11-28T10:00:00Z' }),
      { kind: 'over', reason: 'it was removed', isOutOfMemory: false },
    ],
    ['a pod that no longer exists', undefined, { kind: 'over', reason: 'it was removed', isOutOfMemory: false }],
  ])('is recognized for %s', (_what, given, expected) => {
    expect(readPodState(given)).toEqual(expected);
  });
});
