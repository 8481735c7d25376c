import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { ChoiceFilter } from './choice-filter.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

describe('a filter with options', () => {
  it('keeps its value while its options are loading, and if they do not contain it', () => {
    const place = document.body.appendChild(document.createElement('div'));
    const root = createRoot(place);
    const seen: unknown[] = [];
    const show = (options: Readonly<Record<string, string>>): void => {
      act(() => root.render(<ChoiceFilter label="Flow" name="flow" chosen="f9" options={options} />));
      const select = place.querySelector('select');
      seen.push([select?.value, [...(select?.options ?? [])].map(({ text }) => text)]);
    };
    show({});
    show({ f1: 'Nightly' });
    show({ f1: 'Nightly', f9: 'Weekly' });
    expect(seen).toEqual([
      ['f9', ['All', 'f9']],
      ['f9', ['All', 'f9', 'Nightly']],
      ['f9', ['All', 'Nightly', 'Weekly']],
    ]);
  });
});
