import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { useSteadyRows } from './use-steady-rows.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

function List({ ids }: { readonly ids: string }) {
  const { rows, newCount, showNew } = useSteadyRows(ids.split(' ').map((text) => ({ id: text.slice(0, 1), text })));
  return <button onClick={showNew}>{`${rows.map(({ text }) => text).join(' ')}, ${newCount} new`}</button>;
}

describe('rows of a list that is being refetched', () => {
  it('keep their position and are updated in place until new rows are requested', () => {
    const place = document.body.appendChild(document.createElement('div'));
    const root = createRoot(place);
    const seen: string[] = [];
    const show = (ids: string): void => {
      act(() => root.render(<List ids={ids} />));
      seen.push(place.textContent);
    };
    show('c b a');
    show('d c+ b');
    show('e d c+');
    act(() => place.querySelector('button')?.click());
    seen.push(place.textContent);
    expect(seen).toEqual(['c b a, 0 new', 'c+ b a, 1 new', 'c+ b a, 2 new', 'e d c+, 0 new']);
  });
});
