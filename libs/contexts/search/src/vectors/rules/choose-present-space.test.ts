import type { VectorSpace } from '../vector-space.ts';
import { choosePresentSpace } from './choose-present-space.ts';

const space = (id: string, more: Partial<VectorSpace> = {}): VectorSpace => ({
  id,
  accountId: 'account',
  provider: 'generic_compatible',
  baseUrl: 'https://models.example.com/v1',
  modelIdentifier: 'model-a',
  width: 3,
  segment: null,
  ...more,
});
const setting = {
  provider: 'generic_compatible',
  baseUrl: 'https://models.example.com/v1',
  modelIdentifier: 'model-a',
};

describe('choosePresentSpace', () => {
  it('returns the newest space of the provider, endpoint and model, with any dimensions', () => {
    const spaces = [space('other', { modelIdentifier: 'model-b' }), space('new', { width: 4 }), space('old')];
    expect(choosePresentSpace(spaces, setting)?.id).toBe('new');
  });

  it.each(['provider', 'baseUrl', 'modelIdentifier'] as const)('does not return a space of another %s', (key) => {
    expect(choosePresentSpace([space('a', { [key]: 'other' })], setting)).toBeUndefined();
    expect(choosePresentSpace([space('a')], { ...setting, [key]: null })).toBeUndefined();
  });
});
