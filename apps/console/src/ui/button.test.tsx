import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

function show(button: React.ReactNode): HTMLButtonElement {
  const place = document.body.appendChild(document.createElement('div'));
  act(() => createRoot(place).render(button));
  const found = place.querySelector('button');
  if (found === null) throw new Error('no button was shown');
  return found;
}

describe('a button', () => {
  it('that is not allowed explains why, stays in the tab order and does nothing', () => {
    let presses = 0;
    const press = () => void (presses += 1);
    const button = show(
      <Button onClick={press} disabledReason="needs manage_policies">
        Add endpoint
      </Button>,
    );
    act(() => button.click());
    expect(presses).toBe(0);
    expect(button.textContent).toBe('Add endpoint (needs manage_policies)');
    expect([button.disabled, button.getAttribute('aria-disabled')]).toEqual([false, 'true']);
  });

  it('that is busy does nothing, and does not submit its form a second time', () => {
    let presses = 0;
    const press = () => void (presses += 1);
    const button = show(
      <form onSubmit={press}>
        <Button type="submit" aria-busy onClick={press}>
          Send
        </Button>
      </form>,
    );
    act(() => button.click());
    expect(presses).toBe(0);
  });

  it('acts once per click, and submits a form only as a submit button', () => {
    let presses = 0;
    const button = show(<Button onClick={() => void (presses += 1)}>Copy</Button>);
    act(() => button.click());
    expect([presses, button.type]).toEqual([1, 'button']);
  });
});
