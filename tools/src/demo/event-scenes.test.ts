import { listEmittedTypes } from './all-events.ts';
import { NOT_EMITTED, SCENES } from './event-scenes.ts';

describe('the scenes of the demo', () => {
  it('cover exactly the emitted types (EVT-9)', () => {
    const played = SCENES.flatMap(({ types }) => types);
    expect(played.toSorted()).toEqual(listEmittedTypes().toSorted());
    expect(played.filter((type) => NOT_EMITTED.includes(type))).toEqual([]);
  });
});
